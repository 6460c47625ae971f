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

const compiling = async () => (await request("/api/compiling")).told;
export const seconds = (n) => new Promise((done) => setTimeout(done, 1000 * n));

// How far a compilation is, in words and as a bar. share: of the functions, null where that cannot be said.
export function showProgress(told, share) {
  const bar = byId("progress");
  if (told === null && !bar.hidden) tell("");
  bar.hidden = told === null;
  if (told === null) return;
  if (share === null || share === undefined) bar.removeAttribute("value"); else bar.value = share;
  tell(told);
}

// What is asked may have to be compiled first, once: then it is told how far that is, unless whoever asks sees to it.
export async function ask(where, what, isTold = false) {
  let isAnswered = false;
  const watch = isTold ? null : setInterval(async () => {
    const { told } = await compiling().catch(() => ({}));
    if (told && !isAnswered) tell(`${told} …`);
  }, 1500);
  try {
    const { ok, status, told } = await request(where, what);
    if (!ok) throw Object.assign(new Error(told.error || `the server refused (${status})`), { status });
    return told;
  } finally { isAnswered = true; clearInterval(watch); }
}
