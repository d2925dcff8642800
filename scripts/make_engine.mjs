#!/usr/bin/env node
// Writes the engine of scenes/engine_*.yaml: an inline engine whose joints are contacts of convex meshes only,
// after [Drumwright & Shell 2010, §4.1], which gives no dimensions. Those below are ours, in mm.
//
//   node scripts/make_engine.mjs            # meshes and scenes
//   node scripts/make_engine.mjs --check    # writes nothing; fails if a file is not as it would be written
//
// Axes: x along the crankshaft, z up along the cylinders. Frames of bodies: the crankshaft's on its axis with the
// first throw along z, a rod's in its big end with the small end along z, a piston's in its wrist pin.

import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', 'scenes');

const clearance = 0.05;          // of all bearings and bores, from the corners of a journal to the flats of its bore
const journalSides = 24;         // of journals and pins; their corners lie on the radius
const boreSides = 8;             // flats of bearings, and of pistons and cylinders
const pitch = 76, throwRadius = 30, rodLength = 100;
const main = {radius: 14, length: 46, outer: 21, width: 44};
const pin = {radius: 12, length: 14};
const web = {width: 8, outline: [[8, 43], [14, 36], [26, -8], [26, -24], [14, -36]]};  // y ≥ 0 and z; pin at z = 30
const rod = {width: 12, bigOuter: 18, smallOuter: 13, shank: [8, 12]};
const wrist = {radius: 8, length: 15};
const piston = {radius: 30, crown: [15, 35], skirt: [-20, 15], slot: 7.5};  // radius to its flats; heights from the pin
const cylinder = {from: 46, to: 170, wall: 5, width: 14};                   // heights from the crankshaft; slotted

// A prism over a convex polygon [[u, v], …], counter-clockwise; `place` makes (x, y, z) of (u, v, along).
function makePrism(polygon, low, high, place) {
  const n = polygon.length;
  const vertices = [low, high].flatMap((w) => polygon.map(([u, v]) => place(u, v, w)));
  const faces = [polygon.map((_, i) => n - i), polygon.map((_, i) => n + 1 + i)];
  polygon.forEach((_, i) => faces.push([i + 1, (i + 1) % n + 1, n + (i + 1) % n + 1, n + i + 1]));
  return {vertices, faces};
}

const alongX = (y, z, x) => [x, y, z];
const alongZ = (x, y, z) => [x, y, z];
const regular = (n, radius, first = 0) => Array.from({length: n}, (_, k) =>
  [radius * Math.cos(first + 2 * Math.PI * k / n), radius * Math.sin(first + 2 * Math.PI * k / n)]);
// Flats at the distance `inner`, the first towards u; or corners there.
const flats = (n, inner, first = Math.PI / n) => regular(n, inner / Math.cos(Math.PI / n), first);

function cut(polygon, u) {  // what lies beyond u
  const out = [];
  polygon.forEach((a, i) => {
    const b = polygon[(i + 1) % polygon.length];
    if (a[0] >= u) out.push(a);
    if ((a[0] >= u) !== (b[0] >= u)) out.push([u, a[1] + (b[1] - a[1]) * (u - a[0]) / (b[0] - a[0])]);
  });
  return out;
}

const number = (x) => String(Number(x.toFixed(12)) || 0);

function writeMesh({vertices, faces}, comment) {
  return [`# ${comment}`, ...vertices.map((p) => `v ${p.map((x) => number(x / 1000)).join(' ')}`),
    ...faces.map((f) => `f ${f.join(' ')}`), ''].join('\n');
}

const webOutline = [...web.outline.map(([y, z]) => [y, z]).reverse(), ...web.outline.map(([y, z]) => [-y, z])];
const octagon = flats(boreSides, piston.radius, 0);
const meshes = {
  block: [makePrism([[-500, -500], [500, -500], [500, 500], [-500, 500]], -500, 500, alongX),
    'A cube of 1 m about its centre.'],
  journal: [makePrism(regular(journalSides, 1000), -500, 500, alongX),
    `A prism of ${journalSides} sides along x: length 1 m, corners at 1 m from its axis.`],
  web: [makePrism(webOutline, -web.width / 2, web.width / 2, alongX),
    `A web of the crankshaft, ${web.width} mm, with its counterweight; the pin is at z = ${throwRadius} mm.`],
  crown: [makePrism(octagon, ...piston.crown, alongZ),
    `The crown of a piston: ${boreSides} flats at ${piston.radius} mm, the wrist pin's axis is x.`],
  skirt: [makePrism(cut(octagon, piston.slot), ...piston.skirt, alongZ),
    `The half of a piston's skirt beyond x = ${piston.slot} mm.`],
};

