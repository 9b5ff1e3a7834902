// Talking to the server: questions, and a line to a table that is taken up again when it breaks.
const token = () => { try { return sessionStorage.getItem("token") || ""; } catch { return ""; } };

// A Blob goes as it is, everything else as JSON.
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST",
    body: body instanceof Blob ? body : JSON.stringify(body),
    headers: {
      "content-type": body instanceof Blob ? "application/octet-stream" : "application/json",
      "x-hansu-token": token(),
    },
  };
  const answer = await fetch(path, options);
  const facts = await answer.json().catch(() => ({}));
  if (answer.ok) return facts;
  throw new Error(facts.detail || answer.statusText);
}

export class Line {
  constructor(path, key, hear, broken) {
    Object.assign(this, {path, key, hear, broken, wait: 250, ended: false});
    this.connect();
  }

  connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = this.socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    socket.onopen = () => {
      this.wait = 250;
      this.say({type: "hello", key: this.key, token: token()});
      if (this.look) this.say(this.look);
      this.broken(false);
    };
    socket.onmessage = (event) => {
      const message = JSON.parse(event.data);
      if (message.type === "closed") this.ended = true;
      this.hear(message);
    };
    socket.onclose = () => {
      if (this.ended) return;
      this.broken(true);
      this.timer = setTimeout(() => this.connect(), this.wait * (0.75 + Math.random() / 2));
      this.wait = Math.min(8000, this.wait * 2);
    };
  }

  say(message) {
    if (message.type === "look") this.look = message; // to be said again on a new line
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    this.socket.close();
  }
}
