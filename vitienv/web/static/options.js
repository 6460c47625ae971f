// The page before a game: a new one, one that was left, or one from a log.
import { ask, byId, element, seconds, showProgress, tell } from "./common.js";

const RECENT = "vitienv tables", LEVEL = "vitienv level";
const FIRST_LEVEL = 3, LEVELS = 10;
const WORDS = { max_years: "last year", max_rounds: "last round" };

const capital = (words) => words[0].toUpperCase() + words.slice(1);

export function recent() {
  try { return JSON.parse(localStorage.getItem(RECENT)) || []; } catch { return []; }
}

export function remember(id, words, isOver = false) {
  const others = recent().filter((game) => game.id !== id);
  localStorage.setItem(RECENT, JSON.stringify([{ id, words, isOver }, ...others].slice(0, 12)));
}

export function forget(id) {
  localStorage.setItem(RECENT, JSON.stringify(recent().filter((own) => own.id !== id)));
}

// The level that fits: one more after a win against it, one less after a loss.
const fittingLevel = () => Number(localStorage.getItem(LEVEL)) || FIRST_LEVEL;

export function adaptLevel({ names, viewer, people, result }) {
  const levels = names.filter((_, seat) => seat !== viewer).map((name) => Number(/^level (\d+)/.exec(name)?.[1]));
  if (people.length > 1 || !levels.length || !levels.every((level) => level && level === levels[0])) return;
  const change = result.seats[viewer].rank === 1 ? 1 : -1;
  localStorage.setItem(LEVEL, Math.min(LEVELS, Math.max(1, levels[0] + change)));
}

export class Lobby {
  constructor(options, open) {
    this.options = options;
    this.open = open;
    byId("ruleset").append(...Object.entries(options.rulesets).map(([name, { title }]) => new Option(title, name)));
    byId("ruleset").value = options.first;
    byId("ruleset").addEventListener("change", () => this.ruleset());
    byId("players").addEventListener("change", () => this.players());
    byId("quick").addEventListener("click", () => this.quick());
    byId("new").addEventListener("submit", (event) => { event.preventDefault(); this.begin(); });
    byId("file").addEventListener("change", () => this.load());
  }

  show() {
    byId("seed").value = "";
    this.ruleset();
    this.listRecent();
  }

  // Unfinished games first.
  listRecent() {
    const games = recent().sort((a, b) => Boolean(a.isOver) - Boolean(b.isOver));
    byId("recent").replaceChildren(...games.map(({ id, words }) => {
      const remove = element("button", { "aria-label": `Delete ${words}`, title: "Delete this game" }, "✕");
      remove.addEventListener("click", () => confirm(`Delete ${words}?`) && this.remove(id));
      return element("li", {}, element("a", { href: `#${id}` }, words), remove);
    }));
    if (!games.length) byId("recent").append(element("li", {}, "No unfinished games"));
  }

  async remove(id) {
    try { await ask(`/api/tables/${id}/remove`, {}); } catch (error) { if (error.status !== 404) { tell(error.message, true); return; } }
    forget(id);
    this.listRecent();
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
    this.enable(false);
    while (this.turn === turn && !byId("lobby").hidden) {
      let found = null;
      try { found = await ask("/api/prepare", { game, ruleset }, true); } catch (error) { if (this.turn === turn) tell(error.message, true); }
      if (this.turn !== turn) return;
      if (found?.is_ready) { this.enable(true); showProgress(null); return; }
      if (found) showProgress(`Preparing ${title} (first start only)${found.status && `: ${found.status}`} …`, found.share);
      await seconds(1);
    }
    if (this.turn === turn) showProgress(null);
  }

  enable(is) { for (const id of ["begin", "quick"]) byId(id).disabled = !is; }

  // The bot of a seat that nobody chose.
  rival() {
    const { bots, usual } = this.own(), level = `level:${fittingLevel()}`;
    return level in bots ? level : usual;
  }

  own() { return this.options.rulesets[byId("ruleset").value]; }

  // A seat for each, and the options that there are at so many seats.
  players() {
    const n = Number(byId("players").value), { bots, options } = this.own();
    const rows = Array.from({ length: n }, (_, seat) => {
      const [levels, others] = [true, false].map((is) => Object.entries(bots).filter(([name]) => name.startsWith("level:") === is));
      const group = (label, rows) => element("optgroup", { label }, ...rows.map(([name, words]) => new Option(words, name)));
      const choice = element("select", { name: "seat" }, new Option("a person", this.options.person), group("Levels", levels), group("Other bots", others));
      choice.value = seat ? this.rival() : this.options.person;
      return element("label", {}, `Seat ${seat + 1} `, choice);
    });
    byId("rival").textContent = n > 1 ? `against ${bots[this.rival()]}` : "";
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

  // A game at once: the usual seats and options.
  quick() {
    const { game, ruleset, title, usual_players: n } = this.own();
    const seats = [this.options.person, ...Array(n - 1).fill(this.rival())];
    return this.made("/api/tables", { game, options: { ruleset, num_players: n }, seats, seed: null }, title);
  }

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
    this.enable(false);
    tell("The table is laid …");
    try {
      const { id } = await ask(where, what);
      remember(id, words);
      this.open(id);
    } catch (error) { tell(error.message, true); }
    this.enable(true);
  }
}
