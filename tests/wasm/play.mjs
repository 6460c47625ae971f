// Makes the calls told by standard input and prints a hash of arrays after each; or searches, and prints what is found.
// Argument: the folder of engine.mjs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
globalThis.fetch = async (path) => new Response(readFileSync(`${folder}/${path}`));
const { open, load, network, heuristic, searcher, search } = await import(pathToFileURL(`${folder}/engine.mjs`));

const { address, tables = {}, searches = [], level } = JSON.parse(readFileSync(0, "utf8"));
const told = {};
for (const [name, { games, champion, hashed, calls }] of Object.entries(tables)) {
  const engine = await open(address, games), { arrays } = engine;
  const asked = champion && (await load(engine, champion));
  const bots = { network: () => network(engine, asked), heuristic: () => heuristic(engine) };
  told[name] = calls.map(({ entry, flags, given }) => {
    for (const [array, numbers] of Object.entries(given))
      arrays[array].set(arrays[array] instanceof BigInt64Array ? numbers.map(BigInt) : numbers);
    const gave = entry in bots ? bots[entry]() : engine.call(entry, { flags });
    const hash = createHash("sha256");
    for (const array of hashed) hash.update(arrays[array] ?? `${gave ?? 0}`);
    return hash.digest("hex");
  });
}
const made = {};
told.searches = [];
for (const { table, record, keys } of searches) {
  made[table] ??= await searcher(address, table, level);
  const steps = search(made[table], Uint8Array.from(record), keys), progress = [];
  let step;
  while (!(step = steps.next()).done) progress.push(step.value.done);
  told.searches.push({ progress, found: step.value.map(({ action, visits, value }) => [action, visits, value]) });
}
console.log(JSON.stringify(told));
