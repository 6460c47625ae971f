// The drawing of a table: marks and chooses actions on it, and shows the descriptions of its parts.
import { byId, element, notify } from "./common.js";

const TOKENS = "[data-token]:not([data-card=hidden], [data-at=home], [data-token=pile])";
const keyOf = (token) => Object.values(token.dataset).join();
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // weight of the distance across the direction of an arrow

export class Drawing {
  // choose: called with the actions of a clicked place.
  constructor(choose) {
    this.choose = choose;
    this.box = byId("drawing");
    this.box.addEventListener("click", ({ target }) => this.select(target.closest("g:has(> title)")));
    this.box.addEventListener("keydown", (event) => this.navigate(event));
    byId("none").addEventListener("click", () => byId("several").close());
  }

  // svg: comes from the server, which escapes names. before: tokens of an earlier drawing; new ones are marked.
  show(svg, classes, before) {
    this.box.innerHTML = svg;
    this.box.className = classes;
    this.box.tabIndex = svg ? 0 : -1;
    this.box.querySelector("svg")?.setAttribute("role", "group"); // children of an image cannot be buttons
    if (before) this.markNew(new Map(before));
  }

  // Counts the tokens on the drawing by their data, except hidden cards and workers at home.
  tokens() {
    const counts = new Map();
    for (const token of this.box.querySelectorAll(TOKENS)) counts.set(keyOf(token), (counts.get(keyOf(token)) ?? 0) + 1);
    return counts;
  }

  markNew(before) {
    for (const token of this.box.querySelectorAll(TOKENS)) {
      const count = before.get(keyOf(token)) ?? 0;
      before.set(keyOf(token), count - 1);
      if (count > 0) continue;
      const { x, y, width, height } = token.getBBox(), ring = document.createElementNS(token.namespaceURI, "rect");
      const attributes = { class: "new-token", x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: token.dataset.token === "worker" ? width : 5 };
      for (const [key, value] of Object.entries(attributes)) ring.setAttribute(key, value);
      token.append(ring);
    }
  }

  // Makes the places of legal actions respond to the pointer and the keyboard.
  highlight(choices) {
    const names = new Map(choices.map(({ action, name }) => [action, name]));
    for (const group of this.box.querySelectorAll("[data-actions]")) {
      const actions = group.dataset.actions.split(" ").map(Number).filter((action) => names.has(action));
      if (!actions.length) continue;
      group.classList.add("live");
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", actions.map((action) => names.get(action)).join(" or "));
      group.addEventListener("click", (event) => { event.stopPropagation(); this.choose(actions); });
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) this.choose(actions);
      });
    }
  }

  point(action, isPointed) {
    for (const group of this.box.querySelectorAll("[data-actions]")) {
      if (group.dataset.actions.split(" ").includes(String(action))) group.classList.toggle("pointed", isPointed);
    }
  }

  // Marks the picked elements of a set, of equal cards as many as were picked.
  markPicked(actions) {
    const left = actions.map(String);
    for (const group of this.box.querySelectorAll(".live")) {
      const i = left.indexOf(group.dataset.actions);
      group.classList.toggle("picked", i >= 0);
      if (i >= 0) left.splice(i, 1);
    }
  }

  // choices: pairs of a label and a function.
  ask(question, choices) {
    byId("several").querySelector("p").textContent = question;
    byId("ways").replaceChildren(...choices.map(([label, act]) => {
      const button = element("button", {}, label);
      button.addEventListener("click", () => { byId("several").close(); act(); });
      return button;
    }));
    byId("several").showModal();
  }

  // Selects a part of the drawing and shows its description.
  select(group) {
    this.box.querySelector(".selected")?.classList.remove("selected");
    group?.classList.add("selected");
    group?.scrollIntoView({ block: "nearest" });
    if (group) notify(group.querySelector(":scope > title").textContent);
  }

  // Arrows select the next part in their direction; Enter chooses its action.
  navigate(event) {
    const direction = ARROWS[event.key], selected = this.box.querySelector(".selected");
    if (event.key === "Enter" && !event.repeat && event.target === this.box && selected) selected.closest(".live")?.dispatchEvent(new Event("click"));
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const center = (group) => {
      const { x, y, width, height } = group.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const all = [...this.box.querySelectorAll("g:has(> title)")];
    if (!selected) { this.select(all[0]); return; }
    const origin = center(selected), [right, down] = direction;
    const distance = (group) => {
      const [dx, dy] = center(group).map((coordinate, i) => coordinate - origin[i]);
      const ahead = dx * right + dy * down;
      return ahead > 1 ? ahead + ASIDE * Math.abs(dx * down + dy * right) : Infinity;
    };
    const next = all.map((group) => [distance(group), group]).reduce((a, b) => (b[0] < a[0] ? b : a));
    if (next[0] < Infinity) this.select(next[1]);
  }
}
