// How the page asks: here of its server. The page without a server has another form of this file.

export async function request(where, what) {
  const sent = what === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(what) };
  let answer;
  try { answer = await fetch(where, sent); } catch { throw new Error("the server does not answer; is it still running?"); }
  const body = await answer.json().catch(() => ({ error: `the server refused (${answer.status})` }));
  return { ok: answer.ok, status: answer.status, body };
}

// A file to be saved.
export function file(where, name, words) {
  const link = document.createElement("a");
  Object.assign(link, { href: where, download: name, textContent: words });
  return link;
}
