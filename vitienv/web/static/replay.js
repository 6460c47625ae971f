"use strict";
// Shows the drawings that the page carries, one after the other.

const COLOURS = ["#0072b2", "#d55e00", "#009e73", "#b8a800", "#56b4e9", "#cc79a7"];
const DASHES = ["", "7 3", "2 3", "9 3 2 3", "5 2 5 2 1 2", "1 2"];
const NARROW = window.matchMedia("(max-width: 999px)");
const byId = (id) => document.getElementById(id);

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return JSON.parse(await new Response(stream).text());
}

class Replay {
  constructor(story) {
    this.story = story;
    this.at = 0;
    this.timer = null;
    this.end = story.moves.length;
    byId("slider").max = this.end;
    byId("word").textContent = story.word;
    this.listYears();
    this.listMoves();
    this.drawPoints();
    this.listen();
    this.show(Number(location.hash.slice(1)) || 0);
  }

  listYears() {
    for (const { year, at } of this.story.years) {
      byId("year").append(new Option(year ? String(year) : "set-up", String(at)));
    }
  }

  listMoves() {
    const starts = new Map(this.story.years.map(({ year, at }) => [at, year]));
    this.items = this.story.moves.map(({ seat, told }, i) => {
      if (starts.has(i) && starts.get(i)) {
        const head = document.createElement("li");
        head.className = "year";
        head.textContent = `${this.story.word} ${starts.get(i)}`;
        byId("moves").append(head);
      }
      const item = document.createElement("li");
      item.value = i + 1;
      item.textContent = told;
      item.addEventListener("click", () => this.show(i + 1));
      byId("moves").append(item);
      return item;
    });
    if (this.story.forfeit) {
      const end = document.createElement("li");
      end.className = "year";
      end.textContent = this.story.forfeit;
      byId("moves").append(end);
    }
  }

  drawPoints() {
    const { points, names } = this.story;
    const all = points.flat();
    const low = Math.min(0, ...all), high = Math.max(5, ...all);
    const x = (i) => 34 + (i / Math.max(1, this.end)) * 440, y = (v) => 190 - ((v - low) / (high - low)) * 170;
    const space = "http://www.w3.org/2000/svg";
    const make = (name, facts, words) => {
      const element = document.createElementNS(space, name);
      for (const [key, value] of Object.entries(facts)) element.setAttribute(key, value);
      if (words) element.textContent = words;
      return element;
    };
    const svg = make("svg", { viewBox: "0 0 590 215", role: "img" });
    svg.append(make("title", {}, "Points of each seat after each move"));
    for (let value = Math.ceil(low / 5) * 5; value <= high; value += 5) {
      svg.append(make("line", { x1: 34, x2: 474, y1: y(value), y2: y(value), stroke: "var(--line)", "stroke-width": 0.5 }));
      svg.append(make("text", { x: 28, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    }
    for (const { year, at } of this.story.years) {
      if (year) svg.append(make("text", { x: x(at), y: 208 }, String(year)));
    }
    // Names beside the ends of the lines, apart from each other.
    const ends = names.map((name, seat) => ({ name, seat, at: y(points[this.end][seat]) })).sort((a, b) => a.at - b.at);
    ends.forEach((own, k) => { own.at = k ? Math.max(own.at, ends[k - 1].at + 13) : own.at; });
    for (const { name, seat, at } of ends) {
      const line = points.map((own, i) => `${x(i).toFixed(1)},${y(own[seat]).toFixed(1)}`).join(" ");
      svg.append(make("polyline", { points: line, fill: "none", stroke: COLOURS[seat], "stroke-width": 2.2, "stroke-dasharray": DASHES[seat] }));
      svg.append(make("text", { x: 480, y: at + 4 }, `${name} (${points[this.end][seat]})`));
    }
    this.cursor = svg.appendChild(make("line", { y1: 15, y2: 192, stroke: "var(--ink)" }));
    this.x = x;
    svg.addEventListener("click", (event) => {
      const box = svg.getBoundingClientRect();
      this.show(Math.round((((event.clientX - box.left) / box.width) * 590 - 34) / 440 * this.end));
    });
    byId("points").append(svg);
  }

  listen() {
    const go = { first: () => 0, back: () => this.at - 1, next: () => this.at + 1, last: () => this.end };
    for (const [id, where] of Object.entries(go)) byId(id).addEventListener("click", () => this.show(where()));
    byId("play").addEventListener("click", () => this.play());
    byId("slider").addEventListener("input", (event) => this.show(Number(event.target.value)));
    byId("year").addEventListener("change", (event) => this.show(Number(event.target.value)));
    byId("speed").addEventListener("change", () => { if (this.timer) { this.play(); this.play(); } });
    NARROW.addEventListener("change", () => this.show(this.at));
    document.addEventListener("keydown", (event) => {
      const keys = { ArrowLeft: go.back, ArrowRight: go.next, Home: go.first, End: go.last };
      if (event.target.matches("select") || event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key === " " && event.target.tagName !== "BUTTON") { event.preventDefault(); this.play(); }
      if (keys[event.key]) { event.preventDefault(); this.show(keys[event.key]()); }
    });
  }

  play() {
    if (this.timer) { clearInterval(this.timer); this.timer = null; }
    else {
      if (this.at === this.end) this.show(0);
      this.timer = setInterval(() => this.at < this.end ? this.show(this.at + 1) : this.play(), Number(byId("speed").value));
    }
    byId("play").textContent = this.timer ? "❚❚ Stop" : "▶ Play";
  }

  // What the bot considered that made the move, where the log has it.
  showConsidered(found = []) {
    byId("considered").hidden = !found.length;
    byId("considered").querySelector("ol").replaceChildren(...found.map(({ words, thought, chosen }) => {
      const item = document.createElement("li");
      item.textContent = `${words}: ${thought}`;
      if (chosen) item.className = "chosen";
      return item;
    }));
  }

  show(wanted) {
    const { story } = this;
    this.at = Math.min(this.end, Math.max(0, wanted));
    const form = story.shown[this.at][NARROW.matches ? 1 : 0];
    // The drawings are the program's own and hold no other text than names, which are escaped there.
    byId("drawing").innerHTML = form.map((piece) => story.pieces[piece]).join("");
    byId("slider").value = this.at;
    const move = this.at ? story.moves[this.at - 1] : null;
    const forfeit = this.at === this.end && story.forfeit ? ` ${story.forfeit}` : "";
    byId("told").textContent = `${this.at} of ${this.end}` + (move ? `: ${move.told}` : "") + forfeit;
    this.showConsidered(move?.considered);
    const year = [...story.years].reverse().find(({ at }) => at <= this.at);
    byId("year").value = String(year.at);
    for (const item of this.items) item.removeAttribute("aria-current");
    const item = this.items[this.at - 1];
    if (item) {
      item.setAttribute("aria-current", "true");
      byId("moves").scrollTop = item.offsetTop - byId("moves").offsetTop - 120;
    }
    this.cursor.setAttribute("x1", this.x(this.at));
    this.cursor.setAttribute("x2", this.x(this.at));
    history.replaceState(null, "", `#${this.at}`);
  }
}

unpack(byId("data").textContent).then((story) => { window.replay = new Replay(story); });
