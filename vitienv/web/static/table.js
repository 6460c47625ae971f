// The table: shows what the server draws for the person who looks, and sends that person's choices.
import { Choices } from "./choices.js";
import { ask, byId, element, tell } from "./common.js";
import { Drawing } from "./drawing.js";
import { Lobby, adaptLevel, forget, recent, remember } from "./options.js";
import { showResult, showReview } from "./result.js";
import { Socket } from "./socket.js";
import { Story } from "./story.js";

const PACE = "vitienv pace";
const SETTLE = 300; // milliseconds in which a new question ignores clicks and keys meant for the last one

function setTitle(words) {
  document.title = words;
  document.querySelector("h1").textContent = words;
}

class Table {
  constructor(options) {
    this.options = options;
    this.id = null;
    this.settling = new Map(); // timers by element
    this.story = new Story((at) => this.past(at));
    this.drawing = new Drawing((actions) => this.pick(actions));
    this.choices = new Choices({
      choose: (action) => this.choose(action),
      confirm: (choice) => this.confirm(choice),
      point: (action, is) => this.drawing.point(action, is),
      settle: () => this.settle(byId("desk")),
      isSettling: () => this.isSettling(),
    });
    this.socket = new Socket((facts) => this.hear(facts));
    this.listen();
  }

  columns() { return innerWidth >= 1000 ? 3 : innerWidth >= 700 ? 2 : 1; }

  async open(id) {
    Object.assign(this, { id, view: null, viewer: null, covered: false, heard: undefined, tokensAtChoice: null });
    this.unfold(false);
    this.story.clear();
    await this.refresh();
    if (this.id !== id || !this.view) return;
    this.socket.open(id);
    this.run();
  }

  leave() {
    this.id = null;
    this.socket.close();
  }

  // The server says that something changed: another page has this table open, or something is compiled. What this page
  // asks for itself comes with its answer.
  hear({ version, compiling, thinking }, isFirst) {
    if (thinking !== undefined) { this.thinking = thinking; this.sayWhoThinks(); }
    if (compiling !== undefined) tell(compiling && `${compiling} …`);
    if (version === undefined) return;
    if (this.isAsking()) this.heard = version;
    else if (isFirst ? version !== this.view.version : version > this.view.version) this.follow();
  }

  isAsking() { return Boolean(this.asked || this.busy || this.running); }

  // What was heard in the meantime, and is not seen yet.
  catchUp() {
    if (this.heard === undefined || this.isAsking()) return;
    const { heard } = this;
    this.heard = undefined;
    if (heard > this.view.version) this.follow();
  }

  async follow() {
    const { at, moves } = this.view;
    this.story.moves = [];
    if (!await this.guarded(() => this.call("", undefined, at < moves ? { at } : {}))) return;
    if (this.covered && this.view.actor === this.viewer) { this.covered = false; this.show(); }
    await this.run();
  }

  // What is asked of the server: one thing at a time, the others wait for their turn or are dropped.
  async call(what, body, more = {}) {
    const facts = new URLSearchParams({ columns: this.columns(), since: this.story.moves.length, ...more });
    if (this.viewer !== null) facts.set("viewer", this.viewer);
    const id = this.id;
    this.asked = (this.asked || 0) + 1;
    let view;
    try { view = await ask(`/api/tables/${id}${what}?${facts}`, body); } finally { this.asked -= 1; }
    if (id === this.id) this.take(view);
  }

  async refresh() { this.story.moves = []; await this.guarded(() => this.call("")); }

  async guarded(what) {
    try { await what(); tell(""); } catch (error) {
      tell(error.message, true);
      if (error.status === 404) { forget(this.id); location.hash = ""; }
      return false;
    }
    this.catchUp();
    return true;
  }

  // Bots move one after the other until a person is to move.
  async run() {
    if (this.running) return;
    this.running = true;
    while (this.id && this.view && !this.view.is_over && !this.view.people.includes(this.view.actor)) {
      this.sayWhoThinks();
      const id = this.id;
      if (!await this.guarded(() => this.call("/advance", { at: this.view.moves }))) break;
      await new Promise((done) => setTimeout(done, this.hurry ? 0 : Number(byId("pace").value)));
      if (id !== this.id) break;
    }
    this.running = false;
    this.handOver();
    this.catchUp();
  }

