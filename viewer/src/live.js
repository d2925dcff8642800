// A simulation that is running now: its frames are kept as they come, so that one may look back, and
// orders go the other way.

import {Player} from './player.js';
import {readBlocks, decodeBase64, RunData} from './run_data.js';

// Frames kept: half a minute at the pace of the server. The older half goes when it is too many.
const mostFrames = 1800;

function append(old, add) {
  const out = new old.constructor(old.length + add.length);
  out.set(old);
  out.set(add, old.length);
  return out;
}

export class LiveRun extends RunData {
  constructor(description) {
    const {data, ...header} = description;
    super(header, decodeBase64(data).buffer, {
      t: new Float64Array(0), poses: new Float32Array(0), gaps: new Float32Array(0), values: new Float32Array(0),
      contact_start: new Uint32Array(1), contact_point: new Float32Array(0),
      contact_normal: new Float32Array(0), contact_force_direction: new Float32Array(0),
      contact_force_size: new Float32Array(0), contact_depth: new Float32Array(0),
      contact_pressure: new Float32Array(0), contact_area: new Float32Array(0),
      contact_state: new Uint8Array(0), contact_bodies: new Uint32Array(0),
    });
    this.columns = header.series.map(() => []);
    this.isLive = true;
  }

  series(k) { return Float32Array.from(this.columns[k]); }

  /** Keeps a frame of the server. One that goes back in time begins anew. */
  add(message) {
    const frame = readBlocks(message.blocks, decodeBase64(message.data).buffer);
    if (this.frames > 0 && frame.t[0] < this.end) this.forget(this.frames);
    if (this.frames > 0 && frame.t[0] === this.end) this.forgetLast();
    const first = this.contact_start[this.frames];
    for (const name of Object.keys(frame)) {
      if (name !== 'values' && name !== 'contact_start') this[name] = append(this[name], frame[name]);
    }
    this.contact_force = append(this.contact_force, this.forcesFrom(first));
    this.contact_start = append(this.contact_start, Uint32Array.of(first + frame.contact_start[1]));
    frame.values.forEach((value, k) => this.columns[k].push(value));
    this.frames = this.t.length;
    this.pairs = null;
    if (this.frames > mostFrames) this.forget(mostFrames / 2);
  }

  forcesFrom(first) {
    return this.contact_force_direction.subarray(3 * first)
        .map((x, i) => x * this.contact_force_size[first + Math.floor(i / 3)]);
  }

  perContact() {
    return {contact_point: 3, contact_normal: 3, contact_force_direction: 3, contact_force: 3,
      contact_force_size: 1, contact_depth: 1, contact_pressure: 1, contact_area: 1, contact_state: 1,
      contact_bodies: 2};
  }

  keep(from, to) {
    const stride = 7 * (this.bodies - 1);
    const [first, last] = [this.contact_start[from], this.contact_start[to]];
    this.t = this.t.slice(from, to);
    this.poses = this.poses.slice(from * stride, to * stride);
    const gapStride = 7 * this.header.held.length;
    this.gaps = this.gaps.slice(from * gapStride, to * gapStride);
    for (const [name, size] of Object.entries(this.perContact())) {
      this[name] = this[name].slice(size * first, size * last);
    }
    this.contact_start = this.contact_start.slice(from, to + 1).map((x) => x - first);
    this.columns = this.columns.map((column) => column.slice(from, to));
    this.frames = to - from;
  }

  forget(count) { this.keep(count, this.frames); }
  forgetLast() { this.keep(0, this.frames - 1); }
}

/** The server's side of the page. */
export class LiveConnection extends EventTarget {
  constructor(token) {
    super();
    this.token = token;
    this.last = Promise.resolve();  // the answer to the last order
  }

  async describe() {
    const reply = await fetch(`/run?token=${this.token}`);
    if (!reply.ok) throw new Error(await reply.text());
    return reply.json();
  }

  listen(onFrame) {
    const source = new EventSource(`/events?token=${this.token}`);
    source.onmessage = (event) => onFrame(JSON.parse(event.data));
    source.onerror = () => this.dispatchEvent(new Event('lost'));
    source.onopen = () => this.dispatchEvent(new Event('found'));
  }

  /** Sends an order, behind those before it: requests at the same time may overtake each other. Throws with the server's
   * words if it is refused. */
  order(what, values = {}) {
    const answer = this.last.then(() => this.send(what, values));
    this.last = answer.catch(() => {});
    return answer;
  }

  async send(what, values) {
    const form = new URLSearchParams({do: what, ...values});
    const reply = await fetch(`/command?token=${this.token}`, {method: 'POST', body: form});
    if (!reply.ok) throw new Error(await reply.text());
  }
}

/** Shows the newest frame unless the person looks back; play and pause are those of the simulation. */
export class LivePlayer extends Player {
  constructor(run, connection) {
    super(run);
    this.connection = connection;
  }

  toggle() { this.connection.order(this.playing ? 'pause' : 'play').catch(() => {}); }
  setSpeed(speed) { this.connection.order('speed', {factor: speed}).catch(() => {}); }
  pause() {}  // looking back does not stop the simulation

  /** The newest frame has come; `follows` says whether it is to be shown. */
  take(message, follows) {
    const isNews = this.playing !== message.playing || this.speed !== message.speed;
    this.playing = message.playing;
    this.speed = message.speed;
    if (isNews) this.dispatchEvent(new Event('state'));
    this.seek(follows ? this.run.end : this.time);
  }
}
