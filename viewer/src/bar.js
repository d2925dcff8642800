// The bar below the picture: play, time, speed, what is drawn; and the keys that do the same.

import {element} from './element.js';
import {speeds} from './player.js';

const keys = [
  ['Space', 'play or pause'], ['← →', 'one frame back or on'], ['Shift ← →', 'one second'],
  ['Home End', 'start or end'], ['[ ]', 'slower or faster'], ['r', 'first view'],
];

export class Bar {
  /** toggles: [{key, label, title, value, set(on)}] */
  constructor(node, player, toggles, resetView) {
    this.player = player;
    this.toggles = toggles;
    this.resetView = resetView;
    this.play = element('button', {className: 'plain play', title: 'play or pause (space)',
      onclick: () => player.toggle()});
    this.slider = element('input', {type: 'range', min: 0, max: 1, step: 'any', 'aria-label': 'time',
      oninput: () => { player.pause(); player.seek(this.timeOf(Number(this.slider.value))); }});
    this.time = element('span', {className: 'time'});
    this.speed = element('select', {title: 'speed', 'aria-label': 'speed',
      onchange: () => player.setSpeed(Number(this.speed.value))},
        ...speeds.map((s) => element('option', {value: s, textContent: `${s} ×`})));
    this.buttons = toggles.map((toggle) => element('button', {className: 'plain',
      textContent: toggle.label, title: `${toggle.title} (${toggle.key})`,
      onclick: () => this.flip(toggle)}));
    const help = element('button', {className: 'plain', textContent: '?', title: 'keys',
      onclick: () => this.toggleHelp()});
    node.append(this.play, this.slider, this.time, this.speed,
        element('span', {className: 'toggles'}, ...this.buttons, help));
    player.addEventListener('time', () => this.showTime());
    player.addEventListener('state', () => this.showState());
    window.addEventListener('keydown', (event) => this.onKey(event));
    this.fillHelp();
    this.showTime();
    this.showState();
  }

  timeOf(fraction) {
    const {run} = this.player;
    return run.start + fraction * (run.end - run.start);
  }

  showTime() {
    const {run, time} = this.player;
    this.slider.value = run.end > run.start ? (time - run.start) / (run.end - run.start) : 0;
    this.time.textContent = `${time.toFixed(3)} / ${run.end.toFixed(2)} s`;
  }

  showState() {
    this.play.textContent = this.player.playing ? '❚❚' : '▶';
    this.speed.value = String(this.player.speed);
    this.toggles.forEach((toggle, i) => {
      this.buttons[i].setAttribute('aria-pressed', String(toggle.value));
    });
  }

  flip(toggle) {
    toggle.value = !toggle.value;
    toggle.set(toggle.value);
    this.showState();
  }

  changeSpeed(by) {
    const index = speeds.indexOf(this.player.speed) + by;
    if (index >= 0 && index < speeds.length) this.player.setSpeed(speeds[index]);
  }

  fillHelp() {
    const all = [...keys, ...this.toggles.map(({key, title}) => [key, title]), ['?', 'this help']];
    const rows = all.map(([key, text]) => element('tr', {},
        element('td', {}, ...key.split(' ').flatMap((k) => [element('kbd', {textContent: k}), ' '])),
        element('td', {textContent: text})));
    document.getElementById('help').append(element('table', {}, ...rows));
  }

  toggleHelp() {
    const help = document.getElementById('help');
    help.hidden = !help.hidden;
  }

  onKey(event) {
    if (event.target instanceof HTMLSelectElement || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof HTMLInputElement && event.target.type !== 'range') return;
    const {player} = this, {run} = player;
    const move = (way) => (event.shiftKey ? player.seek(player.time + way) : player.stepFrames(way));
    const actions = {
      ' ': () => player.toggle(), ArrowLeft: () => move(-1), ArrowRight: () => move(1),
      Home: () => player.seek(run.start), End: () => player.seek(run.end),
      '[': () => this.changeSpeed(-1), ']': () => this.changeSpeed(1),
      r: () => this.resetView(), '?': () => this.toggleHelp(),
    };
    const toggle = this.toggles.find(({key}) => key === event.key);
    const action = toggle ? () => this.flip(toggle) : actions[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}