  // thinking: how far that bot is, where it says so.
  sayWhoThinks() {
    if (!this.running || !this.view || this.view.is_over || this.view.people.includes(this.view.actor)) return;
    const { names, actor } = this.view;
    byId("question").textContent = `${names[actor]} thinks … ${this.thinking || ""}`;
  }

  // Several people at one machine: the table is covered until the next one asks to see it, also after a reload.
  handOver() {
    const { view } = this;
    if (!view || view.is_over || !view.people.includes(view.actor) || view.actor === this.viewer) return;
    this.covered = true;
    byId("cover-words").textContent = `Pass the device to ${view.names[view.actor]}, seat ${view.actor + 1}.`;
    this.show();
    byId("uncover").focus();
  }

  async uncover() {
    if (!this.view.people.includes(this.view.actor)) return; // a bot moves first
    Object.assign(this, { viewer: this.view.actor, tokensAtChoice: null });
    this.story.clear();
    if (await this.guarded(() => this.call(""))) { this.covered = false; this.show(); }
  }

  // What differs by the rules that are played: who gives hints, what can be asked about.
  suit({ game, ruleset }) {
    const own = Object.values(this.options.rulesets).find((one) => one.game === game && one.ruleset === ruleset);
    setTitle(own.title);
    if (own === this.own) return;
    this.own = own;
    const { bots, usual, topics } = own;
    byId("adviser").replaceChildren(...Object.entries(bots).map(([name, title]) => new Option(title, name)));
    byId("adviser").value = "policy:champion" in bots ? "policy:champion" : usual;
    byId("topics").replaceChildren(...topics.map((name) => new Option(name.replaceAll("_", " "))));
  }

  take(view) {
    const fresh = view.events;
    this.suit(view);
    this.story.take(view);
    // New on the drawing: since the viewer's last choice, or, in the past, by the move that led there.
    const isNext = view.at < view.moves && view.at === this.view?.at + 1;
    const before = isNext ? this.drawing.tokens() : view.at < view.moves ? null : this.tokensAtChoice;
    this.view = view;
    const isNobody = this.viewer === null && view.people.length > 1 && !view.is_over;
    if (isNobody) Object.assign(this, { covered: true, view: { ...view, choices: [], can_undo: false } });
    else this.viewer = view.viewer;
    this.note(view);
    this.show(fresh.length, before);
  }

  // For "Continue" on the start page.
  note(view) {
    const score = view.names.map((name, seat) => `${name} ${view.scores[seat]}`).join(", ");
    const was = recent().find(({ id }) => id === this.id);
    if (view.is_over && was && !was.isOver) adaptLevel(view);
    remember(this.id, `${this.own.title}: ${score}. ${view.is_over ? "Finished" : view.date}.`, view.is_over);
  }

  show(fresh = 0, before = null) {
    const { view } = this;
    const isPast = view.at < view.moves;
    byId("cover").hidden = !this.covered;
    for (const id of ["desk", "story"]) byId(id).hidden = this.covered;
    this.drawing.show(this.covered ? "" : view.svg, `${isPast ? "past" : ""} ${this.columns() === 1 ? "one" : ""}`, before);
    byId("slider").max = view.moves;
    byId("slider").value = view.at;
    byId("where").textContent = `${view.at} of ${view.moves}`;
    byId("now").hidden = !isPast;
    byId("undo").disabled = !view.can_undo;
    byId("hint").disabled = !view.choices.length;
    byId("chances").disabled = view.is_over ? view.at >= view.moves : !view.choices.length;
    byId("thought").hidden = true;
    Object.assign(byId("table").dataset, { at: view.at, moves: view.moves, over: view.is_over });
    const mine = view.actor === view.viewer && !view.is_over;
    byId("question").textContent = isPast ? `Viewing move ${view.at} of ${view.moves}.` : view.is_over ? "The game is over."
      : mine ? (view.people.length > 1 ? `${view.names[view.viewer]}, seat ${view.viewer + 1}: ` : "") + view.question : byId("question").textContent;
    byId("aim").textContent = view.aim;
    byId("campaign").textContent = view.campaign && !view.is_over ? view.campaign.text : "";
    this.listChoices();
    if (!isPast) this.drawing.light(view.choices);
    this.story.show(view, fresh);
    showResult(view, this.id, (id) => { location.hash = id; });
    showReview(view, this.id, (at) => this.past(at).then(() => byId("desk").scrollIntoView()));
    if (!view.choices.length || isPast || this.covered) return;
    // One announcement a turn: what happened, and the question.
    const words = [...byId("lately").querySelectorAll("span"), byId("question")].map((one) => one.textContent).join(" ");
    if (byId("live").textContent !== words) byId("live").textContent = words;
  }

