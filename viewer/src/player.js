// The time that is shown: it runs, waits, and jumps; others listen.

export const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

/** What is over in a moment is shown slowly: the fastest speed at which a run takes four seconds. */
export function firstSpeed(duration) {
  const slow = speeds.filter((speed) => speed <= 1 && duration / speed >= 4);
  return slow.length ? slow[slow.length - 1] : speeds[0];
}

export class Player extends EventTarget {
  constructor(run) {
    super();
    this.run = run;
    this.time = run.start;
    this.speed = 1;
    this.playing = false;
  }

  seek(time) {
    this.time = Math.min(Math.max(time, this.run.start), this.run.end);
    this.dispatchEvent(new Event('time'));
  }

  /** Frame by frame. */
  stepFrames(count) {
    this.pause();
    const frame = this.run.frameAt(this.time) + count;
    this.seek(this.run.t[Math.min(Math.max(frame, 0), this.run.frames - 1)]);
  }

  setSpeed(speed) {
    this.speed = speed;
    this.dispatchEvent(new Event('state'));
  }

  play() {
    if (this.playing) return;
    if (this.time >= this.run.end) this.time = this.run.start;
    this.playing = true;
    let last = performance.now();
    const tick = (now) => {
      if (!this.playing) return;
      // A page in the background is not drawn: no leap when it comes back.
      const passed = Math.min((now - last) / 1000, 0.1);
      last = now;
      this.seek(this.time + this.speed * passed);
      if (this.time >= this.run.end) this.pause(); else requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
    this.dispatchEvent(new Event('state'));
  }

  pause() {
    this.playing = false;
    this.dispatchEvent(new Event('state'));
  }

  toggle() { if (this.playing) this.pause(); else this.play(); }
}
