// The result of a game: ranks, points by source and by round, their curve, and buttons for the next game.
import { ask, byId, element, notify } from "./common.js";
import { file } from "./transport.js";

// Inserts the token of a seat, drawn by the server, into an element.
function withToken(node, token) {
  node.insertAdjacentHTML("afterbegin", token);
  return node;
}

function table(heading, rows, seats, tokens) {
  const cells = (tag, values) => values.map((value) => element(tag, {}, value));
  const body = rows.map(([name, points]) => element("tr", {}, element("th", { scope: "row" }, name), ...cells("td", points.map(String))));
  const head = element("tr", {}, element("th", { scope: "col" }, heading), ...seats.map(({ name, seat }) => (
    withToken(element("th", { scope: "col", title: name }, element("span", { class: "unseen" }, name)), tokens[seat]))));
  return element("table", {}, element("thead", {}, head), element("tbody", {}, ...body));
}

// id: of the table. open: shows the table with an id.
export function showResult({ result, campaign, tokens }, id, open) {
  byId("result").hidden = !result;
  if (!result) return;
  const rows = [...result.seats].sort((a, b) => a.rank - b.rank);
  const list = rows.some(({ rank }) => rank) ? "ol" : "ul";
  const button = (label, title, path, body) => {
    const node = element("button", path === "next" ? { id: "next", class: "main" } : { title }, label);
    node.addEventListener("click", async () => {
      try { open((await ask(`/api/tables/${id}/${path}`, body)).id); } catch (error) { notify(error.message, true); }
    });
    return node;
  };
  const buttons = campaign ? [] : [button("Play again", "The same seats and the same deal", "again", { is_new_deal: false })];
  if (!campaign && result.can_deal) buttons.unshift(button("Same table, new deal", "The same seats and options", "again", { is_new_deal: true }));
  if (campaign?.has_next) buttons.push(button("Next game of the campaign", "", "next", {}));
  const ranks = element("div", {},
    element("p", {}, result.level ? `${result.text} ${result.level}` : result.text),
    element(list, {}, ...rows.map(({ seat, name, points, rank }) => {
      const unit = points === 1 ? result.scored_in.replace(/s$/, "") : result.scored_in;
      return withToken(element("li", rank ? { value: rank } : {}, ` ${name}: ${points} ${unit}`), tokens[seat]);
    })),
    ...campaign ? [element("p", {}, campaign.text)] : [],
    element("p", { class: "buttons" }, ...buttons),
    element("p", {}, file(`/api/tables/${id}/page`, "game.html", "Share replay"), " · ", file(`/api/tables/${id}/log`, "game.json", "Save the log")),
  );
  byId("result").replaceChildren(ranks, table("By source", result.sources, result.seats, tokens), table("By round", result.rounds, result.seats, tokens));
  byId("result").insertAdjacentHTML("beforeend", result.chart); // drawn by the server
}

// Shows luck and decisions of a finished game. showPosition: shows the position after a number of moves.
let reviewKey = "";
export async function showReview({ result, viewer, tokens }, id, showPosition) {
  const key = result ? `${id} ${viewer}` : "";
  byId("review").hidden = !result;
  if (key === reviewKey) return;
  reviewKey = key;
  byId("review").replaceChildren(element("p", {}, "Reviewing luck and decisions …"));
  if (!result) return;
  try {
    const { level, luck, lists } = await ask(`/api/tables/${id}/review?${new URLSearchParams({ viewer })}`);
    if (key !== reviewKey) return;
    byId("review").replaceChildren(...level ? [element("p", {}, level)] : [], luck.text ? element("p", {}, luck.text) : table("Chance of winning, %", luck.rows, result.seats, tokens));
    byId("review").insertAdjacentHTML("beforeend", luck.chart ?? ""); // drawn by the server
    byId("review").append(...lists.map(({ title, rows }) => element("div", { class: "list" }, element("p", {}, title), element("ol", {}, ...rows.map(({ at, text }) => {
      const line = element("button", {}, text);
      line.addEventListener("click", () => showPosition(at));
      return element("li", {}, line);
    })))));
  } catch (error) { if (key === reviewKey) byId("review").replaceChildren(element("p", {}, error.message)); }
}
