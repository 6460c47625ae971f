// The table: shows the drawings of the server for the viewer, and sends the viewer's choices.
import { Choices } from "./choices.js";
import { ask, byId, element, notify } from "./common.js";
import { Drawing } from "./drawing.js";
import { Lobby, adaptLevel, forget, recent, remember } from "./options.js";
import { showResult, showReview } from "./result.js";
import { Socket } from "./socket.js";
import { Story } from "./story.js";

const PACE = "vitienv pace";
const SETTLE = 300; // milliseconds in which a new question ignores clicks and keys meant for the last one

function setTitle(title) {
  document.title = title;
  document.querySelector("h1").textContent = title;
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
      point: (action, isPointed) => this.drawing.point(action, isPointed),
      mark: (actions) => this.drawing.markPicked(actions),
      settle: () => this.settle(byId("desk")),
      isSettling: () => this.isSettling(),
    });
    this.socket = new Socket((message, isFirst) => this.onMessage(message, isFirst));
    this.listen();
  }

  columns() { return innerWidth >= 1000 ? 3 : innerWidth >= 700 ? 2 : 1; }

  async open(id) {
    Object.assign(this, { id, view: null, viewer: null, covered: false, newestVersion: undefined, tokensAtChoice: null });
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

  // Handles a message of the server: the table was changed by another page, or a compilation or a search progresses.
  onMessage({ version, compiling, thinking }, isFirst) {
    if (thinking !== undefined) { this.thinking = thinking; this.showThinking(); }
    if (compiling !== undefined) notify(compiling && `${compiling} …`);
    if (version === undefined) return;
    if (this.isAsking()) this.newestVersion = version;
    else if (isFirst ? version !== this.view.version : version > this.view.version) this.follow();
  }

  isAsking() { return Boolean(this.numRequests || this.busy || this.running); }

  // Shows a version that was announced during a request.
  catchUp() {
    if (this.newestVersion === undefined || this.isAsking()) return;
    const { newestVersion } = this;
    this.newestVersion = undefined;
    if (newestVersion > this.view.version) this.follow();
  }

  async follow() {
    const { at, moves } = this.view;
    this.story.moves = [];
    if (!await this.guarded(() => this.call("", undefined, at < moves ? { at } : {}))) return;
    if (this.covered && this.view.actor === this.viewer) { this.covered = false; this.show(); }
    await this.run();
  }

  // Sends a request of this table and shows the answer.
  async call(path, body, parameters = {}) {
    const query = new URLSearchParams({ columns: this.columns(), since: this.story.moves.length, ...parameters });
    if (this.viewer !== null) query.set("viewer", this.viewer);
    const id = this.id;
    this.numRequests = (this.numRequests || 0) + 1;
    let view;
    try { view = await ask(`/api/tables/${id}${path}?${query}`, body); } finally { this.numRequests -= 1; }
    if (id === this.id) this.update(view);
  }

  async refresh() { this.story.moves = []; await this.guarded(() => this.call("")); }

  async guarded(action) {
    try { await action(); notify(""); } catch (error) {
      notify(error.message, true);
      if (error.status === 404) { forget(this.id); location.hash = ""; }
      return false;
    }
    this.catchUp();
    return true;
  }

  // Lets bots move until it is a person's turn.
  async run() {
    if (this.running) return;
    this.running = true;
    while (this.id && this.view && !this.view.is_over && !this.view.people.includes(this.view.actor)) {
      this.showThinking();
      const id = this.id;
      if (!await this.guarded(() => this.call("/advance", { at: this.view.moves }))) break;
      await new Promise((resolve) => setTimeout(resolve, this.hurry ? 0 : Number(byId("pace").value)));
      if (id !== this.id) break;
    }
    this.running = false;
    this.handOver();
    this.catchUp();
  }

  // Shows which bot is thinking, with the progress of its search.
  showThinking() {
    if (!this.running || !this.view || this.view.is_over || this.view.people.includes(this.view.actor)) return;
    const { names, actor } = this.view;
    byId("question").textContent = `${names[actor]} is thinking … ${this.thinking || ""}`;
  }

  // Covers the table until the next of several people on one device uncovers it, also after a reload.
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

  // Lists the bots that give hints and the topics of a ruleset.
  setRuleset({ game, ruleset }) {
    const form = Object.values(this.options.rulesets).find((row) => row.game === game && row.ruleset === ruleset);
    setTitle(form.title);
    if (form === this.form) return;
    this.form = form;
    const { bots, default_bot: bot, topics } = form;
    byId("adviser").replaceChildren(...Object.entries(bots).map(([name, title]) => new Option(title, name)));
    byId("adviser").value = "policy:champion" in bots ? "policy:champion" : bot;
    byId("topics").replaceChildren(...topics.map((name) => new Option(name.replaceAll("_", " "))));
  }

  update(view) {
    this.setRuleset(view);
    this.story.update(view);
    // Tokens are marked as new since the viewer's last choice, or, for an earlier position, since the move before it.
    const isNext = view.at < view.moves && view.at === this.view?.at + 1;
    const before = isNext ? this.drawing.tokens() : view.at < view.moves ? null : this.tokensAtChoice;
    this.view = view;
    const isNobody = this.viewer === null && view.people.length > 1 && !view.is_over;
    if (isNobody) Object.assign(this, { covered: true, view: { ...view, choices: [], can_undo: false } });
    else this.viewer = view.viewer;
    this.saveEntry(view);
    this.show(view.events.length, before);
  }

  // Updates the entry of the game under "Continue" on the start page.
  saveEntry(view) {
    const score = view.names.map((name, seat) => `${name} ${view.scores[seat]}`).join(", ");
    const saved = recent().find(({ id }) => id === this.id);
    if (view.is_over && saved && !saved.isOver) adaptLevel(view);
    remember(this.id, `${this.form.title}: ${score}. ${view.is_over ? "Finished" : view.date}.`, view.is_over);
  }

  show(numNew = 0, before = null) {
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
    byId("analysis").hidden = true;
    Object.assign(byId("table").dataset, { at: view.at, moves: view.moves, over: view.is_over });
    const isViewersTurn = view.actor === view.viewer && !view.is_over;
    byId("question").textContent = isPast ? `Viewing move ${view.at} of ${view.moves}.` : view.is_over ? "The game is over."
      : isViewersTurn ? (view.people.length > 1 ? `${view.names[view.viewer]}, seat ${view.viewer + 1}: ` : "") + view.question : byId("question").textContent;
    byId("aim").textContent = view.aim;
    byId("campaign").textContent = view.campaign && !view.is_over ? view.campaign.text : "";
    this.listChoices();
    if (!isPast) this.drawing.highlight(view.choices);
    this.story.show(view, numNew);
    showResult(view, this.id, (id) => { location.hash = id; });
    showReview(view, this.id, (at) => this.past(at).then(() => byId("desk").scrollIntoView()));
    if (!view.choices.length || isPast || this.covered) return;
    // Screen readers announce each turn once: the recent moves and the question.
    const text = [...byId("lately").querySelectorAll("span"), byId("question")].map((node) => node.textContent).join(" ");
    if (byId("live").textContent !== text) byId("live").textContent = text;
  }

  // Ignores the pointer and keys for a moment: a double click or a held key was meant for the last question.
  settle(box, onSettled = () => {}) {
    if (!this.hurry) box.classList.add("settling");
    clearTimeout(this.settling.get(box));
    this.settling.set(box, setTimeout(() => { box.classList.remove("settling"); onSettled(); }, this.hurry ? 0 : SETTLE));
  }

  isSettling() { return byId("desk").matches(".settling") || byId("several").matches(".settling"); }

  focusFirst() {
    const first = byId("choices").querySelector("button:not(.grave)");
    if (first && !byId("several").open && document.activeElement === document.body) first.focus({ preventScroll: true });
  }

  listChoices() {
    const { choices, picks } = this.view;
    if (choices.length) this.settle(byId("desk"), () => this.wasChosen && this.focusFirst());
    // On a narrow page the height of the last choices is kept, so that nothing below moves while others think.
    byId("asked").style.minHeight = choices.length || this.view.is_over ? "" : `${byId("asked").offsetHeight}px`;
    this.choices.show(choices, picks);
    if (choices.length && this.wasChosen) byId("question").scrollIntoView({ block: "nearest" });
  }

  // Chooses among the actions of a place on the board, or asks which one.
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
    notify(`${bot} is thinking …`);
    try {
      const { action } = await ask(`/api/tables/${this.id}/hint?${new URLSearchParams({ bot })}`);
      const button = this.choices.reveal(action);
      button.classList.add("hinted");
      button.focus();
      this.drawing.point(action, true);
      notify(`${bot} would choose: ${this.view.choices.find((choice) => choice.action === action).name}`);
    } catch (error) { notify(error.message, true); }
  }

  // Shows a search of the person's decision, or, after the game, of any decision.
  async analyse() {
    const { view } = this;
    if (byId("chances").disabled || byId("chances").hidden) return;
    notify("Analysing …");
    try {
      const query = view.is_over ? `?${new URLSearchParams({ at: view.at })}` : "";
      const analysis = await ask(`/api/tables/${this.id}/analysis${query}`);
      if (view !== this.view) return;
      const percent = (share) => `${Math.round(100 * share)} %`;
      byId("analysis").replaceChildren(
        element("p", {}, `${analysis.player}: value ${analysis.value.toFixed(2)} (-1 loss, 1 win), by ${analysis.agent}.`),
        element("ol", {}, ...analysis.actions.map(({ title, share, value }) => {
          const bar = element("span", { class: "bar", "aria-hidden": "true" });
          bar.style.width = percent(share);
          return element("li", {}, bar, `value ${value.toFixed(2)}, searched ${percent(share)}: ${title}`);
        })),
        element("p", {}, analysis.line.length ? `Likely continuation: ${analysis.line.join("; ")}.` : ""),
      );
      byId("analysis").hidden = false;
      notify("");
    } catch (error) { notify(error.message, true); }
  }

  async explain(word) {
    byId("analysis").hidden = !word.trim();
    this.word = word;
    if (!word.trim() || this.covered) return;
    try {
      const { lines } = await ask(`/api/tables/${this.id}/explain?${new URLSearchParams({ word, viewer: this.viewer })}`);
      if (this.word !== word) return; // answers may arrive in another order
      const paragraphs = lines.length ? lines.slice(0, 6) : [`No card or term is named ${word}.`];
      byId("analysis").replaceChildren(...paragraphs.map((line) => element("p", {}, line)));
    } catch (error) { notify(error.message, true); }
  }

  // Shows or hides the controls for which a narrow page has no room.
  unfold(isOpen) { byId("menu").setAttribute("aria-expanded", isOpen); }

  async past(at) {
    const view = this.view;
    await this.guarded(() => this.call("", undefined, at >= view.moves ? {} : { at }));
  }

  // Move numbers of the navigation buttons and keys.
  targets() {
    return { previous: () => Math.max(0, this.view.at - 1), following: () => this.view.at + 1, now: () => Infinity, start: () => 0 };
  }

  listen() {
    byId("hint").addEventListener("click", () => this.hint());
    byId("chances").addEventListener("click", () => this.analyse());
    byId("word").addEventListener("input", () => this.explain(byId("word").value));
    byId("menu").addEventListener("click", () => this.unfold(byId("menu").getAttribute("aria-expanded") !== "true"));
    byId("undo").addEventListener("click", () => this.guarded(() => this.call("/undo", {})));
    for (const id of ["previous", "following", "now"]) byId(id).addEventListener("click", () => this.past(this.targets()[id]()));
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
      if (keys[event.key] && !event.defaultPrevented) { event.preventDefault(); this.past(this.targets()[keys[event.key]]()); }
      if (event.key === "w") this.choices.nextKind();
      if (event.key === "h") this.hint();
      if (event.key === "c") this.analyse();
      if (event.key === "t") byId("drawing").focus();
      if (event.key === "?") { event.preventDefault(); this.unfold(true); byId("word").focus(); }
      if (event.key === "u" && !byId("undo").disabled) byId("undo").click();
      if (/^[1-9]$/.test(event.key)) byId("choices").querySelectorAll("button:not(.grave, #up, #confirm)")[Number(event.key) - 1]?.click();
    });
  }
}

async function start() {
  const options = await ask("/api/options");
  const table = new Table(options);
  const lobby = new Lobby(options, (id) => { location.hash = id; });
  const navigate = () => {
    const id = location.hash.slice(1);
    byId("lobby").hidden = Boolean(id);
    byId("table").hidden = !id;
    document.body.classList.toggle("playing", Boolean(id));
    scrollTo(0, 0); // the start page may be longer than the window
    if (!id) setTitle("vitienv");
    if (id) table.open(id);
    else { table.leave(); lobby.show(); }
  };
  addEventListener("hashchange", navigate);
  window.vitienvTable = table;
  byId("lobby").hidden = false;
  navigate();
}

start().catch((error) => notify(error.message, true));
