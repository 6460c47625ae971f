// A socket to a table, on which the server says that something has changed there; what, is asked for as ever. Where it is
// refused, the page works by requests alone.

const FIRST_WAIT = 2000, LONGEST_WAIT = 60_000; // milliseconds before it is tried again

export class Socket {
  // hear: is told what the server says, and whether it is the first that this socket heard.
  constructor(hear) {
    this.hear = hear;
    this.wait = FIRST_WAIT;
  }

  open(id) {
    this.close();
    this.id = id;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${this.id}/watch`);
    this.own = socket;
    let isFirst = true;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.own) this.hear(JSON.parse(data), isFirst);
      isFirst = false;
      this.wait = FIRST_WAIT;
    });
    socket.addEventListener("close", () => {
      setTimeout(() => { if (socket === this.own) this.connect(); }, this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  close() {
    const socket = this.own;
    this.own = null;
    socket?.close();
  }
}
