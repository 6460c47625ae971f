// The start page: a new game, a saved game, or a game from a log.
import { ask, byId, element, seconds, showProgress, notify } from "./common.js";

const RECENT = "vitienv tables", LEVEL = "vitienv level";
const FIRST_LEVEL = 3, LEVELS = 10;
const LABELS = { max_years: "last year", max_rounds: "last round" };

const capitalize = (text) => text[0].toUpperCase() + text.slice(1);

export function recent() {
  try { return JSON.parse(localStorage.getItem(RECENT)) || []; } catch { return []; }
}

export function remember(id, title, isOver = false) {
  const others = recent().filter((game) => game.id !== id);
  localStorage.setItem(RECENT, JSON.stringify([{ id, title, isOver }, ...others].slice(0, 12)));
}

export function forget(id) {
  localStorage.setItem(RECENT, JSON.stringify(recent().filter((game) => game.id !== id)));
}

// The suggested level: raised by a win against it, lowered by a loss.
const suggestedLevel = () => Number(localStorage.getItem(LEVEL)) || FIRST_LEVEL;

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
    byId("recent").replaceChildren(...games.map(({ id, title }) => {
      const remove = element("button", { "aria-label": `Delete ${title}`, title: "Delete this game" }, "✕");
      remove.addEventListener("click", () => confirm(`Delete ${title}?`) && this.remove(id));
      return element("li", {}, element("a", { href: `#${id}` }, title), remove);
    }));
    if (!games.length) byId("recent").append(element("li", {}, "No unfinished games"));
  }

  async remove(id) {
    try { await ask(`/api/tables/${id}/remove`, {}); } catch (error) { if (error.status !== 404) { notify(error.message, true); return; } }
    forget(id);
    this.listRecent();
  }

  ruleset() {
    const { min_players: min, max_players: max, default_players: players, options } = this.selected();
    const counts = Array.from({ length: max - min + 1 }, (_, i) => min + i);
    byId("players").replaceChildren(...counts.map((n) => new Option(String(n), String(n))));
    byId("players").value = String(players);
    byId("players-row").hidden = counts.length < 2;
    byId("more").replaceChildren(...options.map((option) => this.option(option)));
    this.players();
    this.prepare();
  }

  // Compiles the engine of the selected rules while the page is open; a game can start when it is ready.
  async prepare() {
    const { game, ruleset, title } = this.selected();
    const turn = this.turn = {};
    this.enable(false);
    while (this.turn === turn && !byId("lobby").hidden) {
      let state = null;
      try { state = await ask("/api/prepare", { game, ruleset }, true); } catch (error) { if (this.turn === turn) notify(error.message, true); }
      if (this.turn !== turn) return;
      if (state?.is_ready) { this.enable(true); showProgress(null); return; }
      if (state) showProgress(`Preparing ${title} (first start only)${state.status && `: ${state.status}`} …`, state.share);
      await seconds(1);
    }
    if (this.turn === turn) showProgress(null);
  }

  enable(isEnabled) { for (const id of ["begin", "quick"]) byId(id).disabled = !isEnabled; }

  // The default bot of a seat.
  defaultBot() {
    const { bots, default_bot: bot } = this.selected(), level = `level:${suggestedLevel()}`;
    return level in bots ? level : bot;
  }

  selected() { return this.options.rulesets[byId("ruleset").value]; }

  // Lists the seats, and the options that are available with that number of seats.
  players() {
    const n = Number(byId("players").value), { bots, options } = this.selected();
    const rows = Array.from({ length: n }, (_, seat) => {
      const [levels, others] = [true, false].map((isLevel) => Object.entries(bots).filter(([name]) => name.startsWith("level:") === isLevel));
      const group = (label, rows) => element("optgroup", { label }, ...rows.map(([name, text]) => new Option(text, name)));
      const choice = element("select", { name: "seat" }, new Option("a person", this.options.person), group("Levels", levels), group("Other bots", others));
      choice.value = seat ? this.defaultBot() : this.options.person;
      return element("label", {}, `Seat ${seat + 1} `, choice);
    });
    byId("rival").textContent = n > 1 ? `against ${bots[this.defaultBot()]}` : "";
    byId("seats").replaceChildren(...rows);
    for (const { name, seats } of options) {
      const field = byId("more").querySelector(`[name=${name}]`);
      field.disabled = Boolean(seats) && !seats.includes(n);
      field.closest("label").hidden = field.disabled;
    }
  }

  option({ name, meaning, choices, default: value }) {
    let field;
    if (choices.length) {
      field = element("select", { name }, ...choices.map((choice) => new Option(choice.replaceAll("_", " "), choice)));
      field.value = value;
    } else if (typeof value === "boolean") {
      field = element("input", { name, type: "checkbox" });
      field.checked = value;
    } else {
      field = element("input", { name, inputmode: "numeric", pattern: "[0-9]*", size: 4, placeholder: "none" });
    }
    return element("label", {}, `${capitalize((LABELS[name] || name).replaceAll("_", " "))} `, field, ...meaning ? [element("small", {}, meaning)] : []);
  }

  seats() { return [...document.querySelectorAll("#seats select")].map((choice) => choice.value); }

  // Starts a game with the default seats and options.
  quick() {
    const { game, ruleset, title, default_players: n } = this.selected();
    const seats = [this.options.person, ...Array(n - 1).fill(this.defaultBot())];
    return this.create("/api/tables", { game, options: { ruleset, num_players: n }, seats, seed: null }, title);
  }

  async begin() {
    const { game, ruleset } = this.selected();
    const options = { ruleset, num_players: Number(byId("players").value) };
    for (const field of byId("more").querySelectorAll("input:enabled, select:enabled")) {
      if (field.type === "checkbox") { if (field.checked !== field.defaultChecked) options[field.name] = field.checked; }
      else if (field.inputMode === "numeric") { if (field.value) options[field.name] = Number(field.value); }
      else options[field.name] = field.value;
    }
    const seed = byId("seed").value, campaign = Boolean(options.campaign);
    delete options.campaign;
    await this.create("/api/tables", { game, options, campaign, seats: this.seats(), seed: seed ? Number(seed) : null }, campaign ? "campaign" : this.selected().title);
  }

  async load() {
    const [file] = byId("file").files;
    if (!file) return;
    let log;
    try { log = JSON.parse(await file.text()); } catch { notify(`${file.name} is not a game log`, true); return; }
    await this.create("/api/logs", { log, seats: this.seats() }, file.name);
    byId("file").value = "";
  }

  async create(address, body, title) {
    this.turn = null;
    this.enable(false);
    notify("Setting up the table …");
    try {
      const { id } = await ask(address, body);
      remember(id, title);
      this.open(id);
    } catch (error) { notify(error.message, true); }
    this.enable(true);
  }
}
