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

export async function ask(where, what) {
  const sent = what === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) };
  let answer;
  try { answer = await fetch(where, sent); } catch { throw new Error("the server does not answer; is it still running?"); }
  const told = await answer.json().catch(() => ({ error: `the server refused (${answer.status})` }));
  if (!answer.ok) throw Object.assign(new Error(told.error || `the server refused (${answer.status})`), { status: answer.status });
  return told;
}
