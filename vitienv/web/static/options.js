// The page before a game: a new one, one that was left, or one from a log.
import { ask, byId, element, tell } from "/static/common.js";

const RECENT = "vitienv tables";
const WORDS = { max_years: "last year" };
const MEANINGS = { campaign: "all challenges, one game after the other", max_years: "the game is cut off after it" };

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
    byId("ruleset").append(...Object.keys(options.rulesets).map((name) => new Option(name, name)));
    byId("ruleset").addEventListener("change", () => this.ruleset());
    byId("players").addEventListener("change", () => this.players());
    byId("new").addEventListener("submit", (event) => { event.preventDefault(); this.begin(); });
    byId("file").addEventListener("change", () => this.load());
    this.ruleset();
  }

  show() {
    byId("recent").replaceChildren(...recent().map(({ id, words, when }) => {
      const link = element("a", { href: `#${id}` }, `${words}, ${when}`);
      return element("li", {}, link);
    }));
    if (!recent().length) byId("recent").append(element("li", {}, "no game was left"));
  }

  ruleset() {
    const { least, most } = this.own();
    const counts = Array.from({ length: most - least + 1 }, (_, i) => least + i);
    byId("players").replaceChildren(...counts.map((n) => new Option(String(n), String(n))));
    byId("players-row").hidden = counts.length < 2;
    this.players();
    byId("more").replaceChildren(...this.own().options.map((name) => this.option(name)));
  }

  own() { return this.options.rulesets[byId("ruleset").value]; }

  players() {
    const names = [this.options.person, ...this.options.bots], { told } = this.options;
    const rows = Array.from({ length: Number(byId("players").value) }, (_, seat) => {
      const choice = element("select", { name: "seat" }, ...names.map((name) => new Option(name === this.options.person ? "a person" : told[name] ? `${name}: ${told[name]}` : name, name)));
      choice.value = seat ? this.options.usual : this.options.person;
      return element("label", {}, `Seat ${seat} `, choice);
    });
    byId("seats").replaceChildren(...rows);
  }

  option(name) {
    const { levels } = this.options;
    let field;
    if (levels[name]) {
      field = element("select", { name }, ...levels[name].map((level) => new Option(level.replaceAll("_", " "), level)));
      if (levels[name].includes("normal")) field.value = "normal";
    } else if (["challenge", "max_years"].includes(name)) {
      field = element("input", { name, inputmode: "numeric", pattern: "[0-9]*", size: 4, placeholder: "none" });
    } else if (name === "preset") {
      field = element("select", { name }, new Option("second edition", "second_edition"), new Option("manual literal", "manual_literal"));
    } else {
      field = element("input", { name, type: "checkbox" });
    }
    const meaning = levels[name] || name === "preset" ? "" : MEANINGS[name] || this.options.meanings[name];
    return element("label", {}, `${capital((WORDS[name] || name).replaceAll("_", " "))} `, field, ...meaning ? [element("small", {}, meaning)] : []);
  }

  seats() { return [...document.querySelectorAll("#seats select")].map((choice) => choice.value); }

  async begin() {
    const options = { ruleset: byId("ruleset").value, num_players: Number(byId("players").value) };
    for (const field of byId("more").querySelectorAll("input, select")) {
      if (field.type === "checkbox") { if (field.checked) options[field.name] = true; }
      else if (field.inputMode === "numeric") { if (field.value) options[field.name] = Number(field.value); }
      else options[field.name] = field.value;
    }
    const seed = byId("seed").value, campaign = Boolean(options.campaign);
    delete options.campaign;
    await this.made("/api/tables", { options, campaign, seats: this.seats(), seed: seed ? Number(seed) : null }, campaign ? "campaign" : options.ruleset);
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
