// Reads calls or searches from standard input; prints a hash of arrays after each call, or the results of each search.
// Argument: the directory of engine.mjs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
globalThis.fetch = async (path) => new Response(readFileSync(`${folder}/${path}`));
const { heuristic, load, network, open, search, searcher } = await import(pathToFileURL(`${folder}/engine.mjs`));

const { address, tables = {}, searches = [], level } = JSON.parse(readFileSync(0, "utf8"));
const output = { searches: [] };
for (const [name, { games, champion, hashed, calls }] of Object.entries(tables)) {
  const engine = await open(address, games), { arrays } = engine;
  const parameters = champion && (await load(engine, champion));
  const bots = { network: () => network(engine, parameters), heuristic: () => heuristic(engine) };
  output[name] = calls.map(({ entry, flags, inputs }) => {
    for (const [array, numbers] of Object.entries(inputs))
      arrays[array].set(arrays[array] instanceof BigInt64Array ? numbers.map(BigInt) : numbers);
    const result = entry in bots ? bots[entry]() : engine.call(entry, { flags });
    const hash = createHash("sha256");
    for (const array of hashed) hash.update(arrays[array] ?? `${result ?? 0}`);
    return hash.digest("hex");
  });
}
const searchers = {};
for (const { table, record, keys } of searches) {
  searchers[table] ??= await searcher(address, table, level);
  const slices = search(searchers[table], Uint8Array.from(record), keys), progress = [];
  let slice;
  while (!(slice = slices.next()).done) progress.push(slice.value.done);
  output.searches.push({ progress, rows: slice.value.map(({ action, visits, value }) => [action, visits, value]) });
}
console.log(JSON.stringify(output));
