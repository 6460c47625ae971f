// The page before a game: a new one, one that was left, or one from a log.
import { ask, byId, element, seconds, showProgress, tell } from "./common.js";

const RECENT = "vitienv tables";
const WORDS = { max_years: "last year", max_rounds: "last round" };

const capital = (words) => words[0].toUpperCase() + words.slice(1);

export function recent() {
  try { return JSON.parse(localStorage.getItem(RECENT)) || []; } catch { return []; }
}

export function remember(id, words) {
  const others = recent().filter((own) => own.id !== id);
  localStorage.setItem(RECENT, JSON.stringify([{ id, words, when: new Date().toLocaleString() }, ...others].slice(0, 12)));
}

export function forget(id) {
  localStorage.setItem(RECENT, JSON.stringify(recent().filter((own) => own.id !== id)));
}

export class Lobby {
  constructor(options, open) {
    this.options = options;
    this.open = open;
    byId("ruleset").append(...Object.entries(options.rulesets).map(([name, { title }]) => new Option(title, name)));
    byId("ruleset").value = options.first;
    byId("ruleset").addEventListener("change", () => this.ruleset());
    byId("players").addEventListener("change", () => this.players());
    byId("new").addEventListener("submit", (event) => { event.preventDefault(); this.begin(); });
    byId("file").addEventListener("change", () => this.load());
    this.ruleset();
  }

  show() {
    this.prepare();
    byId("recent").replaceChildren(...recent().map(({ id, words, when }) => {
      const link = element("a", { href: `#${id}` }, `${words}, ${when}`);
      return element("li", {}, link);
    }));
    if (!recent().length) byId("recent").append(element("li", {}, "No unfinished games"));
  }

  ruleset() {
    const { least, most, usual_players: usual } = this.own();
    const counts = Array.from({ length: most - least + 1 }, (_, i) => least + i);
    byId("players").replaceChildren(...counts.map((n) => new Option(String(n), String(n))));
    byId("players").value = String(usual);
    byId("players-row").hidden = counts.length < 2;
    byId("more").replaceChildren(...this.own().options.map((own) => this.option(own)));
    this.players();
    this.prepare();
  }

  // What the chosen rules need is compiled while the page is open; a game of rules that are there begins at once.
  async prepare() {
    const { game, ruleset, title } = this.own();
    const turn = this.turn = {};
    byId("begin").disabled = true;
    while (this.turn === turn && !byId("lobby").hidden) {
      let found = null;
      try { found = await ask("/api/prepare", { game, ruleset }, true); } catch (error) { if (this.turn === turn) tell(error.message, true); }
      if (this.turn !== turn) return;
      if (found?.is_ready) { byId("begin").disabled = false; showProgress(null); return; }
      if (found) showProgress(`Preparing ${title} (first start only)${found.told && `: ${found.told}`} …`, found.share);
      await seconds(1);
    }
    if (this.turn === turn) showProgress(null);
  }

  own() { return this.options.rulesets[byId("ruleset").value]; }

  // A seat for each, and the options that there are at so many seats.
  players() {
    const n = Number(byId("players").value), { bots, usual, options } = this.own();
    const rows = Array.from({ length: n }, (_, seat) => {
      const choice = element("select", { name: "seat" }, new Option("a person", this.options.person),
        ...Object.entries(bots).map(([name, told]) => new Option(told, name)));
      choice.value = seat ? usual : this.options.person;
      return element("label", {}, `Seat ${seat + 1} `, choice);
    });
    byId("seats").replaceChildren(...rows);
    for (const { name, seats } of options) {
      const field = byId("more").querySelector(`[name=${name}]`);
      field.disabled = Boolean(seats) && !seats.includes(n);
      field.closest("label").hidden = field.disabled;
    }
  }

  option({ name, meaning, choices, usual }) {
    let field;
    if (choices.length) {
      field = element("select", { name }, ...choices.map((own) => new Option(own.replaceAll("_", " "), own)));
      field.value = usual;
    } else if (typeof usual === "boolean") {
      field = element("input", { name, type: "checkbox" });
      field.checked = usual;
    } else {
      field = element("input", { name, inputmode: "numeric", pattern: "[0-9]*", size: 4, placeholder: "none" });
    }
    return element("label", {}, `${capital((WORDS[name] || name).replaceAll("_", " "))} `, field, ...meaning ? [element("small", {}, meaning)] : []);
  }

  seats() { return [...document.querySelectorAll("#seats select")].map((choice) => choice.value); }

  async begin() {
    const { game, ruleset } = this.own();
    const options = { ruleset, num_players: Number(byId("players").value) };
    for (const field of byId("more").querySelectorAll("input:enabled, select:enabled")) {
      if (field.type === "checkbox") { if (field.checked !== field.defaultChecked) options[field.name] = field.checked; }
      else if (field.inputMode === "numeric") { if (field.value) options[field.name] = Number(field.value); }
      else options[field.name] = field.value;
    }
    const seed = byId("seed").value, campaign = Boolean(options.campaign);
    delete options.campaign;
    await this.made("/api/tables", { game, options, campaign, seats: this.seats(), seed: seed ? Number(seed) : null }, campaign ? "campaign" : this.own().title);
  }

  async load() {
    const [file] = byId("file").files;
    if (!file) return;
    let log;
    try { log = JSON.parse(await file.text()); } catch { tell(`${file.name} is not a log`, true); return; }
    await this.made("/api/logs", { log, seats: this.seats() }, file.name);
    byId("file").value = "";
  }

  async made(where, what, words) {
    this.turn = null;
    byId("begin").disabled = true;
    tell("The table is laid …");
    try {
      const { id } = await ask(where, what);
      remember(id, words);
      this.open(id);
    } catch (error) { tell(error.message, true); }
    byId("begin").disabled = false;
  }
}
