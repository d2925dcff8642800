// Contact points, coloured by stick and slip, with arrows for their forces; elements of foundations
// as tiles coloured by pressure.

import * as THREE from 'three';
import {rampColor, stateColors} from './palette.js';

const mostShown = 400;
const states = ['open', 'stick', 'slip'];
const up = new THREE.Vector3(0, 0, 1);

function instances(geometry, count, scene) {
  const material = new THREE.MeshBasicMaterial({depthTest: false, transparent: true});
  const mesh = new THREE.InstancedMesh(geometry, material, Math.max(count, 1));
  mesh.setColorAt(0, new THREE.Color(1, 1, 1));
  mesh.frustumCulled = false;
  mesh.renderOrder = 2;
  mesh.count = 0;
  scene.add(mesh);
  return mesh;
}

// What 95 % of the values stay below, so that one impact does not shrink all arrows to dots.
function usualLargest(values) {
  const sorted = Float64Array.from(values).filter((x) => x > 0).sort();
  return sorted.length ? sorted[Math.floor(0.95 * (sorted.length - 1))] : 0;
}

export class ContactView {
  constructor(run, scene, size) {
    this.run = run;
    this.size = size;
    this.scene = scene;
    const ball = new THREE.SphereGeometry(1, 12, 8);
    const shaft = new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    const head = new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0).rotateX(Math.PI / 2);
    this.forms = {points: ball, shafts: shaft, heads: head, tiles: new THREE.BoxGeometry(1, 1, 0.02)};
    this.room = 0;
    this.measure();
    // A thousand arrows would hide what they belong to.
    const most = this.mostContacts();
    this.showPoints = most < mostShown || this.hasPressure();
    this.showForces = most < mostShown;
    this.makeRoom(most);
    this.colors = states.map((state) => new THREE.Color(stateColors[state]));
    this.s = {p: new THREE.Vector3(), f: new THREE.Vector3(), q: new THREE.Quaternion(),
      k: new THREE.Vector3(), m: new THREE.Matrix4(), c: new THREE.Color(), tip: new THREE.Vector3()};
  }

  /** Sizes of forces and pressures, for scales. */
  measure() {
    const {run} = this, total = run.contact_start[run.frames];
    const force = new Float64Array(total);
    for (let c = 0; c < total; ++c) {
      if (!(run.contact_pressure[c] >= 0)) force[c] = run.contact_force_size[c];
    }
    this.usualForce = usualLargest(force);
    this.usualPressure = usualLargest(run.contact_pressure);
  }

  mostContacts() {
    let most = 0;
    for (let frame = 0; frame < this.run.frames; ++frame) {
      const [first, last] = this.run.contactsOf(frame);
      most = Math.max(most, last - first);
    }
    return most;
  }

  /** Meshes that can draw so many contacts. */
  makeRoom(count) {
    if (count <= this.room) return;
    this.room = 2 * count;
    for (const [name, form] of Object.entries(this.forms)) {
      if (this[name]) this.scene.remove(this[name]);
      this[name] = instances(form, this.room, this.scene);
    }
  }

  hasPressure() { return this.usualPressure > 0; }

  put(mesh, color) {
    const {p, q, k, m} = this.s;
    mesh.setMatrixAt(mesh.count, m.compose(p, q, k));
    mesh.setColorAt(mesh.count, color);
    ++mesh.count;
  }

  update(frame) {
    const [first, last] = this.run.contactsOf(frame);
    this.makeRoom(last - first);
    const all = Object.keys(this.forms).map((name) => this[name]).filter(Boolean);
    for (const mesh of all) mesh.count = 0;
    for (let c = first; c < last; ++c) this.addContact(c);
    for (const mesh of all) {
      mesh.instanceMatrix.needsUpdate = true;
      mesh.instanceColor.needsUpdate = true;
    }
  }

  addContact(c) {
    const {run, s: {p, q, k, f}} = this;
    p.fromArray(run.contact_point, 3 * c);
    const isTile = run.contact_pressure[c] >= 0;  // NaN where there is none
    if (isTile) {
      if (this.showPoints) this.addTile(c);
      return;
    }
    const color = this.colors[run.contact_state[c]];
    if (this.showPoints) {
      q.identity();
      k.setScalar(0.008 * this.size);
      this.put(this.points, color);
    }
    f.fromArray(run.contact_force, 3 * c);
    if (this.actsOnA(c, f)) f.negate();
    if (this.showForces && f.length() > 1e-9 * this.usualForce) this.addArrow(f, color);
  }

  // Action and reaction: of the two, the force on the body that moves, or on the upper one.
  actsOnA(c, f) {
    const [a, b] = this.run.contact_bodies.subarray(2 * c, 2 * c + 2);
    return b === 0 || (a !== 0 && f.z < 0);
  }

  addTile(c) {
    const {run, s: {p, q, k, f, c: color}} = this;
    const edge = Math.sqrt(run.contact_area[c]) || 0.02 * this.size;
    q.setFromUnitVectors(up, f.fromArray(run.contact_normal, 3 * c));
    k.set(0.92 * edge, 0.92 * edge, edge);
    color.setRGB(...rampColor(run.contact_pressure[c] / this.usualPressure), THREE.SRGBColorSpace);
    this.put(this.tiles, color);
  }

  // Its length grows with the force up to what most forces stay below.
  addArrow(f, color) {
    const {p, q, k, tip} = this.s;
    const length = 0.3 * this.size * Math.min(f.length() / this.usualForce, 1);
    const head = Math.min(0.05 * this.size, 0.5 * length), thickness = 0.005 * this.size;
    f.normalize();
    q.setFromUnitVectors(up, f);
    tip.copy(p).addScaledVector(f, length - head);
    k.set(thickness, thickness, length - head);
    this.put(this.shafts, color);
    p.copy(tip);
    k.set(0.35 * head, 0.35 * head, head);
    this.put(this.heads, color);
  }
}
