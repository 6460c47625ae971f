// How the page asks where there is no server: a worker answers.

export const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
const waiting = new Map();
let last = 0;
worker.addEventListener("message", ({ data: { number, status, told } }) => {
  waiting.get(number)?.({ ok: status < 400, status, told });
  waiting.delete(number);
});

export const request = (where, what) => new Promise((done) => {
  last += 1;
  waiting.set(last, done);
  worker.postMessage({ number: last, where, what });
});

// A file to be saved.
export function file(where, name, words) {
  const button = document.createElement("button");
  button.textContent = words;
  button.addEventListener("click", async () => {
    button.disabled = true; // a replay takes a while
    const { told } = await request(where);
    button.disabled = false;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([told]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  });
  return button;
}

if ("serviceWorker" in navigator) navigator.serviceWorker.register(new URL("../offline.js", import.meta.url)).catch(() => {});
