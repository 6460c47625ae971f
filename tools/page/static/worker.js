// The page's Python and its engine, off the page: it answers the addresses that the server of `vitienv play --web` does.
import { loadPyodide } from "../pyodide/pyodide.mjs";
import { load, open, search, searcher, heuristic } from "../engine.mjs";

// Games at once: what a choice shows is looked at in so many deals. Chances are a search of so many games side by side,
// whose tree has this room.
const DEALS = 64, ROOM = { nodes: 1024, edges: 131072 };
const root = new URL("../", import.meta.url);
const engines = {}, games = {};

// A game's engines: for one game, for many, one for each network, and those of searches.
async function engineFor(game) {
  const address = new URL(`${game}/${game}`, root).href;
  const own = { one: wrapped(await open(address, 1)), many: wrapped(await open(address, DEALS, ROOM)), networks: {}, searchers: {} };
  const { bots, levels, networks } = own.one.engine.about;
  for (const name of Object.keys(networks)) {
    const engine = await open(address, 1);
    own.networks[name] = { engine, asked: await load(engine, name) };
  }
  for (const table of Object.keys(bots).filter((one) => bots[one].network)) {
    for (const { bot, simulations, ...level } of levels) {
      if (bot === "ismcts") own.searchers[`${table} ${simulations}`] = () => searcher(address, table, { simulations, ...level });
    }
  }
  return own;
}

function wrapped(engine) {
  return {
    engine,
    view(name, bytes) {
      const array = engine.arrays[`search.${name}`] ?? engine.arrays[name];
      if (array?.byteLength < bytes) throw new RangeError(`no room for ${bytes} bytes of ${name}`);
      return array && new Uint8Array(array.buffer, array.byteOffset, bytes);
    },
    call: (entry, names, values) => engine.call(entry, Object.fromEntries([...names].map((name, i) => [name, values.get(i)]))) ?? 0,
  };
}

// How far a search is, a few times a second.
let lately = 0;
function say(thinking) {
  if (thinking && performance.now() - lately < 200) return;
  lately = performance.now();
  postMessage({ thinking });
}

const fill = (array, bytes) => new Uint8Array(array.buffer, array.byteOffset, bytes.length).set(bytes);

const forPython = {
  of: (game, n) => (n === 1 ? engines[game].one : engines[game].many),
  known: (game, names) => [...names].find((name) => name in engines[game].one.engine.about.bots),
  choice(game, seen, legal) {
    const { engine } = engines[game].one;
    fill(engine.arrays.obs, seen.toJs());
    fill(engine.arrays.masks, legal.toJs());
    heuristic(engine);
    return Number(engine.arrays.actions[0]);
  },
  network(game, name) {
    const { engine: { about, arrays, call }, asked } = engines[game].networks[name];
    return {
      margin: about.networks[name].margin,
      evaluate(seen, legal) { // one row after the other
        const observations = new Int16Array(seen.toJs().slice().buffer), masks = new Int8Array(legal.toJs().slice().buffer);
        const wide = arrays.obs.length, n = observations.length / wide, actions = arrays.masks.length;
        const logits = new Float32Array(n * actions), values = new Float32Array(n);
        for (let i = 0; i < n; i++) {
          arrays.obs.set(observations.subarray(i * wide, (i + 1) * wide));
          arrays.masks.set(masks.subarray(i * actions, (i + 1) * actions));
          if (asked.prior_width) call("compute_prior_scores");
          call("evaluate", asked);
          logits.set(arrays.logits, i * actions);
          values[i] = arrays.values[0];
        }
        return { logits, values };
      },
    };
  },
  search(game, table, simulations, record, ...words) {
    const bytes = record.toJs(), slices = search(engines[game].searchers[`${table} ${simulations}`], bytes, Uint32Array.from(words));
    let slice;
    while (!(slice = slices.next()).done) say(`${slice.value.done} of ${slice.value.of} simulations`);
    say("");
    return slice.value[0].action;
  },
};

async function start() {
  const [python, sources, options] = await Promise.all([
    loadPyodide({ indexURL: new URL("pyodide/", root).href }),
    fetch(new URL("python.zip", root)).then((answer) => answer.arrayBuffer()),
    fetch(new URL("options.json", root)).then((answer) => answer.json()),
  ]);
  python.FS.mkdirTree("/page");
  python.unpackArchive(sources, "zip", { extractDir: "/page" });
  python.registerJsModule("page_engine", forPython);
  const names = [...new Set(Object.values(options.rulesets).map(({ game }) => game))];
  python.globals.set("names", python.toPy(names));
  const service = python.runPython(`
import sys
sys.path.insert(0, "/page")
import page_engine
from vitienv.core import targets
from tools.page.entries import Entries
targets.use(Entries(page_engine))
from tools.page.service import Service
Service(page_engine, names)`);
  return { service, options };
}

const started = start();

async function prepare(game) {
  const { service } = await started;
  games[game] ??= (async () => {
    engines[game] = await engineFor(game);
    service.prepare(game);
  })();
  await games[game];
}

// Searches have memory of their own, laid out before they are asked.
async function searchersFor(game, keys) {
  const own = engines[game].searchers;
  for (const key of keys) if (typeof own[key] === "function") own[key] = await own[key]();
}

// Tables are kept in the browser's storage, each under its id.
const opened = new Promise((done, failed) => {
  const asked = indexedDB.open("vitienv", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("tables");
  asked.onsuccess = () => done(asked.result);
  asked.onerror = () => failed(asked.error);
});
const store = async (mode, what) => {
  const asked = what((await opened).transaction("tables", mode).objectStore("tables"));
  return new Promise((done, failed) => { asked.onsuccess = () => done(asked.result); asked.onerror = () => failed(asked.error); });
};

async function answer(where, what) {
  const { service, options } = await started, path = where.split("?")[0];
  if (path === "/api/options") return { status: 200, told: options };
  if (path === "/api/compiling") return { status: 200, told: { told: "", share: null } };
  if (path === "/api/prepare") { await prepare(what.game); return { status: 200, told: { is_ready: true, told: "", share: null } }; }
  const id = path.split("/")[3];
  if (id && !service.has(id)) {
    const kept = await store("readonly", (all) => all.get(id));
    if (kept === undefined) return { status: 404, told: { error: "there is no such table" } };
    await prepare(JSON.parse(kept).log.game);
    service.take_up(id, kept);
  }
  if (id) await searchersFor(service.game_of(id), service.searches(id, where).toJs());
  const game = path === "/api/tables" ? what.game : path === "/api/logs" ? what.log?.game : null;
  if (game && Object.values(options.rulesets).some((own) => own.game === game)) await prepare(game);
  const found = JSON.parse(service.answer(where, what === undefined ? "" : JSON.stringify(what)));
  const changed = found.told.id ?? (what === undefined || found.status >= 400 ? null : id);
  if (changed) await store("readwrite", (all) => (service.has(changed) ? all.put(service.kept(changed), changed) : all.delete(changed)));
  return found;
}

let last = Promise.resolve(); // one request after the other
addEventListener("message", ({ data: { number, where, what } }) => {
  last = last.then(async () => {
    let found;
    try { found = await answer(where, what); } catch (error) { console.error(error); found = { status: 500, told: { error: `the page failed: ${String(error.message ?? error).trim().split("\n").pop()}` } }; }
    postMessage({ number, ...found });
  });
});
