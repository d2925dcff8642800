// Colours that stay apart for people who see fewer of them, too, and on a light ground.

export const bodyColors = ['#4477aa', '#ee9a3a', '#66a61e', '#c2577e', '#3fa7b5', '#a08a2c', '#8566b0',
  '#d0604d', '#5c8a5a', '#7f8fa6'];
export const worldColor = '#b9c0c8';
export const lineColors = ['#0b66c3', '#d9480f', '#2b8a3e', '#9c36b5', '#0c8599', '#a67c00', '#c2255c',
  '#495057'];
export const stateColors = {open: '#8a94a0', stick: '#0b7fab', slip: '#d9480f'};

// From dark blue over green to yellow, even in lightness.
const ramp = [[0.27, 0.0, 0.33], [0.25, 0.27, 0.53], [0.16, 0.47, 0.56], [0.13, 0.66, 0.52],
  [0.48, 0.82, 0.32], [0.99, 0.91, 0.14]];

/** [r, g, b] for x in 0 … 1. */
export function rampColor(x) {
  const s = Math.min(Math.max(x, 0), 1) * (ramp.length - 1);
  const i = Math.min(Math.floor(s), ramp.length - 2), f = s - i;
  return ramp[i].map((value, k) => value + f * (ramp[i + 1][k] - value));
}

export function rampCss() {
  const stops = ramp.map((c) => `rgb(${c.map((v) => Math.round(255 * v)).join(' ')})`);
  return `linear-gradient(90deg, ${stops.join(', ')})`;
}
