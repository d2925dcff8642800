// A recorded run as the page holds it: a header (JSON) that says where each array lies in one block
// of bytes. docs/replay.md lists both.

const arrays = {f32: Float32Array, f64: Float64Array, i16: Int16Array, u32: Uint32Array, u8: Uint8Array};

async function gunzip(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Response(stream).arrayBuffer();
}

export function decodeBase64(text) {
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; ++i) bytes[i] = raw.charCodeAt(i);
  return bytes;
}

/** Each entry of a table of blocks as an array; rounded values (i16) as numbers again. */
export function readBlocks(blocks, buffer) {
  const data = {};
  for (const [name, {type, offset, count, scale}] of Object.entries(blocks)) {
    const values = new arrays[type](buffer, offset, count);
    data[name] = type === 'i16' ? Float32Array.from(values, (x) => x * scale) : values;
  }
  return data;
}

/** Forces as vectors. */
function joinForces({contact_force_direction: direction, contact_force_size: size}) {
  return direction.map((x, i) => x * size[Math.floor(i / 3)]);
}

/** The run inside this page, or null where there is none (a live page). */
export async function readEmbeddedRun() {
  const header = document.getElementById('voigt-run');
  if (!header) return null;
  const text = document.getElementById('voigt-data').textContent.trim();
  const buffer = await gunzip(decodeBase64(text));
  return new RunData(JSON.parse(header.textContent), buffer);
}

export class RunData {
  /** `more`: arrays that are not in the buffer. */
  constructor(header, buffer, more = {}) {
    this.header = header;
    Object.assign(this, more, readBlocks(header.blocks, buffer));
    this.contact_force = joinForces(this);
    this.frames = this.t.length;
    this.bodies = header.bodies.length;
    this.tables = header.tables;
  }

  get start() { return this.t[0]; }
  get end() { return this.t[this.frames - 1]; }

  /** The last frame that is not after t. */
  frameAt(t) {
    let low = 0, high = this.frames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.t[middle] <= t) low = middle; else high = middle - 1;
    }
    return low;
  }

  /** Values of series k, one per frame. */
  series(k) { return this.values.subarray(k * this.frames, (k + 1) * this.frames); }

  /** Coordinate `axis` of a body, one value per frame. */
  positions(body, axis) {
    const stride = 7 * (this.bodies - 1), first = 7 * (body - 1) + axis;
    return Float32Array.from({length: this.frames}, (_, frame) => this.poses[frame * stride + first]);
  }

  /** First contact of a frame and the one after its last. */
  contactsOf(frame) { return [this.contact_start[frame], this.contact_start[frame + 1]]; }

  /** Pairs of bodies that touch at any time: [{key, a, b, name}], most contacts first. */
  contactPairs() {
    if (this.pairs) return this.pairs;
    const count = new Map();
    for (let i = 0; i < this.contact_bodies.length; i += 2) {
      const key = this.contact_bodies[i] * this.bodies + this.contact_bodies[i + 1];
      count.set(key, (count.get(key) ?? 0) + 1);
    }
    const name = (body) => this.header.bodies[body].name;
    this.pairs = [...count].sort((x, y) => y[1] - x[1] || x[0] - y[0]).map(([key]) => {
      const a = Math.floor(key / this.bodies), b = key % this.bodies;
      return {key, a, b, name: `${name(a)} – ${name(b)}`};
    });
    return this.pairs;
  }

  /** Sum over the contacts of a pair of what `measure(contact)` gives, per frame. */
  sumOverPair(pair, measure) {
    const sums = new Float64Array(this.frames);
    for (let frame = 0; frame < this.frames; ++frame) {
      const [first, last] = this.contactsOf(frame);
      for (let c = first; c < last; ++c) {
        if (this.contact_bodies[2 * c] === pair.a && this.contact_bodies[2 * c + 1] === pair.b) {
          sums[frame] += measure(c);
        }
      }
    }
    return sums;
  }

  normalForce(c) {
    const f = this.contact_force, n = this.contact_normal;
    return f[3 * c] * n[3 * c] + f[3 * c + 1] * n[3 * c + 1] + f[3 * c + 2] * n[3 * c + 2];
  }

  frictionForce(c) {
    const f = this.contact_force, total = Math.hypot(f[3 * c], f[3 * c + 1], f[3 * c + 2]);
    return Math.sqrt(Math.max(0, total ** 2 - this.normalForce(c) ** 2));
  }
}
