// The drawing of a table: what can be chosen on it is chosen there, and what it has no room for is told.
import { byId, element, tell } from "./common.js";

const TOKENS = "[data-token]:not([data-card=hidden], [data-at=home], [data-token=pile])";
const keyOf = (token) => Object.values(token.dataset).join();
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const ASIDE = 3; // how much farther away something seems that does not lie straight ahead

export class Drawing {
  // choose: called with the actions of the place that was clicked.
  constructor(choose) {
    this.choose = choose;
    this.box = byId("drawing");
    this.box.addEventListener("click", ({ target }) => this.look(target.closest("g:has(> title)")));
    this.box.addEventListener("keydown", (event) => this.walk(event));
    byId("none").addEventListener("click", () => byId("several").close());
  }

  // svg: the server's own; what it holds of others' words is escaped there.
  // before: tokens of an earlier drawing; those that are not among them are marked.
  show(svg, classes, before) {
    this.box.innerHTML = svg;
    this.box.className = classes;
    this.box.tabIndex = svg ? 0 : -1;
    this.box.querySelector("svg")?.setAttribute("role", "group"); // children of an image cannot be buttons
    if (before) this.markNew(new Map(before));
  }

  // How often each token is on the drawing, by its data; hidden cards and workers at home say nothing new.
  tokens() {
    const counts = new Map();
    for (const token of this.box.querySelectorAll(TOKENS)) counts.set(keyOf(token), (counts.get(keyOf(token)) ?? 0) + 1);
    return counts;
  }

  markNew(before) {
    for (const token of this.box.querySelectorAll(TOKENS)) {
      const left = before.get(keyOf(token)) ?? 0;
      before.set(keyOf(token), left - 1);
      if (left > 0) continue;
      const { x, y, width, height } = token.getBBox(), ring = document.createElementNS(token.namespaceURI, "rect");
      const facts = { class: "new-token", x: x - 2, y: y - 2, width: width + 4, height: height + 4, rx: token.dataset.token === "worker" ? width : 5 };
      for (const [key, value] of Object.entries(facts)) ring.setAttribute(key, value);
      token.append(ring);
    }
  }

  // What can be chosen answers to the pointer and to the keyboard.
  light(choices) {
    const words = new Map(choices.map(({ action, name }) => [action, name]));
    for (const group of this.box.querySelectorAll("[data-actions]")) {
      const actions = group.dataset.actions.split(" ").map(Number).filter((action) => words.has(action));
      if (!actions.length) continue;
      group.classList.add("live");
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", actions.map((action) => words.get(action)).join(" or "));
      group.addEventListener("click", (event) => { event.stopPropagation(); this.choose(actions); });
      group.addEventListener("keydown", (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        event.stopPropagation();
        if (!event.repeat) this.choose(actions);
      });
    }
  }

  point(action, is) {
    for (const group of this.box.querySelectorAll("[data-actions]")) {
      if (group.dataset.actions.split(" ").includes(String(action))) group.classList.toggle("pointed", is);
    }
  }

  // choices: pairs of words and what they do.
  ask(question, choices) {
    byId("several").querySelector("p").textContent = question;
    byId("ways").replaceChildren(...choices.map(([words, act]) => {
      const button = element("button", {}, words);
      button.addEventListener("click", () => { byId("several").close(); act(); });
      return button;
    }));
    byId("several").showModal();
  }

  // What lies there, whole, whether or not it can be chosen.
  look(group) {
    this.box.querySelector(".looked")?.classList.remove("looked");
    group?.classList.add("looked");
    group?.scrollIntoView({ block: "nearest" });
    if (group) tell(group.querySelector(":scope > title").textContent);
  }

  // Arrows lead from one thing to the next in their direction; Enter chooses it, where it can be chosen.
  walk(event) {
    const way = ARROWS[event.key], at = this.box.querySelector(".looked");
    if (event.key === "Enter" && !event.repeat && event.target === this.box && at) at.closest(".live")?.dispatchEvent(new Event("click"));
    if (!way || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const middle = (group) => {
      const { x, y, width, height } = group.getBoundingClientRect();
      return [x + width / 2, y + height / 2];
    };
    const all = [...this.box.querySelectorAll("g:has(> title)")];
    if (!at) { this.look(all[0]); return; }
    const here = middle(at), [across, down] = way;
    const far = (group) => {
      const [dx, dy] = middle(group).map((own, i) => own - here[i]);
      const ahead = dx * across + dy * down;
      return ahead > 1 ? ahead + ASIDE * Math.abs(dx * down + dy * across) : Infinity;
    };
    const next = all.map((group) => [far(group), group]).reduce((a, b) => (b[0] < a[0] ? b : a));
    if (next[0] < Infinity) this.look(next[1]);
  }
}