  // A new question ignores the pointer and keys for a moment: a double click or a held key belongs to the last one.
  settle(box, then = () => {}) {
    if (!this.hurry) box.classList.add("settling");
    clearTimeout(this.settling.get(box));
    this.settling.set(box, setTimeout(() => { box.classList.remove("settling"); then(); }, this.hurry ? 0 : SETTLE));
  }

  isSettling() { return byId("desk").matches(".settling") || byId("several").matches(".settling"); }

  focusFirst() {
    const first = byId("choices").querySelector("button:not(.grave)");
    if (first && !byId("several").open && document.activeElement === document.body) first.focus({ preventScroll: true });
  }

  listChoices() {
    const { choices, picks } = this.view;
    if (choices.length) this.settle(byId("desk"), () => this.wasChosen && this.focusFirst());
    // On a narrow page nothing below moves while others think: the room of the last choices is kept.
    byId("asked").style.minHeight = choices.length || this.view.is_over ? "" : `${byId("asked").offsetHeight}px`;
    this.choices.show(choices, picks);
  }

  // Actions of a place on the board: the one that fits the kind of worker, or a question which.
  pick(actions) {
    if (this.isSettling()) return;
    const fitting = this.choices.at(actions);
    if (new Set(fitting.map(({ action }) => action)).size === 1) this.choices.pick(fitting[0].action);
    else this.drawing.ask("Choose one:", fitting.map(({ action, name }) => [name, () => this.choices.pick(action)]));
  }

  confirm({ action, name, text }) {
    this.drawing.ask(`${name}: ${text}?`, [[name, () => this.choose(action)]]);
    byId("none").focus();
    this.settle(byId("several"));
  }

  async choose(action) {
    if (this.busy) return;
    this.busy = true;
    this.wasChosen = true;
    this.story.chosenAt = this.view.moves;
    this.tokensAtChoice = this.drawing.tokens();
    await this.guarded(() => this.call("/move", { action, at: this.view.moves }));
    this.busy = false;
    await this.run();
    if (!this.isSettling()) this.focusFirst();
  }

  async hint() {
    if (!this.view.choices.length) return;
    const bot = byId("adviser").value;
    tell(`${bot} thinks …`);
    try {
      const { action } = await ask(`/api/tables/${this.id}/hint?${new URLSearchParams({ bot })}`);
      const button = this.choices.reveal(action);
      button.classList.add("hinted");
      button.focus();
      this.drawing.point(action, true);
      tell(`${bot} would choose: ${this.view.choices.find((own) => own.action === action).name}`);
    } catch (error) { tell(error.message, true); }
  }

  // What a search considers: for the person who is to move, or, when the game is over, at any move.
  async chances() {
    const { view } = this;
    if (byId("chances").disabled || byId("chances").hidden) return;
    tell("Analysing …");
    try {
      const past = view.is_over ? `?${new URLSearchParams({ at: view.at })}` : "";
      const found = await ask(`/api/tables/${this.id}/thought${past}`);
      if (view !== this.view) return;
      const percent = (share) => `${Math.round(100 * share)} %`;
      byId("thought").replaceChildren(
        element("p", {}, `${found.who}: value ${found.value.toFixed(2)} (-1 loss, 1 win), by ${found.agent}.`),
        element("ol", {}, ...found.actions.map(({ title, share, value }) => {
          const bar = element("span", { class: "bar", "aria-hidden": "true" });
          bar.style.width = percent(share);
          return element("li", {}, bar, `value ${value.toFixed(2)}, searched ${percent(share)}: ${title}`);
        })),
        element("p", {}, found.line.length ? `Likely then: ${found.line.join("; ")}.` : ""),
      );
      byId("thought").hidden = false;
      tell("");
    } catch (error) { tell(error.message, true); }
  }

