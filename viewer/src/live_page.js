// Controls of a live simulation: run, step, reset, values of the scene, and a hand that pulls.

import * as THREE from 'three';
import {element, formatNumber} from './element.js';

/** A menu that shows what is in force, whoever chose it. */
function makeMenu(label, send) {
  const menu = element('select', {'aria-label': label,
    onchange: () => send('set', {path: `simulation.${label}`, value: menu.value})});
  return menu;
}

function updateMenu(menu, names, value) {
  if (menu.options.length !== names.length) {
    menu.replaceChildren(...names.map((name) => element('option', {textContent: name})));
  }
  if (menu.value !== value) menu.value = value;
}

function describeSolver({formulation, rows, residual, status}) {
  if (rows === 0) return `${formulation}: nothing to solve in this step`;
  return `${formulation}: ${rows} rows ${status}, residual ${formatNumber(residual)}`;
}

export function fillLivePage(page, connection) {
  const say = element('p', {id: 'live-trouble', role: 'alert'});
  let told = '';  // the server's trouble that is on the page already
  const send = (what, values) => connection.order(what, values).then(() => { say.textContent = told = ''; })
      .catch((error) => { say.textContent = error.message; });
  const button = (label, what, title) => element('button', {className: 'plain', textContent: label, title,
    onclick: () => send(what)});
  const formulation = makeMenu('formulation', send), friction = makeMenu('friction', send);
  const frictionPart = element('span', {}, '   friction ', friction);
  const step = element('input', {type: 'text', size: 10, 'aria-label': 'step',
    onchange: () => send('set', {path: 'simulation.step', value: step.value})});
  const path = element('input', {type: 'text', size: 18, placeholder: 'gravity', 'aria-label': 'path'});
  const value = element('input', {type: 'text', size: 12, placeholder: '[0, 0, -1.6]', 'aria-label': 'value'});
  const set = element('button', {className: 'plain', textContent: 'set',
    onclick: () => send('set', {path: path.value, value: value.value})});
  const rate = element('span'), solver = element('span', {id: 'live-solver'});
  const row = (...children) => element('p', {}, ...children);
  page.append(
      element('h2', {textContent: 'Simulation'}),
      row(button('▶ run', 'play', 'run at the speed of the clock'), ' ', button('❚❚ pause', 'pause', ''), ' ',
          button('one step', 'step', ''), ' ', button('reset', 'reset', 'back to the start')),
      row(rate),
      element('h2', {textContent: 'Solver'}),
      row('formulation ', formulation, frictionPart), row('step ', step, ' s'), row(solver),
      element('h2', {textContent: 'Any value of the scene'}),
      row(path, ' = ', value, ' ', set), say,
      element('p', {textContent: 'Hold shift and drag a body to pull at it with a spring. With “pull” ' +
        'switched on (p), dragging alone does it, with a finger too.'}));
  return (message) => {
    updateMenu(formulation, message.formulations, message.formulation);
    updateMenu(friction, ['coulomb', 'lagged', 'cone'], message.friction);
    frictionPart.hidden = message.formulation !== 'compliant';
    solver.textContent = describeSolver(message);
    if (document.activeElement !== step) step.value = String(message.step);
    rate.textContent = message.playing
      ? `runs${message.rate ? ` at ${formatNumber(message.rate)} × real time` : ''}` : 'paused';
    if (message.trouble !== told) say.textContent = told = message.trouble;
  };
}

/** Whether dragging pulls without shift: at first only where there are fingers and no keys. */
export function makePullToggle() {
  return {key: 'p', label: 'pull', title: 'dragging pulls at bodies',
    value: window.matchMedia('(pointer: coarse)').matches, set() {}};
}

/** Dragging pulls at a body, in the plane that faces the camera; two fingers move the camera. */
export function addHand({stage, pick, X_WB}, connection, pull) {
  const {canvas, camera, controls, scene} = stage;
  const down = new Set();  // pointers on the picture
  const ray = new THREE.Raycaster(), plane = new THREE.Plane(), target = new THREE.Vector3();
  const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([target, target]),
      new THREE.LineBasicMaterial({color: '#d9480f', depthTest: false}));
  line.visible = false;
  line.frustumCulled = false;
  scene.add(line);
  let held = null, due = false;
  const aim = (event) => {
    const box = canvas.getBoundingClientRect();
    ray.setFromCamera(new THREE.Vector2(2 * (event.clientX - box.left) / box.width - 1,
        1 - 2 * (event.clientY - box.top) / box.height), camera);
  };
  const send = () => {
    if (!held) return;
    const {body, point} = held;
    connection.order('drag', {body, px: point.x, py: point.y, pz: point.z,
      tx: target.x, ty: target.y, tz: target.z}).catch(() => {});
  };
  canvas.addEventListener('pointerdown', (event) => {
    if (!event.isTrusted) return;
    down.add(event.pointerId);
    if (held && down.size > 1) handOver();
    if (!(event.shiftKey || pull.value) || event.button !== 0 || down.size > 1) return;
    aim(event);
    const hit = pick(ray);
    if (!hit || hit.body === 0) return;
    controls.enabled = false;
    held = {pointer: event.pointerId, at: event, body: hit.body,
      point: hit.point.clone().applyMatrix4(X_WB[hit.body].clone().invert())};
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), hit.point);
    target.copy(hit.point);
    line.visible = true;
    canvas.setPointerCapture(event.pointerId);
    send();
  }, {capture: true});
  canvas.addEventListener('pointermove', (event) => {
    if (held?.pointer !== event.pointerId) return;
    held.at = event;
    aim(event);
    ray.ray.intersectPlane(plane, target);
    // At most one message per picture.
    if (due) return;
    due = true;
    requestAnimationFrame(() => { due = false; send(); });
  });
  function release() {
    if (!held) return;
    held = null;
    line.visible = false;
    controls.enabled = true;
    connection.order('release').catch(() => {});
    stage.requestDraw();
  }
  // A second finger means the camera: the first one is given to it, too.
  function handOver() {
    const {pointerId, pointerType, clientX, clientY} = held.at;
    release();
    canvas.dispatchEvent(new PointerEvent('pointerdown', {pointerId, pointerType, clientX, clientY, buttons: 1}));
  }
  const lift = (event) => {
    down.delete(event.pointerId);
    if (held?.pointer === event.pointerId) release();
  };
  canvas.addEventListener('pointerup', lift);
  canvas.addEventListener('pointercancel', lift);
  return () => {
    if (!held) return;
    const from = held.point.clone().applyMatrix4(X_WB[held.body]);
    line.geometry.setFromPoints([from, target]);
  };
}
