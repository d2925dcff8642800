// Draws the shapes of all bodies: shapes of one form are drawn together, each placed by its body.

import * as THREE from 'three';
import {bodyColors, worldColor} from './palette.js';
import {makeGeometry, shapeKey} from './shapes.js';

function poseMatrix([x, y, z, qw, qx, qy, qz]) {
  return new THREE.Matrix4().compose(new THREE.Vector3(x, y, z),
      new THREE.Quaternion(qx, qy, qz, qw), new THREE.Vector3(1, 1, 1));
}

// Names of the materials of things that move.
function materialsOf(header) {
  return [...new Set(header.shapes.filter((s) => s.body !== 0).map((s) => s.material))];
}

const colorNumber = (index) => bodyColors[index % bodyColors.length];

/** [[name, color]] where bodies are told apart by material. */
export function materialColors(header) {
  const materials = materialsOf(header);
  return materials.length > 1 ? materials.map((name, i) => [name, colorNumber(i)]) : [];
}

// Bodies of different materials are told apart first; where all are alike, body by body.
function colorOf(shape, header) {
  if (shape.body === 0) return worldColor;
  const materials = materialsOf(header);
  return colorNumber(materials.length > 1 ? materials.indexOf(shape.material) : shape.body - 1);
}

export class BodyView {
  constructor(run, scene) {
    this.run = run;
    this.groups = [];
    const groups = new Map();
    for (const shape of run.header.shapes) {
      if (shape.type === 'half-space' || shape.type === 'points') continue;
      const key = shapeKey(shape);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(shape);
    }
    for (const shapes of groups.values()) this.addGroup(shapes, scene);
    this.X_WB = run.header.bodies.map(() => new THREE.Matrix4());
    this.scratch = {p: new THREE.Vector3(), q: new THREE.Quaternion(), r: new THREE.Quaternion(),
      one: new THREE.Vector3(1, 1, 1), m: new THREE.Matrix4()};
  }

  addGroup(shapes, scene) {
    const geometry = makeGeometry(shapes[0], this.run);
    if (!geometry) return;
    const material = new THREE.MeshStandardMaterial({roughness: 0.55, metalness: 0.05,
      side: shapes[0].type === 'mesh' ? THREE.DoubleSide : THREE.FrontSide});
    const mesh = new THREE.InstancedMesh(geometry, material, shapes.length);
    mesh.castShadow = mesh.receiveShadow = true;
    mesh.frustumCulled = false;
    shapes.forEach((shape, i) => {
      mesh.setColorAt(i, new THREE.Color(colorOf(shape, this.run.header)));
    });
    mesh.userData.bodies = shapes.map((shape) => shape.body);
    this.groups.push({mesh, shapes, X_BG: shapes.map((shape) => poseMatrix(shape.pose))});
    scene.add(mesh);
  }

  /** Poses between frame and the next one, `part` of the way. */
  placeBodies(frame, part) {
    const {run, scratch: {p, q, r, one}} = this;
    const next = Math.min(frame + 1, run.frames - 1), stride = 7 * (run.bodies - 1);
    for (let b = 1; b < run.bodies; ++b) {
      const i = frame * stride + 7 * (b - 1), k = next * stride + 7 * (b - 1), x = run.poses;
      p.set(x[i] + part * (x[k] - x[i]), x[i + 1] + part * (x[k + 1] - x[i + 1]),
          x[i + 2] + part * (x[k + 2] - x[i + 2]));
      q.set(x[i + 4], x[i + 5], x[i + 6], x[i + 3]);
      if (part > 0) q.slerp(r.set(x[k + 4], x[k + 5], x[k + 6], x[k + 3]), part);
      this.X_WB[b].compose(p, q, one);
    }
  }

  update(frame, part) {
    this.placeBodies(frame, part);
    const {m} = this.scratch;
    for (const {mesh, shapes, X_BG} of this.groups) {
      shapes.forEach((shape, i) => {
        mesh.setMatrixAt(i, m.multiplyMatrices(this.X_WB[shape.body], X_BG[i]));
      });
      mesh.instanceMatrix.needsUpdate = true;
      mesh.boundingSphere = null;  // else a ray misses what has moved
    }
  }

  /** {body, point, distance} of the shape that the ray hits first, or null. */
  pick(raycaster) {
    const hits = raycaster.intersectObjects(this.groups.map((group) => group.mesh), false);
    if (hits.length === 0) return null;
    const {object, instanceId, point, distance} = hits[0];
    return {body: object.userData.bodies[instanceId], point, distance};
  }

  setTransparent(on) {
    for (const {mesh} of this.groups) {
      mesh.material.transparent = on;
      mesh.material.opacity = on ? 0.35 : 1;
      mesh.material.depthWrite = !on;
      mesh.material.needsUpdate = true;
    }
  }
}
