// Where there is no server nobody else changes a table; the worker says how far a search is.
import { worker } from "./transport.js";

export class Socket {
  constructor(hear) {
    worker.addEventListener("message", ({ data: { thinking } }) => { if (thinking !== undefined) hear({ thinking }, false); });
  }
  open() {}
  close() {}
}
