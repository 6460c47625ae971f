// Without a server only this page changes tables; the worker reports the progress of searches.
import { worker } from "./transport.js";

export class Socket {
  constructor(onMessage) {
    worker.addEventListener("message", ({ data: { thinking } }) => { if (thinking !== undefined) onMessage({ thinking }, false); });
  }
  open() {}
  close() {}
}
