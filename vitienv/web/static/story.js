// The recent moves, a line for each seat since the viewer's last choice, and the history of the game.
import { byId, element } from "./common.js";

export class Story {
  // showPosition: shows the position after a number of moves.
  constructor(showPosition) {
    this.moves = [];
    this.showPosition = showPosition;
  }

  // Adds new moves and removes undone ones.
  update({ moves, events }) { this.moves = [...this.moves.slice(0, moves - events.length), ...events]; }

  clear() {
    Object.assign(this, { moves: [], chosenAt: undefined });
    byId("story").replaceChildren();
  }

  // The moves since the viewer's last choice, including it; for an earlier position, the move that led to it.
  recent({ at, moves, viewer }) {
    if (at < moves) return this.moves.slice(Math.max(0, at - 1), at);
    const last = this.moves.map(({ seat }) => seat).lastIndexOf(viewer);
    return this.moves.slice(this.chosenAt < moves ? this.chosenAt : Math.max(0, last));
  }

  show(view, numNew) {
    const lines = [];
    for (const { seat, text } of this.recent(view)) {
      if (lines.at(-1)?.seat === seat) lines.at(-1).texts.push(text);
      else lines.push({ seat, texts: [text] });
    }
    byId("lately").replaceChildren(...lines.map(({ seat, texts }) => {
      const line = element("li", {}, element("span", {}, texts.join(" ")));
      line.insertAdjacentHTML("afterbegin", view.tokens[seat]); // drawn by the server
      return line;
    }));
    byId("story").replaceChildren(...this.moves.map(({ date, text }, i) => {
      const line = element("li", { value: i + 1 }, `${date}: ${text}`);
      if (i >= this.moves.length - numNew) line.className = "new";
      if (i + 1 === view.at) line.setAttribute("aria-current", "true");
      line.addEventListener("click", () => this.showPosition(i + 1));
      return line;
    }).reverse());
    const current = byId("story").querySelector("[aria-current]");
    if (current) byId("story").scrollTop = current.offsetTop - byId("story").offsetTop - 80;
  }
}
