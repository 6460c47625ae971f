// A socket on which the server reports that a table has changed; the page then requests the changes. If the socket is
// refused, the page uses requests only.

const FIRST_WAIT = 2000, LONGEST_WAIT = 60_000; // milliseconds before a retry

export class Socket {
  // onMessage: called with a message, and whether it is the first one of the connection.
  constructor(onMessage) {
    this.onMessage = onMessage;
    this.wait = FIRST_WAIT;
  }

  open(id) {
    this.close();
    this.id = id;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`${location.origin.replace("http", "ws")}/api/tables/${this.id}/watch`);
    this.socket = socket;
    let isFirst = true;
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.socket) this.onMessage(JSON.parse(data), isFirst);
      isFirst = false;
      this.wait = FIRST_WAIT;
    });
    socket.addEventListener("close", () => {
      setTimeout(() => { if (socket === this.socket) this.connect(); }, this.wait);
      this.wait = Math.min(2 * this.wait, LONGEST_WAIT);
    });
  }

  close() {
    const socket = this.socket;
    this.socket = null;
    socket?.close();
  }
}
