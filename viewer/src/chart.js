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
      scales: {x: {time: false}, y: logarithmic ? {distr: 3} : {}},
      axes: [{...axis, size: 30, label: 't [s]', labelSize: 16, labelGap: 0},
        {...axis, size: 62, label: lines[0].unit ? `[${lines[0].unit}]` : '', labelSize: 16,
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
    this.update();
  }

  /** What the lines hold now: `values` is an array, or a function that gives one. */
  collect() {
    return [this.player.run.t, ...this.lines.map(({values}) => {
      const list = typeof values === 'function' ? values() : values;
      return this.logarithmic ? positiveOnly(list) : list;
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
    this.player.removeEventListener('time', this.follow);
    this.observer.disconnect();
    this.plot.destroy();
  }
}

function shortNumber(v) {
  if (v === 0) return '0';
  const size = Math.abs(v);
  if (size >= 1e4 || size < 1e-2) return v.toExponential(0).replace('e+', 'e');
  return String(Number(v.toPrecision(4)));
}
