"use strict";
// Plays the drawings embedded in the page.

const CHART = 400, LEFT = 34, PLOT = 220; // widths in score_sheet.py
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
    this.items = this.story.moves.map(({ seat, text }, i) => {
      if (starts.has(i) && starts.get(i)) {
        const head = document.createElement("li");
        head.className = "year";
        head.textContent = `${this.story.word} ${starts.get(i)}`;
        byId("moves").append(head);
      }
      const item = document.createElement("li");
      item.value = i + 1;
      item.textContent = text;
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

  // The chart comes from vitienv; its names are escaped there.
  drawPoints() {
    byId("points").innerHTML = this.story.chart;
    const svg = byId("points").firstChild;
    this.cursor = svg.appendChild(document.createElementNS(svg.namespaceURI, "line"));
    for (const [key, value] of Object.entries({ class: "cursor", y1: 15, y2: 192 })) this.cursor.setAttribute(key, value);
    svg.addEventListener("click", (event) => {
      const { left, width } = svg.getBoundingClientRect();
      this.show(Math.round(((event.clientX - left) / width * CHART - LEFT) / PLOT * this.end));
    });
  }

  listen() {
    const targets = { first: () => 0, back: () => this.at - 1, next: () => this.at + 1, last: () => this.end };
    for (const [id, target] of Object.entries(targets)) byId(id).addEventListener("click", () => this.show(target()));
    byId("play").addEventListener("click", () => this.play());
    byId("slider").addEventListener("input", (event) => this.show(Number(event.target.value)));
    byId("year").addEventListener("change", (event) => this.show(Number(event.target.value)));
    byId("speed").addEventListener("change", () => { if (this.timer) { this.play(); this.play(); } });
    NARROW.addEventListener("change", () => this.show(this.at));
    document.addEventListener("keydown", (event) => {
      const keys = { ArrowLeft: targets.back, ArrowRight: targets.next, Home: targets.first, End: targets.last };
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
    byId("play").textContent = this.timer ? "❚❚ Pause" : "▶ Play";
  }

  // Lists the candidates of the bot that made the move, if the log has them.
  showConsidered(candidates = []) {
    byId("considered").hidden = !candidates.length;
    byId("considered").querySelector("ol").replaceChildren(...candidates.map(({ title, text, chosen }) => {
      const item = document.createElement("li");
      item.textContent = `${title}: ${text}`;
      if (chosen) item.className = "chosen";
      return item;
    }));
  }

  show(at) {
    const { story } = this;
    this.at = Math.min(this.end, Math.max(0, at));
    const pieces = story.shown[this.at][NARROW.matches ? 1 : 0];
    // The drawings come from vitienv; their names are escaped there.
    byId("drawing").innerHTML = pieces.map((piece) => story.pieces[piece]).join("");
    byId("slider").value = this.at;
    const move = this.at ? story.moves[this.at - 1] : null;
    const forfeit = this.at === this.end && story.forfeit ? ` ${story.forfeit}` : "";
    byId("move").textContent = `${this.at} of ${this.end}` + (move ? `: ${move.text}` : "") + forfeit;
    this.showConsidered(move?.considered);
    const year = [...story.years].reverse().find(({ at }) => at <= this.at);
    byId("year").value = String(year.at);
    for (const item of this.items) item.removeAttribute("aria-current");
    const item = this.items[this.at - 1];
    if (item) {
      item.setAttribute("aria-current", "true");
      byId("moves").scrollTop = item.offsetTop - byId("moves").offsetTop - 120;
    }
    for (const key of ["x1", "x2"]) this.cursor.setAttribute(key, LEFT + PLOT * this.at / Math.max(1, this.end));
    history.replaceState(null, "", `#${this.at}`);
  }
}

unpack(byId("data").textContent).then((story) => { window.replay = new Replay(story); });