// Area, first and second moments of a polygon about the origin, by Green's theorem.
function calcMoments(polygon) {
  const sum = {A: 0, z: 0, yy: 0, zz: 0};
  polygon.forEach(([y0, z0], i) => {
    const [y1, z1] = polygon[(i + 1) % polygon.length], c = y0 * z1 - y1 * z0;
    sum.A += c / 2;
    sum.z += c * (z0 + z1) / 6;
    sum.yy += c * (y0 * y0 + y0 * y1 + y1 * y1) / 12;
    sum.zz += c * (z0 * z0 + z0 * z1 + z1 * z1) / 12;
  });
  return sum;
}

// Of a rod of 1 kg: its plates overlap in the corners of the bores, so that the sum of shapes would count those twice.
function calcRod() {
  const total = {m: 0, z: 0, xx: 0, yy: 0, zz: 0};
  const add = (polygon, width, sign = 1) => {
    const {A, z, yy, zz} = calcMoments(polygon), w = sign * width;
    total.m += w * A;
    total.z += w * z;
    total.xx += w * A * width * width / 12;
    total.yy += w * yy;
    total.zz += w * zz;
  };
  const ring = (inner, outer, at) => {
    const shift = (polygon) => polygon.map(([y, z]) => [y, z + at]);
    add(shift(flats(boreSides, outer)), rod.width);
    add(shift(flats(boreSides, inner)), rod.width, -1);
  };
  ring(pin.radius + clearance, rod.bigOuter, 0);
  ring(wrist.radius + clearance, rod.smallOuter, rodLength);
  const [x, y] = rod.shank, low = rod.bigOuter, high = rodLength - rod.smallOuter;
  add([[-y / 2, low], [y / 2, low], [y / 2, high], [-y / 2, high]], x);
  const com = total.z / total.m, zz = total.zz / total.m - com * com;
  const xx = total.xx / total.m, yy = total.yy / total.m;
  return {com: com * 1e-3, inertia: [yy + zz, xx + zz, xx + yy].map((i) => i * 1e-6)};
}

const m = (x) => number(x / 1000);
const mesh = (name) => `shape: mesh, file: meshes/engine/${name}.obj, convex: true`;

// Flat plates around an axis along x, whose faces go on behind those of their neighbours: a corner that slides
// from one flat to the next meets the face of that, and not its edge.
function writeBore(indent, {name, inner, outer, width, x, z, extra = ''}) {
  const side = 2 * outer * Math.tan(Math.PI / boreSides), at = `(${inner} + ${m(outer)}) / 2`;
  const turn = `\${k} * ${360 / boreSides} deg`;
  return `${indent}- {repeat: {${extra}k: ${boreSides}}, name: ${name}, ${mesh('block')},
${indent}   scale: [${m(width)}, ${m(side)}, ${m(outer)} - (${inner})], rpy: ["${turn}", 0, 0],
${indent}   position: ["${x}", "-${at} * sin(${turn})", "${z}${at} * cos(${turn})"]}
`;
}

