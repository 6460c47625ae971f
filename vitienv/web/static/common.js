// What the scripts of the page share.
import { request } from "./transport.js";

export const byId = (id) => document.getElementById(id);
export function element(name, facts, ...inside) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  made.append(...inside);
  return made;
}

export function tell(words, isWrong = false) {
  byId("notice").textContent = words;
  byId("notice").className = isWrong ? "wrong" : "";
}

const compiling = async () => (await request("/api/compiling")).body;
export const seconds = (n) => new Promise((done) => setTimeout(done, 1000 * n));

// How far a compilation is, in words and as a bar. share: of the functions, null where that cannot be said.
export function showProgress(text, share) {
  const bar = byId("progress");
  if (text === null && !bar.hidden) tell("");
  bar.hidden = text === null;
  if (text === null) return;
  if (share === null || share === undefined) bar.removeAttribute("value"); else bar.value = share;
  tell(text);
}

// What is asked may have to be compiled first, once: then the page shows its progress, unless the caller does.
export async function ask(where, what, isTold = false) {
  let isAnswered = false;
  const watch = isTold ? null : setInterval(async () => {
    const { status } = await compiling().catch(() => ({}));
    if (status && !isAnswered) tell(`${status} …`);
  }, 1500);
  try {
    const { ok, status, body } = await request(where, what);
    if (!ok) throw Object.assign(new Error(body.error || `the server refused (${status})`), { status });
    return body;
  } finally { isAnswered = true; clearInterval(watch); }
}
