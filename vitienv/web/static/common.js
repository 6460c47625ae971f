// Helpers of the scripts of the page.
import { request } from "./transport.js";

export const byId = (id) => document.getElementById(id);
export function element(name, attributes, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function notify(text, isError = false) {
  byId("notice").textContent = text;
  byId("notice").className = isError ? "error" : "";
}

const compiling = async () => (await request("/api/compiling")).body;
export const seconds = (n) => new Promise((resolve) => setTimeout(resolve, 1000 * n));

// Shows the progress of a compilation as text and as a bar. share: of the functions, null if unknown.
export function showProgress(text, share) {
  const bar = byId("progress");
  if (text === null && !bar.hidden) notify("");
  bar.hidden = text === null;
  if (text === null) return;
  if (share === null || share === undefined) bar.removeAttribute("value"); else bar.value = share;
  notify(text);
}

// Sends a request. While it waits for a compilation, shows the progress, unless the caller does.
export async function ask(address, body, showsProgress = false) {
  let isAnswered = false;
  const watch = showsProgress ? null : setInterval(async () => {
    const { status } = await compiling().catch(() => ({}));
    if (status && !isAnswered) notify(`${status} …`);
  }, 1500);
  try {
    const { ok, status, body: answer } = await request(address, body);
    if (!ok) throw Object.assign(new Error(answer.error || `the server rejected the request (${status})`), { status });
    return answer;
  } finally { isAnswered = true; clearInterval(watch); }
}
