// One chart over time: lines that can be picked apart, a mark at the time that is shown, and a click
// that jumps there.

import uPlot from 'uplot';
import {formatNumber} from './element.js';
import {lineColors} from './palette.js';

const height = 190;

// A line for the time shown.
function timeMark(player) {
  return {
    hooks: {
      draw: (plot) => {
        const x = Math.round(plot.valToPos(player.time, 'x', true));
        const {ctx, bbox} = plot;
        if (x < bbox.left || x > bbox.left + bbox.width) return;
        ctx.save();
        ctx.strokeStyle = '#1c2530';
        ctx.setLineDash([4, 3]);
        ctx.beginPath();
        ctx.moveTo(x, bbox.top);
        ctx.lineTo(x, bbox.top + bbox.height);
        ctx.stroke();
        ctx.restore();
      },
      ready: (plot) => {
        plot.over.addEventListener('click', () => {
          const t = plot.posToVal(plot.cursor.left, 'x');
          if (Number.isFinite(t)) { player.pause(); player.seek(t); }
        });
      },
    },
  };
}

// A scale of powers of ten has no place for zero, and what is far below rounding errors would only
// stretch it: such values are left out of the line.
const least = 1e-24;
function positiveOnly(values) {
  return Array.from(values, (v) => (v > least ? v : null));
}

// What is not known, as forces before the first step, leaves a gap: a single NaN would leave a chart
// without a scale.
function knownOnly(values) {
  return Array.from(values, (v) => (Number.isFinite(v) ? v : null));
}

// At least two decades.
function wholeDecades(_, min, max) {
  if (!(min > 0)) return [1e-16, 1e-14];
  const low = Math.floor(Math.log10(min)), high = Math.max(Math.ceil(Math.log10(max)), low + 2);
  return [10 ** low, 10 ** high];
}

// Rounding errors about a value that does not change are not blown up to fill the chart.
function withMargin(_, min, max) {
  if (min === null || max === null) return [-1, 1];
  const least = 1e-4 * Math.max(Math.abs(min), Math.abs(max), 1e-3);
  const margin = Math.max(0.08 * (max - min), least);
  return [min - margin, max + margin];
}

// About five round values between the ends.
function roundSplits(_, __, min, max) {
  const raw = (max - min) / 5, power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 5, 10].find((m) => m * power >= 0.999 * raw);
  const first = Math.ceil(min / step);
  return Array.from({length: Math.floor(max / step) - first + 1}, (___, i) => (first + i) * step);
}

// Powers of ten, six at most.
function decadeSplits(_, __, min, max) {
  const low = Math.round(Math.log10(min)), high = Math.round(Math.log10(max));
  const step = Math.ceil((high - low) / 6);
  return Array.from({length: Math.floor((high - low) / step) + 1}, (___, i) => 10 ** (low + i * step));
}

export class Chart {
  /** lines: [{name, unit, values}] of one unit; values of a live run come from a function. */
  constructor(host, player, {lines, logarithmic = false}) {
    this.host = host;
    this.player = player;
    this.lines = lines;
    this.logarithmic = logarithmic;
    const width = () => Math.max(host.clientWidth, 240);
    const axis = {stroke: '#5b6775', grid: {stroke: '#e3e8ed', width: 1}, ticks: {show: false},
      font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif'};
    this.plot = new uPlot({
      width: width(), height,
      plugins: [timeMark(player)],
      scales: {x: {time: false}, y: logarithmic ? {distr: 3, range: wholeDecades} : {range: withMargin}},
      axes: [{...axis, size: 30, label: 't [s]', labelSize: 16, labelGap: 0},
        {...axis, size: 62, label: lines[0].unit ? `[${lines[0].unit}]` : '', labelSize: 16,
          splits: logarithmic ? decadeSplits : roundSplits, filter: (_, ticks) => ticks,
          values: (_, ticks) => ticks.map((v) => (v === null ? '' : shortNumber(v)))}],
      series: [{label: 't', value: (_, v) => (v === null ? '–' : `${v.toFixed(3)} s`)},
        ...lines.map((line, i) => ({label: line.name, stroke: lineColors[i % lineColors.length],
          width: 1.6, points: {show: false}, spanGaps: false,
          value: (_, v) => formatNumber(v)}))],
      cursor: {drag: {x: true, y: false}},
      legend: {live: true},
    }, this.collect(), host);
    this.observer = new ResizeObserver(() => this.plot.setSize({width: width(), height}));
    this.observer.observe(host);
    this.follow = () => this.update();
    player.addEventListener('time', this.follow);
    // The plot clears its legend when it is drawn for the first time.
    this.first = requestAnimationFrame(this.follow);
  }

  /** What the lines hold now: `values` is an array, or a function that gives one. */
  collect() {
    return [this.player.run.t, ...this.lines.map(({values}) => {
      const list = typeof values === 'function' ? values() : values;
      return this.logarithmic ? positiveOnly(list) : knownOnly(list);
    })];
  }

  /** Values in the legend are those of the time shown. */
  update() {
    const {run} = this.player;
    if (this.plot.data[0] !== run.t) this.plot.setData(this.collect());
    const frame = run.frameAt(this.player.time);
    this.plot.setLegend({idx: frame}, false);
    this.plot.redraw(false);
  }

  destroy() {
    cancelAnimationFrame(this.first);
    this.player.removeEventListener('time', this.follow);
    this.observer.disconnect();
    this.plot.destroy();
  }
}

function shortNumber(v) {
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e4 || size < 1e-2) return v.toExponential(0).replace('e+', 'e');
  return String(Number(v.toPrecision(6)));
}
