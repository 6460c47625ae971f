// The list of choices: at most nine buttons at a time; sets are chosen by marking their elements.
import { byId, element } from "./common.js";

const MAX_BUTTONS = 9;

// The kind of worker in a choice that belongs to a group: "grande" in "grande, bonus".
const kindOf = ({ group, title }) => group && title.split(/,| \(/)[0];
const isSame = (list, key) => list.every((choice) => choice[key] === list[0][key]);

// Returns the common first words of all names; at least the last word of each remains.
function commonStart(list) {
  const words = list.map((choice) => choice.name.split(" "));
  let n = 0;
  while (words.every((row) => row.length > n + 1 && row[n] === words[0][n])) n += 1;
  return words[0].slice(0, n).join(" ");
}

// Groups choices into buttons, by their group or by the first word in which they differ; grave ones stay alone.
function entriesOf(all) {
  const grave = all.filter((choice) => choice.is_grave), choices = all.filter((choice) => !choice.is_grave);
  return [...groupsOf(choices), ...grave.map((choice) => [choice])];
}

function groupsOf(choices) {
  if (choices.length <= MAX_BUTTONS) return choices.map((choice) => [choice]);
  const start = commonStart(choices), lists = new Map();
  for (const choice of choices) {
    const name = choice.group || choice.name.slice(start.length).trim().split(" ")[0];
    lists.set(name, [...lists.get(name) ?? [], choice]);
  }
  if (lists.size > 1 && lists.size <= MAX_BUTTONS) return [...lists.values()];
  return [...choices.slice(0, MAX_BUTTONS - 1).map((choice) => [choice]), choices.slice(MAX_BUTTONS - 1)];
}

export class Choices {
  // choose: called with an action or the actions of a set. confirm: asks again about a grave choice. point: marks an
  // action on the board. mark: marks the picked ones. settle, isSettling: ignore clicks and keys that were meant for the
  // last question.
  constructor(actions) {
    Object.assign(this, actions, { all: [], picks: 0 });
  }

  show(choices, picks) {
    Object.assign(this, { all: choices, picks, picked: [], opened: [] });
    this.kinds = [...new Set(choices.map(kindOf).filter(Boolean))];
    this.kind = this.kinds.findLast((kind) => kind.includes("worker")) ?? this.kinds[0];
    this.render();
  }

  // Whether a choice is for the selected kind of worker; any kind counts if that one cannot be placed there.
  isOfKind(choice) {
    const kind = kindOf(choice);
    return !kind || kind === this.kind || !this.all.some((other) => other.group === choice.group && kindOf(other) === this.kind);
  }

  render() {
    const { all, kinds, picks } = this, list = this.opened.at(-1);
    byId("kinds").replaceChildren(...kinds.length < 2 || list ? [] : kinds.map((kind) => {
      const button = element("button", { "aria-pressed": kind === this.kind }, kind);
      button.addEventListener("click", () => this.setKind(kind));
      return button;
    }));
    const shown = list ?? all.filter((choice) => this.isOfKind(choice));
    const entries = picks ? shown.map((choice) => [choice]) : entriesOf(shown);
    byId("opened").textContent = list ? `${this.nameOf(list)} …` : "";
    byId("choices").replaceChildren(...entries.map((entry, i) => element("li", {}, this.button(entry, i, list))));
    const footer = picks && all.length ? element("button", { id: "confirm", class: "main" })
      : list ? element("button", { id: "up" }, "Cancel") : null;
    if (!footer) return;
    footer.addEventListener("click", () => (picks ? this.choose(this.picked.map((i) => all[i].action)) : this.close()));
    byId("choices").append(element("li", {}, footer));
    if (picks) this.showPicked();
  }

  nameOf(list) { return isSame(list, "group") && list[0].group ? list[0].group : commonStart(list) || "More"; }

  button(entry, i, list) {
    const [choice] = entry, isOne = entry.length === 1;
    const isGrave = isOne && choice.is_grave && this.all.length > 1;
    const label = !isOne ? `${this.nameOf(entry)} (${entry.length})` : list && isSame(list, "group") && choice.group ? choice.title : choice.name;
    const text = isSame(entry, "text") ? choice.text : "";
    const button = element("button", { class: isGrave ? "grave" : "" });
    if (isOne) button.dataset.action = choice.action;
    if (this.picks) button.setAttribute("aria-pressed", "false");
    if (i < MAX_BUTTONS && !isGrave) {
      button.append(element("kbd", { "aria-hidden": "true" }, String(i + 1)));
      button.setAttribute("aria-keyshortcuts", String(i + 1));
    }
    button.append(label);
    if (text) button.append(" ", element("small", {}, text));
    button.addEventListener("click", () => (isOne ? this.press(this.all.indexOf(choice)) : this.open(entry)));
    for (const [event, isPointed] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
      button.addEventListener(event, () => entry.forEach(({ action }) => this.point(action, isPointed)));
    }
    return button;
  }

  setKind(kind) {
    this.kind = kind;
    this.render();
    byId("kinds").querySelector("[aria-pressed=true]")?.focus();
  }

  nextKind() { if (byId("kinds").childElementCount) this.setKind(this.kinds[(this.kinds.indexOf(this.kind) + 1) % this.kinds.length]); }

  open(list) {
    if (this.isSettling()) return;
    this.opened.push(list);
    this.render();
    this.settle();
    byId("choices").querySelector("button:not(.grave)").focus({ preventScroll: true });
  }

  close() {
    this.opened.pop();
    this.render();
    byId("choices").querySelector("button:not(.grave)").focus({ preventScroll: true });
  }

  // Shows and returns the button of an action.
  reveal(action) {
    const choice = this.all.find((item) => item.action === action);
    if (!this.isOfKind(choice)) this.kind = kindOf(choice);
    this.opened = [];
    for (let list = this.all.filter((item) => this.isOfKind(item)); !this.picks;) {
      list = entriesOf(list).find((entry) => entry.includes(choice));
      if (list.length === 1) break;
      this.opened.push(list);
    }
    this.render();
    return byId("choices").querySelector(`[data-action="${action}"]`);
  }

  // Returns the choices of a place on the board, for the selected kind of worker if possible.
  at(actions) {
    const choices = this.all.filter((choice) => actions.includes(choice.action));
    const fitting = choices.filter((choice) => this.isOfKind(choice));
    return fitting.length ? fitting : choices;
  }

  // Presses the choice of an action; of equal cards, one that is not picked yet.
  pick(action) {
    const indices = this.all.map((_, i) => i).filter((i) => this.all[i].action === action);
    this.press(indices.find((i) => !this.picked.includes(i)) ?? indices[0]);
  }

  press(i) {
    if (this.isSettling()) return;
    const { all, picks } = this;
    if (picks) {
      if (this.picked.includes(i)) this.picked = this.picked.filter((index) => index !== i);
      else if (this.picked.length < picks) this.picked.push(i);
      this.showPicked();
    } else if (all[i].is_grave && all.length > 1) this.confirm(all[i]);
    else this.choose(all[i].action);
  }

  showPicked() {
    byId("choices").querySelectorAll("[aria-pressed]").forEach((button, i) => button.setAttribute("aria-pressed", this.picked.includes(i)));
    byId("confirm").textContent = `Confirm (${this.picked.length} of ${this.picks})`;
    byId("confirm").disabled = this.picked.length !== this.picks;
    this.mark(this.picked.map((i) => this.all[i].action));
    byId("confirm").focus(); // no effect while it is disabled
  }
}
