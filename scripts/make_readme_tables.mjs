#!/usr/bin/env node
// Writes the tables of README.md anew: those of `voigt reproduce` from the JSON that it wrote
// (make reproduce, or a path as the argument), those beside other engines from bench/results. Each
// stands between two comments in the page.

import {readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const readme = path.join(root, 'README.md');
const reproduced = process.argv[2] ?? path.join(root, 'out/reproduce.json');

// Table or figure, quantity, digits.
const numbers = [
  ['000-figure-4', 'order_voigt', 5],
  ['000-figure-9', 'distance_0.25', 7],
  ['000-figure-10', 'z_100', 14],
  ['000-table-1', 'time_50N_900_1e11', 2],
  ['000-table-2', 'error_50N_900_1e7', 3],
  ['001-figure-2', 'apart_0.1', 2],
  ['001-figure-4', 'reached_lcp_one', 2],
  ['002-figure-2', 'rolls_from_mncp-plm', 4],
  ['002-timings', 'time_mlcp-lemke', 2],
  ['003-cart', 'equal_1', 12],
  ['003-pin-joint', 'stick_angle', 11],
  ['004-figure-2', 'last_0.2', 8],
  ['004-figure-3', 'used_up_0', 3],
];

const scenes = {
  'stack-100': 'stack of 100 spheres, 1e11 N/m',
  'ramp60-0.25': 'block slides down a ramp for 60 s',
  'ramp60-0.375': 'block rests on the ramp for 60 s',
  'foundation-900': 'cube on 900 springs',
  'granular-1001': '1001 spheres fall into a box, 1e7 N/m',
  'granular-1001-soft': 'the same, 2e6 N/m',
  'granular-1001-settled': 'the same until it rests, steps of 4 ms',
  'pendulum-12': 'twelve links, floor and wall',
  'four-bar-20': 'twenty loops',
  'wall': 'wall of 27 boxes',
  'gripper': 'gripper holds a box for 60 s',
  'humanoid': 'humanoid falls, random torques',
};

// Without zeros that say nothing.
function round(x, digits) {
  const short = Number(x.toPrecision(digits));
  return Math.abs(short) < 1e-3 && short !== 0 ? short.toExponential() : String(short);
}

function reproduceTable(list) {
  const count = new Map();
  for (const each of list) count.set(each.verdict, (count.get(each.verdict) ?? 0) + 1);
  const totals = [...count].map(([verdict, n]) => `${n} ${verdict}`).join(', ');
  const claim = (value) => value === null ? '–' : typeof value === 'number' ? round(value, 15) : value;
  const lines = [
    `All ${list.length} tables and figures: ${totals}. Some of their numbers:`, '',
    '| | quantity | paper | voigt | reference | verdict |', '|---|---|---|---|---|---|',
  ];
  for (const [name, quantity, digits] of numbers) {
    const each = list.find((item) => item.name === name);
    const q = each?.quantities.find((item) => item.name === quantity);
    if (!q || q.ours === null) throw new Error(`${name} has no ${quantity}: not a whole run?`);
    const label = q.unit ? `${q.label} [${q.unit}]` : q.label;
    lines.push(`| ${name} | ${label} | ${claim(q.paper)} | ${round(q.ours, digits)} | ${claim(q.reference)} | ${q.verdict} |`);
  }
  return lines.join('\n');
}

function readCsv(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const keys = head.split(',');
  // Only the last column, the status, may hold commas.
  return lines.map((line) => {
    const cells = line.split(',');
    const status = cells.slice(keys.length - 1).join(',').replaceAll('"', '');
    return Object.fromEntries(keys.map((key, k) => [key, k < keys.length - 1 ? cells[k] : status]));
  });
}

function peersTable(rows) {
  const time = ({time_s_per_s: t}) => t < 1 ? `${round(1e3 * t, 2)} ms` : `${round(Number(t), 2)} s`;
  const size = (x) => x === '0' ? '0' : Number(x).toExponential(0);
  const cell = (row) => row ? `${row.engine}: ${time(row)}, ${size(row.error)} m` : '–';
  const lines = ['| scene | voigt | fastest peer that does it | most accurate one |', '|---|---|---|---|'];
  for (const [scene, words] of Object.entries(scenes)) {
    const all = rows.filter((row) => row.scene === scene);
    const ours = all.find((row) => row.engine === 'voigt');
    const good = all.filter((row) => row !== ours && row.status === 'ok');
    if (!ours || ours.status !== 'ok') throw new Error(`${scene}: nothing of voigt`);
    const least = (key) => good.reduce((a, b) => Number(b[key]) < Number(a[key]) ? b : a, good[0]);
    lines.push(`| ${words} | ${time(ours)}, ${size(ours.error)} m | ` +
        `${cell(least('time_s_per_s'))} | ${cell(least('error'))} |`);
  }
  return lines.join('\n');
}

function replace(page, name, text) {
  const [begin, end] = [`<!-- ${name} -->\n`, `\n<!-- end of ${name} -->`];
  const from = page.indexOf(begin), to = page.indexOf(end);
  if (from < 0 || to < from) throw new Error(`README.md has no place for ${name}`);
  return page.slice(0, from + begin.length) + '\n' + text + '\n' + page.slice(to);
}

let page = readFileSync(readme, 'utf8');
page = replace(page, 'reproduce', reproduceTable(JSON.parse(readFileSync(reproduced, 'utf8'))));
page = replace(page, 'peers', peersTable(readCsv(path.join(root, 'bench/results/peers.csv'))));
writeFileSync(readme, page);
