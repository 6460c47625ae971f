// Requests of the static page, answered by a worker.

export const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const pending = new Map();
let last = 0;
worker.addEventListener("message", ({ data: { number, status, body } }) => {
  pending.get(number)?.({ ok: status < 400, status, body });
  pending.delete(number);
});

export const request = (address, body) => new Promise((resolve) => {
  last += 1;
  pending.set(last, resolve);
  worker.postMessage({ number: last, address, body });
});

// Returns a button that saves a file.
export function file(address, name, title) {
  const button = document.createElement("button");
  button.textContent = title;
  button.addEventListener("click", async () => {
    button.disabled = true; // a replay takes a while
    const { body } = await request(address);
    button.disabled = false;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([body]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  return button;
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