  async explain(word) {
    byId("thought").hidden = !word.trim();
    this.word = word;
    if (!word.trim() || this.covered) return;
    try {
      const { lines } = await ask(`/api/tables/${this.id}/explain?${new URLSearchParams({ word, viewer: this.viewer })}`);
      if (this.word !== word) return; // a later one is asked for; answers may come in another order
      const paragraphs = lines.length ? lines.slice(0, 6) : [`No card or term is called ${word}.`];
      byId("thought").replaceChildren(...paragraphs.map((line) => element("p", {}, line)));
    } catch (error) { tell(error.message, true); }
  }

  // What a narrow page has no room for beside the rest.
  unfold(is) { byId("menu").setAttribute("aria-expanded", is); }

  async past(at) {
    const view = this.view;
    await this.guarded(() => this.call("", undefined, at >= view.moves ? {} : { at }));
  }

  // Where the buttons and keys of the review lead.
  steps() {
    return { previous: () => Math.max(0, this.view.at - 1), following: () => this.view.at + 1, now: () => Infinity, start: () => 0 };
  }

  listen() {
    byId("hint").addEventListener("click", () => this.hint());
    byId("chances").addEventListener("click", () => this.chances());
    byId("word").addEventListener("input", () => this.explain(byId("word").value));
    byId("menu").addEventListener("click", () => this.unfold(byId("menu").getAttribute("aria-expanded") !== "true"));
    byId("undo").addEventListener("click", () => this.guarded(() => this.call("/undo", {})));
    for (const id of ["previous", "following", "now"]) byId(id).addEventListener("click", () => this.past(this.steps()[id]()));
    byId("slider").addEventListener("input", () => this.past(Number(byId("slider").value)));
    byId("uncover").addEventListener("click", () => this.uncover());
    byId("leave").addEventListener("click", () => { location.hash = ""; });
    try { byId("pace").value = localStorage.getItem(PACE) ?? byId("pace").value; } catch { /* the page may not store anything */ }
    byId("pace").addEventListener("change", () => localStorage.setItem(PACE, byId("pace").value));
    let columns = this.columns();
    addEventListener("resize", () => {
      if (this.id && columns !== this.columns()) { columns = this.columns(); this.past(this.view.at); }
    });
    for (const id of ["choices", "several"]) {
      byId(id).addEventListener("keydown", (event) => {
        if (event.key === "Enter" && (event.repeat || this.isSettling())) event.preventDefault();
      });
    }
    document.addEventListener("keydown", (event) => {
      if (!this.id || event.repeat || event.ctrlKey || event.altKey || event.metaKey || byId("several").open) return;
      if (event.key === "Escape" && byId("up")) this.choices.close();
      else if (event.key === "Escape") document.activeElement.blur();
      if (event.target.matches("input, select")) return;
      const keys = { ArrowLeft: "previous", ArrowRight: "following", Home: "start", End: "now" };
      if (keys[event.key] && !event.defaultPrevented) { event.preventDefault(); this.past(this.steps()[keys[event.key]]()); }
      if (event.key === "w") this.choices.nextKind();
      if (event.key === "h") this.hint();
      if (event.key === "c") this.chances();
      if (event.key === "t") byId("drawing").focus();
      if (event.key === "?") { event.preventDefault(); this.unfold(true); byId("word").focus(); }
      if (event.key === "u" && !byId("undo").disabled) byId("undo").click();
      if (/^[1-9]$/.test(event.key)) byId("choices").querySelectorAll("button:not(.grave, #up, #confirm)")[Number(event.key) - 1]?.click();
    });
  }
}

async function begin() {
  const options = await ask("/api/options");
  const table = new Table(options);
  const lobby = new Lobby(options, (id) => { location.hash = id; });
  const go = () => {
    const id = location.hash.slice(1);
    byId("lobby").hidden = Boolean(id);
    byId("table").hidden = !id;
    document.body.classList.toggle("playing", Boolean(id));
    if (!id) setTitle("vitienv");
    if (id) table.open(id);
    else { table.leave(); lobby.show(); }
  };
  addEventListener("hashchange", go);
  window.vitienvTable = table;
  byId("lobby").hidden = false;
  go();
}

begin().catch((error) => tell(error.message, true));
