// Makes the calls told by standard input and prints a hash of all arrays after each. Argument: the folder of engine.mjs.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = process.argv[2];
globalThis.fetch = async (path) => new Response(readFileSync(`${folder}/${path}`));
const { open } = await import(pathToFileURL(`${folder}/engine.mjs`));

const { address, tables } = JSON.parse(readFileSync(0, "utf8"));
const told = {};
for (const [name, { games, hashed, calls }] of Object.entries(tables)) {
  const { arrays, call } = await open(address, games);
  told[name] = calls.map(({ entry, what, given }) => {
    for (const [array, numbers] of Object.entries(given))
      arrays[array].set(arrays[array] instanceof BigInt64Array ? numbers.map(BigInt) : numbers);
    const hash = createHash("sha256").update(`${call(entry, { what }) ?? 0}`);
    for (const array of hashed) hash.update(arrays[array]);
    return hash.digest("hex");
  });
}
console.log(JSON.stringify(told));
