// Puts the page together: data, picture, plots, bar.

import * as THREE from 'three';
import {Bar} from './bar.js';
import {BodyView, materialColors} from './body_view.js';
import {ContactView} from './contact_view.js';
import {element, formatLength, formatNumber} from './element.js';
import {fillContactsPage, fillSummaryPage} from './facts_page.js';
import {firstView} from './first_view.js';
import {GapView} from './gap_view.js';
import {JointView} from './joint_view.js';
import {LiveConnection, LivePlayer, LiveRun} from './live.js';
import {addHand, fillLivePage, makePullToggle} from './live_page.js';
import {rampCss, stateColors} from './palette.js';
import {firstSpeed, Player} from './player.js';
import {fillPlotsPage} from './plots_page.js';
import {readEmbeddedRun} from './run_data.js';
import {Stage} from './stage.js';
import {StickView} from './stick_view.js';

const byId = (id) => document.getElementById(id);

function addTabs(pages) {
  const nodes = pages.map(({title, fill}) => {
    const node = element('div', {hidden: true, role: 'tabpanel'});
    byId('pages').append(node);
    return {title, node, fill};
  });
  const buttons = nodes.map(({title}, i) => element('button', {textContent: title, role: 'tab',
    onclick: () => show(i)}));
  byId('tabs').append(...buttons);
  function show(index) {
    nodes.forEach((page, i) => {
      page.node.hidden = i !== index;
      buttons[i].setAttribute('aria-selected', String(i === index));
    });
    const page = nodes[index];
    // Charts need to know their width, so pages are filled when they are first seen.
    if (!page.filled) { page.filled = true; page.update = page.fill(page.node); }
    page.update?.();
  }
  show(0);
}

function fillLegend(run, contacts, gaps) {
  const dot = (color, text) => element('span', {}, element('i', {style: `background:${color}`}), text);
  const parts = materialColors(run.header).map(([name, color]) => dot(color, name));
  if (run.contact_start[run.frames] > 0) {
    parts.push(dot(stateColors.stick, 'contact sticks'), dot(stateColors.slip, 'slides'));
  }
  if (contacts.usualForce > 0) {
    parts.push(element('span', {textContent: `longest arrows: ${formatNumber(contacts.usualForce)} N and more`}));
  }
  if (contacts.hasPressure()) {
    parts.push(element('span', {}, '0 ', element('i', {className: 'ramp', style: `background:${rampCss()}`}),
        ` ${formatNumber(contacts.usualPressure)} Pa`));
  }
  if (gaps.any) {
    const drawn = gaps.scale > 1 ? `, drawn ${gaps.scale} × as long` : '';
    parts.push(dot('#c2255c', `constraints off by up to ${formatLength(gaps.largest)}${drawn}`));
  }
  byId('legend').append(...parts);
}

// A click on a body tells its name, place and speed.
function addPicking(stage, pick, run, player) {
  let body = null, down = null;
  const show = () => {
    const box = byId('picked');
    box.hidden = body === null;
    if (body === null) return;
    const {name, mass} = run.header.bodies[body];
    const rows = [['body', name], ['mass', `${formatNumber(mass)} kg`]];
    if (body > 0) {
      const i = 7 * ((run.bodies - 1) * run.frameAt(player.time) + body - 1);
      rows.push(['position', `${Array.from(run.poses.subarray(i, i + 3), (x) => x.toFixed(4)).join('  ')} m`]);
    }
    box.replaceChildren(element('table', {}, ...rows.map(([label, value]) => element('tr', {},
        element('td', {textContent: label}), element('td', {textContent: value})))));
  };
  const canvas = stage.canvas;
  canvas.addEventListener('pointerdown', (event) => { down = [event.clientX, event.clientY]; });
  canvas.addEventListener('pointerup', (event) => {
    if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 4) return;
    const box = canvas.getBoundingClientRect();
    const at = new THREE.Vector2(2 * (event.clientX - box.left) / box.width - 1,
        1 - 2 * (event.clientY - box.top) / box.height);
    const ray = new THREE.Raycaster();
    ray.setFromCamera(at, stage.camera);
    body = pick(ray)?.body ?? null;
    show();
  });
  player.addEventListener('time', show);
}

function addGrounds(run, stage) {
  if (!run.header.shapes.some((shape) => shape.type === 'half-space' && shape.body === 0)) {
    stage.addGrid(stage.home.center.z - stage.home.radius);
  }
  for (const shape of run.header.shapes) {
    if (shape.type !== 'half-space' || shape.body !== 0) continue;
    const [x, y, z, qw, qx, qy, qz] = shape.pose;
    stage.addPlane({position: new THREE.Vector3(x, y, z), quaternion: new THREE.Quaternion(qx, qy, qz, qw)});
  }
}

// How much of the picture's height the texts above and below take, at most a fifth each.
function coveredParts() {
  const height = byId('stage').clientHeight || 1;
  const part = (id) => {
    const {offsetHeight} = byId(id);
    return offsetHeight ? Math.min((offsetHeight + 12) / height, 0.2) : 0;
  };
  return {top: part('heading'), bottom: part('legend')};
}

