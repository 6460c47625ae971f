// What the scripts of the page share.

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

const compiling = async () => (await fetch("/api/compiling")).json();
const seconds = (n) => new Promise((done) => setTimeout(done, 1000 * n));

// Until the engine is there. say: is told every second how far it is.
export async function ready(say) {
  for (;;) {
    const { told, is_ready: isReady } = await compiling();
    if (isReady) return;
    say(told);
    await seconds(1);
  }
}

// What is asked may have to be compiled first, once: then it is told how far that is.
export async function ask(where, what) {
  const sent = what === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) };
  let isAnswered = false;
  const watch = setInterval(async () => {
    const { told } = await compiling().catch(() => ({}));
    if (told && !isAnswered) tell(`${told} …`);
  }, 1500);
  try {
    let answer;
    try { answer = await fetch(where, sent); } catch { throw new Error("the server does not answer; is it still running?"); }
    const told = await answer.json().catch(() => ({ error: `the server refused (${answer.status})` }));
    if (!answer.ok) throw Object.assign(new Error(told.error || `the server refused (${answer.status})`), { status: answer.status });
    return told;
  } finally { isAnswered = true; clearInterval(watch); }
}
