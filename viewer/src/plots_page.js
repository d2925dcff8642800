// The page of plots: energy, residuals, and whatever the person picks.

import {Chart} from './chart.js';
import {element} from './element.js';

function linesOf(run, group) {
  return run.header.series.flatMap((series, k) => (series.group === group
    ? [{name: series.name, unit: series.unit, values: () => run.series(k)}] : []));
}

// Everything a person may pick: [{name, unit, make()}].
function choices(run) {
  const list = [];
  for (const [k, series] of run.header.series.entries()) {
    if (series.group === 'energy' || series.group === 'residual') continue;
    list.push({name: series.name, unit: series.unit, group: series.group, make: () => run.series(k)});
  }
  for (let b = 1; b < Math.min(run.bodies, 300); ++b) {
    ['x', 'y', 'z'].forEach((axis, i) => list.push({name: `${axis} of ${run.header.bodies[b].name}`,
      unit: 'm', group: 'position of a body', make: () => run.positions(b, i)}));
  }
  for (const pair of run.contactPairs().slice(0, 200)) {
    list.push({name: `normal ${pair.name}`, unit: 'N', group: 'contact force',
      make: () => run.sumOverPair(pair, (c) => run.normalForce(c))});
    list.push({name: `friction ${pair.name}`, unit: 'N', group: 'contact force',
      make: () => run.sumOverPair(pair, (c) => run.frictionForce(c))});
  }
  return list;
}

class PickedCharts {
  constructor(player) {
    this.player = player;
    this.choices = choices(player.run);
    this.picked = [];
    this.charts = [];
    this.node = element('div', {id: 'picked-plots'});
    this.chips = element('div', {className: 'chips'});
    this.select = this.makeSelect();
    this.hosts = element('div');
    this.node.append(element('div', {className: 'pick'}, this.select), this.chips, this.hosts);
    const first = this.choices.findIndex((choice) => choice.group === 'coordinate');
    const height = this.choices.findIndex((choice) => choice.name.startsWith('z of '));
    if (first >= 0) this.add(first); else if (height >= 0) this.add(height);
  }

  makeSelect() {
    const select = element('select', {'aria-label': 'Add a line to the plots'});
    select.append(element('option', {value: '', textContent: 'add a coordinate or force …'}));
    const groups = new Map();
    this.choices.forEach((choice, i) => {
      if (!groups.has(choice.group)) {
        groups.set(choice.group, element('optgroup', {label: choice.group}));
      }
      groups.get(choice.group).append(element('option', {value: String(i),
        textContent: `${choice.name}${choice.unit ? ` [${choice.unit}]` : ''}`}));
    });
    select.append(...groups.values());
    select.addEventListener('change', () => {
      if (select.value !== '') this.add(Number(select.value));
      select.value = '';
    });
    return select;
  }

  add(index) {
    if (!this.picked.includes(index)) this.picked.push(index);
    this.draw();
  }

  remove(index) {
    this.picked = this.picked.filter((other) => other !== index);
    this.draw();
  }

  // Lines of one unit share a chart.
  draw() {
    this.charts.forEach((chart) => chart.destroy());
    this.charts = [];
    this.hosts.replaceChildren();
    this.chips.replaceChildren(...this.picked.map((i) => element('button', {className: 'plain',
      textContent: `${this.choices[i].name} ×`, title: 'remove', onclick: () => this.remove(i)})));
    const units = new Map();
    for (const i of this.picked) {
      const {name, unit, make} = this.choices[i];
      if (!units.has(unit)) units.set(unit, []);
      units.get(unit).push({name, unit, values: make});
    }
    for (const lines of units.values()) {
      const host = element('div');
      this.hosts.append(host);
      this.charts.push(new Chart(host, this.player, {lines}));
    }
  }
}

export function fillPlotsPage(page, player) {
  const {run} = player;
  const section = (title, lines, options) => {
    const isSeen = ({values}) => values().some((x) => x !== 0 && Number.isFinite(x));
    if (!run.isLive && !lines.some(isSeen)) return;
    const host = element('div');
    page.append(element('h2', {textContent: title}), host);
    new Chart(host, player, {lines, ...options});
  };
  section('Energy', linesOf(run, 'energy'));
  page.append(element('h2', {textContent: 'Coordinates and forces'}));
  page.append(new PickedCharts(player).node);
  section('Residuals of the audit', linesOf(run, 'residual'), {logarithmic: true});
}
