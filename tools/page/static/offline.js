// Keeps the folder, so that the page needs no network after the first visit. The list is put in by `make page`.
const KEPT = "vitienv VERSION", FILES = [/* files */];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)));
});
addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((name) => name !== KEPT && name.startsWith("vitienv ")).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  event.respondWith(caches.open(KEPT).then((kept) => kept.match(event.request)).then((found) => found ?? fetch(event.request)));
});
