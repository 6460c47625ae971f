// Caches the site, so that the page works offline after the first visit. `make page` inserts the list.
const CACHE = "vitienv VERSION", FILES = [/* files */];

addEventListener("install", (event) => {
  skipWaiting();
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)));
});
addEventListener("activate", (event) => {
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== CACHE && name.startsWith("vitienv ")).map((name) => caches.delete(name)))).then(() => clients.claim()));
});
addEventListener("fetch", (event) => {
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request)).then((response) => response ?? fetch(event.request)));
});