function writeScene(count) {
  const {com, inertia} = calcRod(), is_one = count === 1;
  const phase = is_one ? '0' : '(${i} == 1 || ${i} == 2) * pi';  // flat crankshaft, pins 1 and 4 together
  const across = `throw * sin(angle + ${phase})`, up = `throw * cos(angle + ${phase})`;
  const first = `(\${i} - ${number((count - 1) / 2)}) * pitch`;
  const around = `(\${k} + 0.5) * ${360 / boreSides} deg`, wallAt = `(${m(piston.radius + cylinder.wall / 2)} + clearance)`;
  const mainAt = `(\${j} - ${number(count / 2)}) * pitch`;
  return `# Written by scripts/make_engine.mjs, which has all dimensions.
name: ${is_one ? 'Engine of one cylinder' : 'Inline engine of four cylinders'}
description: >
  ${is_one ? 'A torque turns a crankshaft' : 'A torque turns the crankshaft of four pistons'}, and there is no joint: shafts lie in bearings, rods hang on pins and
  ${is_one ? 'a piston slides in its bore' : 'pistons slide in their bores'} by contacts of convex meshes alone, without friction. Journals of ${journalSides} sides in
  bearings of ${boreSides} flats rattle in their clearance of 50 µm, and every landing takes energy
  [Drumwright & Shell 2010, §4.1]. All parts have 1 kg.

parameters:
  torque: ${is_one ? 5 : 15}              # on the crankshaft, N m
  friction: 0
  clearance: ${m(clearance)}       # from corners to flats, m
  angle: 40 deg          # of the first pin from above
  throw: ${m(throwRadius)}            # m
  rod: ${m(rodLength)}               # between its bores, m
  pitch: ${m(pitch)}           # of cylinders, m

gravity: [0, 0, -9.8]

materials:
  default: {friction: friction}

world:
  geometry:
${writeBore('    ', {name: 'bearing', inner: `${m(main.radius)} + clearance`, outer: main.outer, width: main.width, x: mainAt,
    z: '', extra: `j: ${count + 1}, `})}\
    - {repeat: {i: ${count}, k: ${boreSides}}, name: cylinder, ${mesh('block')},
       scale: [${m(cylinder.wall)}, ${m(cylinder.width)}, ${m(cylinder.to - cylinder.from)}], rpy: [0, 0, "${around}"],
       position: ["${first} + ${wallAt} * cos(${around})", "${wallAt} * sin(${around})", ${m((cylinder.from + cylinder.to) / 2)}]}

bodies:
  - name: crankshaft
    mass: 1
    geometry:
      - {repeat: {j: ${count + 1}}, name: journal, ${mesh('journal')},
         scale: [${m(main.length)}, ${m(main.radius)}, ${m(main.radius)}], position: ["${mainAt}", 0, 0]}
      - {repeat: {i: ${count}}, name: pin, ${mesh('journal')},
         scale: [${m(pin.length)}, ${m(pin.radius)}, ${m(pin.radius)}],
         position: ["${first}", 0, "throw * cos(${phase})"]}
      - {repeat: {i: ${count}, s: 2}, name: web, ${mesh('web')},
         rpy: ["${phase}", 0, 0], position: ["${first} + (\${s} - 0.5) * ${m(pin.length + web.width)}", 0, 0]}

  # Its plates overlap where flats meet, so that its inertia is given: that of their union, with 1 kg.
  - repeat: {i: ${count}}
    name: rod\${i + 1}
    mass: 1
    com: [0, 0, ${number(com)}]
    inertia: [${inertia.map(number).join(', ')}]
    geometry:
${writeBore('      ', {name: 'big_end', inner: `${m(pin.radius)} + clearance`, outer: rod.bigOuter, width: rod.width, x: '0', z: ''})}\
${writeBore('      ', {name: 'small_end', inner: `${m(wrist.radius)} + clearance`, outer: rod.smallOuter, width: rod.width, x: '0', z: 'rod + '})}\
      - {name: shank, ${mesh('block')},
         scale: [${m(rod.shank[0])}, ${m(rod.shank[1])}, rod - ${m(rod.bigOuter + rod.smallOuter)}], position: [0, 0, (rod + ${m(rod.bigOuter - rod.smallOuter)}) / 2]}

  - repeat: {i: ${count}}
    name: piston\${i + 1}
    mass: 1
    geometry:
      - {name: crown, ${mesh('crown')}}
      - {name: skirt, ${mesh('skirt')}}
      - {name: skirt, ${mesh('skirt')}, rpy: [0, 0, 180 deg]}
      - {name: pin, ${mesh('journal')},
         scale: [${m(wrist.length)}, ${m(wrist.radius)}, ${m(wrist.radius)}]}

joints:
  - {name: crank, type: free, child: crankshaft}
  - {repeat: {i: ${count}}, name: "swing\${i + 1}", type: free, child: "rod\${i + 1}"}
  - {repeat: {i: ${count}}, name: "slide\${i + 1}", type: free, child: "piston\${i + 1}"}

loads:
  - {name: drive, body: crankshaft, torque: [torque, 0, 0]}

# Every journal in the middle of its bearing.
initial:
  - {joint: crank, rpy: [angle, 0, 0]}
  - repeat: {i: ${count}}
    joint: swing\${i + 1}
    position: ["${first}", "-${across}", "${up}"]
    rpy: ["-asin(${across} / rod)", 0, 0]
  - repeat: {i: ${count}}
    joint: slide\${i + 1}
    position: ["${first}", 0, "${up} + sqrt(rod^2 - (${across})^2)"]

simulation: {step: 1e-4, until: 0.05}
`;
}

const files = {'engine_one_cylinder.yaml': writeScene(1), 'engine_four_cylinders.yaml': writeScene(4)};
for (const [name, [solid, comment]] of Object.entries(meshes)) {
  files[`meshes/engine/${name}.obj`] = writeMesh(solid, comment);
}
if (process.argv[2] === '--check') {
  const read = (file) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  const others = Object.keys(files).filter((name) => read(path.join(root, name)) !== files[name]);
  for (const name of others) console.error(`scenes/${name} is not what scripts/make_engine.mjs writes`);
  process.exit(others.length === 0 ? 0 : 1);
}
mkdirSync(path.join(root, 'meshes/engine'), {recursive: true});
for (const [name, text] of Object.entries(files)) writeFileSync(path.join(root, name), text);
