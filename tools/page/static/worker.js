// Python and the engine in a worker, with the API of `vitienv play --web`.
import { loadPyodide } from "../pyodide/pyodide.mjs";
import { heuristic, load, open, search, searcher } from "../engine.mjs";

// Determinizations of an analysis, and the capacity of its tree.
const DEALS = 64, CAPACITY = { nodes: 1024, edges: 131072 };
const root = new URL("../", import.meta.url);
const engines = {}, games = {};

// Opens the engines of a game: for one game, for many, for each network, and on demand for searches.
async function engineFor(game) {
  const address = new URL(`${game}/${game}`, root).href;
  const single = wrapped(await open(address, 1)), batch = wrapped(await open(address, DEALS, CAPACITY));
  const engines = { single, batch, networks: {}, searchers: {} }, { bots, levels, networks } = single.engine.manifest;
  for (const name of Object.keys(networks)) {
    const engine = await open(address, 1);
    engines.networks[name] = { engine, parameters: await load(engine, name) };
  }
  for (const table of Object.keys(bots).filter((name) => bots[name].network)) {
    for (const { bot, simulations, ...level } of levels) {
      if (bot === "ismcts") engines.searchers[`${table} ${simulations}`] = () => searcher(address, table, { simulations, ...level });
    }
  }
  return engines;
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

// Reports the progress of a search at most five times a second.
let lastReport = 0;
function report(thinking) {
  if (thinking && performance.now() - lastReport < 200) return;
  lastReport = performance.now();
  postMessage({ thinking });
}

const fill = (array, bytes) => new Uint8Array(array.buffer, array.byteOffset, bytes.length).set(bytes);

const pythonApi = {
  of: (game, n) => (n === 1 ? engines[game].single : engines[game].batch),
  supported: (game, names) => [...names].find((name) => name in engines[game].single.engine.manifest.bots),
  choice(game, observation, mask) {
    const { engine } = engines[game].single;
    fill(engine.arrays.obs, observation.toJs());
    fill(engine.arrays.masks, mask.toJs());
    heuristic(engine);
    return Number(engine.arrays.actions[0]);
  },
  network(game, name) {
    const { engine: { manifest, arrays, call }, parameters } = engines[game].networks[name];
    return {
      margin: manifest.networks[name].margin,
      evaluate(observation, mask) { // one row at a time
        const observations = new Int16Array(observation.toJs().slice().buffer), masks = new Int8Array(mask.toJs().slice().buffer);
        const wide = arrays.obs.length, n = observations.length / wide, actions = arrays.masks.length;
        const logits = new Float32Array(n * actions), values = new Float32Array(n);
        for (let i = 0; i < n; i++) {
          arrays.obs.set(observations.subarray(i * wide, (i + 1) * wide));
          arrays.masks.set(masks.subarray(i * actions, (i + 1) * actions));
          if (parameters.prior_width) call("compute_prior_scores");
          call("evaluate", parameters);
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
    while (!(slice = slices.next()).done) report(`${slice.value.done} of ${slice.value.of} simulations`);
    report("");
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
  python.registerJsModule("page_engine", pythonApi);
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

// Opens the engines of searches before they are used.
async function openSearchers(game, keys) {
  const { searchers } = engines[game];
  for (const key of keys) if (typeof searchers[key] === "function") searchers[key] = await searchers[key]();
}

// Tables are stored in the browser by id.
const database = new Promise((resolve, reject) => {
  const request = indexedDB.open("vitienv", 1);
  request.onupgradeneeded = () => request.result.createObjectStore("tables");
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});
const store = async (mode, access) => {
  const request = access((await database).transaction("tables", mode).objectStore("tables"));
  return new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
};

async function answer(address, body) {
  const { service, options } = await started, path = address.split("?")[0];
  if (path === "/api/options") return { status: 200, body: options };
  if (path === "/api/compiling") return { status: 200, body: { status: "", share: null } };
  if (path === "/api/prepare") { await prepare(body.game); return { status: 200, body: { is_ready: true, status: "", share: null } }; }
  const id = path.split("/")[3];
  if (id && !service.has(id)) {
    const saved = await store("readonly", (tables) => tables.get(id));
    if (saved === undefined) return { status: 404, body: { error: "there is no such table" } };
    await prepare(JSON.parse(saved).game);
    service.restore(id, saved);
  }
  if (id) await openSearchers(service.game_of(id), service.searches(id, address).toJs());
  const game = path === "/api/tables" ? body.game : path === "/api/logs" ? body.log?.game : null;
  if (game && Object.values(options.rulesets).some((ruleset) => ruleset.game === game)) await prepare(game);
  const response = JSON.parse(service.answer(address, body === undefined ? "" : JSON.stringify(body)));
  const changed = response.body.id ?? (body === undefined || response.status >= 400 ? null : id);
  if (changed) await store("readwrite", (tables) => (service.has(changed) ? tables.put(service.saved(changed), changed) : tables.delete(changed)));
  return response;
}

let last = Promise.resolve(); // requests run one at a time
addEventListener("message", ({ data: { number, address, body } }) => {
  last = last.then(async () => {
    let response;
    try { response = await answer(address, body); } catch (error) {
      console.error(error);
      response = { status: 500, body: { error: `the page failed: ${String(error.message ?? error).trim().split("\n").pop()}` } };
    }
    postMessage({ number, ...response });
  });
});
