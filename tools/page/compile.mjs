// Replaces sources in archives by bytecode, with the Python of the page, and removes excluded modules:
// node compile.mjs PYODIDE NAME,NAME ARCHIVE ...
import { readFile, writeFile } from "node:fs/promises";

const [runtime, excluded, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.globals.set("excluded", excluded);
for (const archive of archives) {
  python.FS.writeFile("/sources.zip", await readFile(archive));
  python.runPython(`
import py_compile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

with ZipFile("/sources.zip") as sources, ZipFile("/compiled.zip", "w") as compiled:
    for name in sources.namelist():
        if name.split("/")[0].removesuffix(".py") in excluded.split(","):
            continue
        content = sources.read(name)
        if name.endswith(".py"):
            with open("/module.py", "wb") as file:
                file.write(content)
            # Unchecked, as there are no sources to compare.
            py_compile.compile("/module.py", "/module.pyc", name, True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            with open("/module.pyc", "rb") as file:
                name, content = f"{name}c", file.read()
        compiled.writestr(ZipInfo(name), content, ZIP_DEFLATED, 9)`);
  await writeFile(archive, python.FS.readFile("/compiled.zip"));
}
