// Puts compiled modules in the place of sources in archives, with the Python of the page, and leaves some out:
// node compile.mjs PYODIDE NAME,NAME ARCHIVE ...
import { readFile, writeFile } from "node:fs/promises";

const [runtime, leftOut, ...archives] = process.argv.slice(2);
const { loadPyodide } = await import(`${runtime}/pyodide.mjs`);
const python = await loadPyodide({ indexURL: `${runtime}/` });
python.globals.set("left_out", leftOut);
for (const archive of archives) {
  python.FS.writeFile("/sources.zip", await readFile(archive));
  python.runPython(`
import py_compile
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

with ZipFile("/sources.zip") as sources, ZipFile("/made.zip", "w") as made:
    for name in sources.namelist():
        if name.split("/")[0].removesuffix(".py") in left_out.split(","):
            continue
        what = sources.read(name)
        if name.endswith(".py"):
            with open("/one.py", "wb") as file:
                file.write(what)
            # The mode says that no source is to be compared; there is none.
            py_compile.compile("/one.py", "/one.pyc", name, True, invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
            with open("/one.pyc", "rb") as file:
                name, what = f"{name}c", file.read()
        made.writestr(ZipInfo(name), what, ZIP_DEFLATED, 9)`);
  await writeFile(archive, python.FS.readFile("/made.zip"));
}
