// Requests to the server. The static page replaces this file.

export async function request(address, body) {
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let response;
  try { response = await fetch(address, options); } catch { throw new Error("the server does not respond; check that it is running"); }
  const answer = await response.json().catch(() => ({ error: `the server rejected the request (${response.status})` }));
  return { ok: response.ok, status: response.status, body: answer };
}

// Returns a link that saves a file.
export function file(address, name, title) {
  const link = document.createElement("a");
  Object.assign(link, { href: address, download: name, textContent: title });
  return link;
}
