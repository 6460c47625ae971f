// The list of choices: at most nine buttons at a time, and of a set that is asked for, those that are marked.
import { byId, element } from "./common.js";

const MANY = 9;

// The kind of worker in a choice that belongs to a group: "grande" in "grande, bonus".
const kindOf = ({ group, title }) => group && title.split(/,| \(/)[0];
const isSame = (list, key) => list.every((choice) => choice[key] === list[0][key]);

// The words with which all begin; at least the last word of each remains.
function commonStart(list) {
  const words = list.map((choice) => choice.name.split(" "));
  let n = 0;
  while (words.every((row) => row.length > n + 1 && row[n] === words[0][n])) n += 1;
  return words[0].slice(0, n).join(" ");
}

// Lists of choices, one for each button: those of a group share one, or those whose words differ late.
function entriesOf(choices) {
  if (choices.length <= MANY) return choices.map((choice) => [choice]);
  const start = commonStart(choices), lists = new Map();
  for (const choice of choices) {
    const name = choice.group || choice.name.slice(start.length).trim().split(" ")[0];
    lists.set(name, [...lists.get(name) ?? [], choice]);
  }
  if (lists.size > 1 && lists.size <= MANY) return [...lists.values()];
  return [...choices.slice(0, MANY - 1).map((choice) => [choice]), choices.slice(MANY - 1)];
}

export class Choices {
  // choose: called with an action or the actions of a set. confirm: asks again about a grave choice. point: marks an
  // action on the board. settle, isSettling: clicks and keys meant for the last question are ignored.
  constructor(actions) {
    Object.assign(this, actions, { all: [], picks: 0 });
  }

  show(choices, picks) {
    Object.assign(this, { all: choices, picks, picked: [], opened: [] });
    this.kinds = [...new Set(choices.map(kindOf).filter(Boolean))];
    this.kind = this.kinds.find((kind) => kind.includes("worker")) ?? this.kinds[0];
    this.render();
  }

  // Whether a choice is of the kind of worker that is placed; where that kind cannot go, any can.
  isOfKind(choice) {
    const kind = kindOf(choice);
    return !kind || kind === this.kind || !this.all.some((one) => one.group === choice.group && kindOf(one) === this.kind);
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
    const last = picks && all.length ? element("button", { id: "confirm", class: "main" })
      : list ? element("button", { id: "up" }, "Cancel") : null;
    if (!last) return;
    last.addEventListener("click", () => (picks ? this.choose(this.picked.map((i) => all[i].action)) : this.close()));
    byId("choices").append(element("li", {}, last));
    if (picks) this.showPicked();
  }

  nameOf(list) { return isSame(list, "group") && list[0].group ? list[0].group : commonStart(list) || "More"; }

  button(entry, i, list) {
    const [choice] = entry, isOne = entry.length === 1;
    const isGrave = isOne && choice.is_grave && this.all.length > 1;
    const words = !isOne ? `${this.nameOf(entry)} (${entry.length})` : list && isSame(list, "group") && choice.group ? choice.title : choice.name;
    const text = isSame(entry, "text") ? choice.text : "";
    const button = element("button", { class: isGrave ? "grave" : "" });
    if (isOne) button.dataset.action = choice.action;
    if (this.picks) button.setAttribute("aria-pressed", "false");
    if (i < MANY && !isGrave) {
      button.append(element("kbd", { "aria-hidden": "true" }, String(i + 1)));
      button.setAttribute("aria-keyshortcuts", String(i + 1));
    }
    button.append(words);
    if (text) button.append(" ", element("small", {}, text));
    button.addEventListener("click", () => (isOne ? this.press(this.all.indexOf(choice)) : this.open(entry)));
    for (const [event, is] of [["mouseenter", true], ["mouseleave", false], ["focus", true], ["blur", false]]) {
      button.addEventListener(event, () => entry.forEach(({ action }) => this.point(action, is)));
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

  // Shows the button of an action, wherever it is.
  reveal(action) {
    const choice = this.all.find((one) => one.action === action);
    if (!this.isOfKind(choice)) this.kind = kindOf(choice);
    this.opened = [];
    for (let list = this.all.filter((one) => this.isOfKind(one)); !this.picks;) {
      list = entriesOf(list).find((entry) => entry.includes(choice));
      if (list.length === 1) break;
      this.opened.push(list);
    }
    this.render();
    return byId("choices").querySelector(`[data-action="${action}"]`);
  }

  // The choices among the actions of a place on the board: those of the kind of worker, if there are any.
  at(actions) {
    const choices = this.all.filter((choice) => actions.includes(choice.action));
    const fitting = choices.filter((choice) => this.isOfKind(choice));
    return fitting.length ? fitting : choices;
  }

  // A choice by its action, on the board: of equal cards, one that is not picked yet.
  pick(action) {
    const same = this.all.map((_, i) => i).filter((i) => this.all[i].action === action);
    this.press(same.find((i) => !this.picked.includes(i)) ?? same[0]);
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
    byId("confirm").focus({ preventScroll: true }); // none while it is disabled
  }
}
