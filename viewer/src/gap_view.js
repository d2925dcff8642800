// Constraints that are not met: a line from where a point should be to where it is, drawn larger than
// it is, and the size in figures. Directions that are off show as an angle.

import * as THREE from 'three';
import {element, formatLength, formatNumber} from './element.js';

const numbers = 7;  // point, opening, turn
const mostLabels = 6;

export class GapView {
  /** `host` takes the figures; `size` is that of the scene, m. */
  constructor(run, scene, size, host) {
    Object.assign(this, {run, size, host, least: 1e-6 * size, leastTurn: 1e-6});
    this.measure();
    this.visible = this.largest > 1e-4 * size || this.largestTurn > 1e-3;
    const count = run.header.held.length;
    this.geometry = new THREE.BufferGeometry();
    this.geometry.setAttribute('position', new THREE.BufferAttribute(new Float32Array(6 * count), 3));
    const lines = new THREE.LineSegments(this.geometry,
        new THREE.LineBasicMaterial({color: '#c2255c', depthTest: false, transparent: true}));
    this.dots = new THREE.InstancedMesh(new THREE.SphereGeometry(0.009 * size, 12, 8),
        new THREE.MeshBasicMaterial({color: '#c2255c', depthTest: false, transparent: true}), Math.max(count, 1));
    for (const part of [lines, this.dots]) {
      part.frustumCulled = false;
      part.renderOrder = 4;
      scene.add(part);
    }
    this.labels = Array.from({length: Math.min(count, mostLabels)},
        () => element('span', {className: 'gap', hidden: true}));
    host.append(...this.labels);
    this.shown = [];
  }

  /** The largest of the run; lines are drawn so much larger that it can be seen. */
  measure() {
    this.largest = this.largestTurn = 0;
    const {gaps} = this.run;
    for (let i = 0; i < gaps.length; i += numbers) {
      this.largest = Math.max(this.largest, Math.hypot(gaps[i + 3], gaps[i + 4], gaps[i + 5]));
      this.largestTurn = Math.max(this.largestTurn, gaps[i + 6]);
    }
    const room = this.largest > 0 ? 0.15 * this.size / this.largest : 1;
    this.scale = 10 ** Math.max(0, Math.floor(Math.log10(room)));
  }

  get any() { return this.largest > this.least || this.largestTurn > this.leastTurn; }

  update(frame) {
    const {run, scale} = this, count = run.header.held.length;
    const position = this.geometry.attributes.position;
    this.shown = [];
    for (let k = 0; this.visible && k < count; ++k) {
      const first = numbers * (frame * count + k);
      const [x, y, z, dx, dy, dz, turn] = run.gaps.subarray(first, first + numbers);
      const opening = Math.hypot(dx, dy, dz);
      if (opening < this.least && turn < this.leastTurn) continue;
      const n = this.shown.length;
      position.setXYZ(2 * n, x, y, z);
      position.setXYZ(2 * n + 1, x - scale * dx, y - scale * dy, z - scale * dz);
      this.dots.setMatrixAt(n, new THREE.Matrix4().makeTranslation(x, y, z));
      this.shown.push({name: run.header.held[k], point: new THREE.Vector3(x, y, z), opening, turn});
    }
    position.needsUpdate = this.dots.instanceMatrix.needsUpdate = true;
    this.geometry.setDrawRange(0, 2 * this.shown.length);
    this.dots.count = this.shown.length;
    this.write();
  }

  write() {
    const worst = this.shown.slice().sort((a, b) => b.opening - a.opening || b.turn - a.turn);
    this.labels.forEach((label, i) => {
      label.hidden = !worst[i];
      if (!worst[i]) return;
      const {name, point, opening, turn} = worst[i];
      label.point = point;
      const figures = [opening >= this.least ? formatLength(opening) : '',
        turn >= this.leastTurn ? `${formatNumber(turn)} rad` : ''].filter(Boolean).join(', ');
      label.textContent = figures;
      label.title = name;
    });
  }

  /** Puts the figures beside their points, as the camera sees them. */
  place(camera) {
    const at = new THREE.Vector3(), {clientWidth, clientHeight} = this.host;
    for (const label of this.labels) {
      if (label.hidden) continue;
      at.copy(label.point).project(camera);
      label.style.visibility = Math.abs(at.x) < 1 && Math.abs(at.y) < 1 && at.z < 1 ? 'visible' : 'hidden';
      label.style.transform =
          `translate(${(0.5 + 0.5 * at.x) * clientWidth + 8}px, ${(0.5 - 0.5 * at.y) * clientHeight - 22}px)`;
    }
  }
}
