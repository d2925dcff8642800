#!/usr/bin/env node
// Takes the pictures of reports in README.md: the verdicts of `voigt reproduce` and time against
// error beside other engines. Arguments: reproduce.html and peers.html; without them, those that
// `make reproduce` and `make bench-peers` leave.

import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const reproduce = process.argv[2] ?? path.join(root, 'out/reproduce.html');
const peers = process.argv[3] ?? path.join(root, 'build/bench-peers/peers.html');
const scenes = ['stack-100', 'foundation-900', 'granular-1001', 'humanoid'];

process.env.VOIGT_PROGRAM ??= path.join(root, 'build/release/apps/voigt/voigt');
process.env.VOIGT_NODE_MODULES ??= path.join(root, 'build/release/viewer/node_modules');
process.env.VOIGT_SCENES ??= path.join(root, 'scenes');
const scratch = mkdtempSync(path.join(tmpdir(), 'voigt-reports-'));
process.env.VOIGT_ARTEFACTS ??= scratch;
const {launch} = await import('../viewer/test/browser.mjs');
const {asWebp} = await import('./webp.mjs');

async function save(page, name, png) {
  const picture = await asWebp(page, png);
  writeFileSync(path.join(root, 'docs/images', `${name}.webp`), picture);
  console.log(`docs/images/${name}.webp  ${picture.length} bytes`);
}

const browser = await launch();
const page = await browser.newPage({viewport: {width: 1080, height: 900}});

// From the totals to the end of the list of verdicts.
await page.goto(`file://${path.resolve(reproduce)}`);
const [first, last] = [await page.locator('.totals').boundingBox(), await page.locator('.index').boundingBox()];
const clip = {x: 0, y: first.y - 16, width: 1080, height: last.y + last.height - first.y + 32};
await save(page, 'reproduce', await page.screenshot({clip, fullPage: true}));

// The charts of four scenes side by side.
await page.goto(`file://${path.resolve(peers)}`);
await page.evaluate((names) => {
  const charts = names.map((name) => {
    const section = document.getElementById(name), cell = document.createElement('div');
    const title = document.createElement('b');
    title.textContent = section.querySelector('h2').textContent;
    cell.append(title, section.querySelector('svg'));
    cell.querySelector('svg').setAttribute('width', '100%');
    return cell;
  });
  const grid = document.createElement('div');
  grid.id = 'grid';
  grid.style = 'display: grid; grid-template-columns: 1fr 1fr; gap: 12px; padding: 12px; background: white; width: 1400px';
  grid.append(...charts);
  document.body.replaceChildren(grid);
}, scenes);
await page.setViewportSize({width: 1440, height: 900});
await save(page, 'peers', await page.locator('#grid').screenshot());
await browser.close();
rmSync(scratch, {recursive: true});
