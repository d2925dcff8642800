// The room in which bodies move: camera, light, ground, and the picture of one moment.

import * as THREE from 'three';
import {OrbitControls} from 'three/addons/controls/OrbitControls.js';

const background = new THREE.Color('#eef2f6');

function checkered() {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = 128;
  const paint = canvas.getContext('2d');
  paint.fillStyle = '#dde3e9';
  paint.fillRect(0, 0, 128, 128);
  paint.fillStyle = '#d2d9e1';
  paint.fillRect(0, 0, 64, 64);
  paint.fillRect(64, 64, 64, 64);
  const texture = new THREE.CanvasTexture(canvas);
  texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
  texture.anisotropy = 8;
  texture.colorSpace = THREE.SRGBColorSpace;
  return texture;
}

// 1, 2 or 5 times a power of ten.
function roundLength(x) {
  const power = 10 ** Math.floor(Math.log10(x));
  return power * [1, 2, 5, 10].find((m) => m * power >= x * 0.999);
}

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.insets = () => ({top: 0, bottom: 0});  // parts of the height that texts cover
    this.renderer = new THREE.WebGLRenderer({canvas, antialias: true, preserveDrawingBuffer: true});
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.scene = new THREE.Scene();
    this.scene.background = background;
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener('change', () => this.requestDraw());
    this.addLight();
    new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
  }

  addLight() {
    this.scene.add(new THREE.HemisphereLight('#ffffff', '#c8ced6', 2.3));
    this.sun = new THREE.DirectionalLight('#fff6e8', 2.0);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.scene.add(this.sun, this.sun.target);
  }

  /** Frames spheres [{p, r}] that `radius` about `center` holds, `margin` times as wide as they are. */
  lookAt(center, radius, spheres, margin) {
    this.home = {center: center.clone(), radius, spheres, margin};
    this.reset();
    const {sun} = this;
    sun.position.copy(center).add(new THREE.Vector3(-0.4, -1.3, 2.1).multiplyScalar(1.6 * radius));
    sun.target.position.copy(center);
    const shadow = sun.shadow.camera;
    Object.assign(shadow, {left: -1.7 * radius, right: 1.7 * radius, top: 1.7 * radius,
      bottom: -1.7 * radius, near: 0.05 * radius, far: 12 * radius});
    shadow.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * radius;
    this.scene.fog = new THREE.Fog(background, 9 * radius, 26 * radius);
  }

  reset() {
    const {radius} = this.home;
    const {target, position} = this.firstPlace();
    this.camera.position.copy(position);
    this.camera.near = radius / 100;
    this.camera.far = 60 * radius;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(target);
    this.controls.update();
    this.requestDraw();
  }

  // As near as all spheres allow, with their middle in the middle of what texts leave of the picture.
  firstPlace() {
    const {center, radius, spheres, margin} = this.home;
    const back = new THREE.Vector3(0.62, -1, 0.42).normalize();
    const right = new THREE.Vector3(0, 0, 1).cross(back).normalize(), up = back.clone().cross(right);
    const slope = Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)) / margin;
    const wide = slope * (this.camera.aspect || 1);
    const {top, bottom} = this.insets();
    // Of the rays along the edges: right and left, upper and lower.
    const edges = [[wide, wide], [slope * (1 - 2 * top), slope * (1 - 2 * bottom)]];
    const seen = spheres.map(({p, r}) => {
      const d = p.clone().sub(center);
      return {at: [d.dot(right), d.dot(up)], depth: d.dot(back), r};
    });
    // Along each axis the two outermost spheres touch the edges.
    const most = (axis, sign, edge) => seen.reduce((far, {at, depth, r}) =>
      Math.max(far, (sign * at[axis] + r) / edge + depth), -Infinity);
    const [x, y] = edges.map(([over, under], axis) => {
      const [a, b] = [most(axis, 1, over), most(axis, -1, under)];
      const offset = (a - b) / (1 / over + 1 / under);
      return {offset, distance: a - offset / over};
    });
    const distance = Math.max(0.3 * radius, x.distance, y.distance);
    const target = center.clone().addScaledVector(right, x.offset).addScaledVector(up, y.offset);
    return {target, position: target.clone().addScaledVector(back, distance)};
  }

  /** The plane z = 0 of `pose`: ground, or a wall that is seen from its open side only. */
  addPlane(pose) {
    const {center, radius} = this.home;
    const normal = new THREE.Vector3(0, 0, 1).applyQuaternion(pose.quaternion);
    const isWall = normal.z < 0.5;
    const extent = isWall ? 2 * radius : 60 * radius, cell = roundLength(radius / 4);
    const texture = checkered();
    texture.repeat.set(2 * extent / cell, 2 * extent / cell);
    const plane = new THREE.Mesh(
        new THREE.PlaneGeometry(2 * extent, 2 * extent),
        new THREE.MeshStandardMaterial({map: texture, roughness: 1, transparent: isWall,
          opacity: isWall ? 0.35 : 1}));
    plane.receiveShadow = !isWall;
    plane.quaternion.copy(pose.quaternion);
    // Below the middle of the picture, wherever the half-space has its origin.
    const height = center.clone().sub(pose.position).dot(normal);
    plane.position.copy(center).addScaledVector(normal, -height);
    this.scene.add(plane);
  }

  /** Lines in the plane `height`, where there is no ground: something to judge lengths by. */
  addGrid(height) {
    const {center, radius} = this.home, cell = roundLength(radius / 4);
    const grid = new THREE.GridHelper(40 * cell, 40, '#aab4c0', '#d5dce3');
    grid.rotation.x = Math.PI / 2;
    grid.position.set(Math.round(center.x / cell) * cell, Math.round(center.y / cell) * cell, height);
    this.scene.add(grid);
  }

  resize() {
    const {clientWidth: width, clientHeight: height} = this.canvas.parentElement;
    if (!width || !height) return;
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    if (this.home && !this.placed) { this.placed = true; this.reset(); }
    this.requestDraw();
  }

  requestDraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.renderer.render(this.scene, this.camera);
      this.onDraw?.(this.camera);
    });
  }
}