// The picture, the bar and the pages of a run; returns what a live one has to keep up to date.
function show(run, player, {pages = [], toggles = []} = {}) {
  document.title = `${run.header.title} – voigt`;
  byId('title').textContent = run.header.title;
  byId('description').textContent = run.header.description;
  const stage = new Stage(byId('view'));
  const {radius, detail} = firstView(run);
  const lookAtAll = () => {
    const view = firstView(run);
    // Nobody knows where a live run will lead.
    stage.lookAt(view.center, view.radius, view.spheres, run.isLive && run.frames < 100 ? 1.9 : 1.15);
  };
  stage.insets = coveredParts;
  lookAtAll();
  addGrounds(run, stage);
  const bodies = new BodyView(run, stage.scene);
  const contacts = new ContactView(run, stage.scene, Math.min(radius, 10 * detail));
  const sticks = new StickView(run, stage.scene, radius);
  const joints = new JointView(run, stage.scene, radius);
  const gaps = new GapView(run, stage.scene, radius, byId('figures'));
  stage.onDraw = (camera) => gaps.place(camera);
  const draw = () => {
    const frame = run.frameAt(player.time), next = Math.min(frame + 1, run.frames - 1);
    const gap = run.t[next] - run.t[frame];
    bodies.update(frame, gap > 0 ? (player.time - run.t[frame]) / gap : 0);
    contacts.update(frame);
    gaps.update(frame);
    sticks.update(bodies.X_WB);
    joints.update(bodies.X_WB);
    stage.requestDraw();
  };
  const toggle = (key, label, title, value, set) => ({key, label, title, value,
    set: (on) => { set(on); draw(); }});
  new Bar(byId('bar'), player, [
    toggle('c', 'contacts', 'contact points', contacts.showPoints, (on) => { contacts.showPoints = on; }),
    toggle('f', 'forces', 'contact forces', contacts.showForces, (on) => { contacts.showForces = on; }),
    toggle('j', 'joints', 'joint frames', false, (on) => { joints.root.visible = on; }),
    ...(run.header.held.length ? [toggle('v', 'violations', 'constraints that are not met', gaps.visible,
        (on) => { gaps.visible = on; })] : []),
    toggle('x', 'x-ray', 'see through bodies', false, (on) => bodies.setTransparent(on)),
    ...toggles,
  ], lookAtAll);
  addTabs([
    ...pages,
    {title: 'Plots', fill: (page) => fillPlotsPage(page, player)},
    {title: 'Contacts', fill: (page) => fillContactsPage(page, player)},
    {title: 'Summary', fill: (page) => fillSummaryPage(page, player)},
  ]);
  fillLegend(run, contacts, gaps);
  const pick = (ray) => [bodies.pick(ray), sticks.pick(ray)].filter(Boolean)
      .sort((a, b) => a.distance - b.distance)[0] ?? null;
  addPicking(stage, pick, run, player);
  player.addEventListener('time', draw);
  draw();
  window.voigt = {run, player, stage, gaps};  // for tests, and for the curious
  return {stage, pick, X_WB: bodies.X_WB, contacts, gaps};
}

function complain(error) {
  byId('trouble').hidden = false;
  byId('trouble').textContent = error.message;
}

// Another version of the scene may have other bodies: then the page begins anew.
async function startAnewIfChanged(connection, description) {
  const now = await connection.describe();
  if (JSON.stringify(now) !== JSON.stringify(description)) window.location.reload();
}

// A live run begins with the frame that is there, and follows the newest one unless the person has
// gone back in time.
async function showLive(token) {
  const connection = new LiveConnection(token);
  const description = await connection.describe();
  const run = new LiveRun(description);
  let player = null, parts = null, version = null, updatePage = null, drawHand = null;
  connection.addEventListener('lost', () => complain(new Error('The simulation is gone: no connection.')));
  connection.addEventListener('found', () => { byId('trouble').hidden = true; });
  connection.listen((message) => {
    version ??= message.version;
    if (message.version !== version) {
      version = message.version;
      startAnewIfChanged(connection, description);
    }
    const follows = !parts || player.time >= run.end;
    run.add(message);
    run.tables = message.tables;
    if (!parts) {
      player = new LivePlayer(run, connection);
      const pull = makePullToggle();
      parts = show(run, player, {toggles: [pull],
        pages: [{title: 'Live', fill: (page) => { updatePage = fillLivePage(page, connection); }}]});
      drawHand = addHand(parts, connection, pull);
      window.voigt.connection = connection;
    }
    parts.contacts.measure();
    parts.gaps.measure();
    updatePage?.(message);
    window.voigt.message = message;
    player.take(message, follows);
    drawHand();
  });
}

async function start() {
  const run = await readEmbeddedRun();
  const token = new URLSearchParams(window.location.search).get('token');
  if (run) {
    const player = new Player(run);
    player.speed = firstSpeed(run.end - run.start);
    show(run, player);
    if (!window.location.hash.includes('pause')) player.play();
  } else if (token) {
    await showLive(token);
  }
}

start().catch((error) => complain(new Error(`This page cannot show its run: ${error.message}`)));
