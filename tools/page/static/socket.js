// Without a server there are no changes by others; the worker reports the progress of searches.
import { worker } from "./transport.js";

export class Socket {
  constructor(hear) {
    worker.addEventListener("message", ({ data: { thinking } }) => { if (thinking !== undefined) hear({ thinking }, false); });
  }
  open() {}
  close() {}
}
