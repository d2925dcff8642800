#!/usr/bin/env node
// Writes docs/gallery.md: every scene with a still and one sentence, the first of its description.
// Stills are taken from the pages that the program makes, in a browser without a window:
//
//   node scripts/make_gallery.mjs             # stills that are missing, and the page
//   node scripts/make_gallery.mjs NAME...     # these stills anew, and the page
//   node scripts/make_gallery.mjs --all       # all of them
//   node scripts/make_gallery.mjs --check     # draws nothing; fails if page or stills are not as they should be
//
// The program is build/release/apps/voigt/voigt, or that of the variable VOIGT_PROGRAM.

import {existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync}
  from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {extra, moments, sections} from './gallery_order.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.join(root, 'docs/gallery'), page = path.join(root, 'docs/gallery.md');
const size = {width: 480, height: 300}, mostBytes = 40000;
const still = (name) => path.join(folder, `${name}.webp`);

// Names and descriptions stand at the left edge of a scene; a description may be folded (>).
function readScene(name) {
  const text = readFileSync(path.join(root, 'scenes', `${name}.yaml`), 'utf8');
  const title = text.match(/^name: *(.+)$/m)?.[1] ?? name;
  const description = (text.match(/^description: *>?((?:.*\n)(?: +.*\n)*)/m)?.[1] ?? '')
      .replace(/\s+/g, ' ').trim();
  const sentence = description.match(/^.*?[.:](?= [A-Z0-9]|$)/)?.[0] ?? description;
  return {name, title, sentence: `${sentence.replace(/[.:]$/, '')}.`};
}

function writePage(scenes) {
  const cell = ({name, title, sentence}) => `[![${title}](gallery/${name}.webp)](../scenes/${name}.yaml)<br>` +
      `**[${title}](../scenes/${name}.yaml)**<br>${sentence}`;
  const lines = ['# Gallery', '',
    'Every scene of `scenes/`. `voigt sim scenes/NAME.yaml --replay page.html` makes the page that a picture was ' +
      'taken from, and `voigt view scenes/NAME.yaml` runs the scene live ([how](replay.md)). Pictures and this page ' +
      'are made by `scripts/make_gallery.mjs`.', ''];
  const left = new Map(scenes.map((scene) => [scene.name, scene]));
  const add = (title, names) => {
    const list = names.map((name) => left.get(name)).filter(Boolean);
    if (list.length === 0) return;
    lines.push(`## ${title}`, '', '| | | |', '|---|---|---|');
    for (let i = 0; i < list.length; i += 3) {
      const row = [0, 1, 2].map((k) => (list[i + k] ? cell(list[i + k]) : ''));
      lines.push(`| ${row.join(' | ')} |`);
    }
    lines.push('');
    names.forEach((name) => left.delete(name));
  };
  for (const [title, names] of sections) add(title, names);
  add('More', [...left.keys()]);
  return lines.join('\n');
}

function check(scenes) {
  const problems = [];
  const text = existsSync(page) ? readFileSync(page, 'utf8') : '';
  if (text !== writePage(scenes)) problems.push('docs/gallery.md is not what scripts/make_gallery.mjs writes');
  for (const {name, sentence} of scenes) {
    if (sentence.length < 10) problems.push(`scenes/${name}.yaml: no sentence in its description`);
    if (!existsSync(still(name))) {
      problems.push(`${name}: no still; run node scripts/make_gallery.mjs`);
    } else if (statSync(still(name)).size > mostBytes) {
      problems.push(`${name}: its still has more than ${mostBytes} bytes`);
    }
  }
  const known = new Set(scenes.map(({name}) => `${name}.webp`));
  for (const file of existsSync(folder) ? readdirSync(folder) : []) {
    if (!known.has(file)) problems.push(`docs/gallery/${file}: there is no such scene`);
  }
  if (problems.length === 0) return;
  console.error(problems.join('\n'));
  process.exit(1);
}

// The picture alone, at the moment that shows most, scaled down from twice its size.
async function takeStill(browser, open, makeReplay, name) {
  const file = makeReplay(name, ...(extra[name] ?? []));
  const {page: tab, errors} = await open(browser, `file://${file}#pause`,
      {width: 2 * size.width, height: 2 * size.height});
  await tab.addStyleTag({content: '#panel, #bar, #heading, #legend { display: none !important; }' +
    '#app { grid-template: minmax(0, 1fr) / minmax(0, 1fr) !important; }'});
  await tab.waitForFunction(({width}) => document.getElementById('view').clientWidth === 2 * width, size);
  const data = await tab.evaluate(async ({part, width, height}) => {
    const frame = () => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
    await frame();
    const {run, player, stage} = window.voigt;
    stage.reset();
    player.seek(run.start + part * (run.end - run.start));
    await frame();
    const small = Object.assign(document.createElement('canvas'), {width, height});
    const paint = small.getContext('2d');
    paint.imageSmoothingQuality = 'high';
    paint.drawImage(stage.canvas, 0, 0, width, height);
    return small.toDataURL('image/webp', 0.8);
  }, {part: moments[name] ?? 0.5, ...size});
  await tab.close();
  rmSync(file);
  if (errors.length) throw new Error(`${name}: ${errors.join('; ')}`);
  writeFileSync(still(name), Buffer.from(data.split(',')[1], 'base64'));
}

async function takeStills(names) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'voigt-gallery-'));
  process.env.VOIGT_PROGRAM ??= path.join(root, 'build/release/apps/voigt/voigt');
  process.env.VOIGT_NODE_MODULES ??= path.join(root, 'build/release/viewer/node_modules');
  process.env.VOIGT_SCENES ??= path.join(root, 'scenes');
  process.env.VOIGT_ARTEFACTS ??= scratch;
  const {launch, makeReplay, open} = await import('../viewer/test/browser.mjs');
  const browser = await launch();
  mkdirSync(folder, {recursive: true});
  for (const name of names) {
    await takeStill(browser, open, makeReplay, name);
    console.log(`docs/gallery/${name}.webp  ${statSync(still(name)).size} bytes`);
  }
  await browser.close();
  rmSync(scratch, {recursive: true});
}

const wanted = process.argv.slice(2);
const names = readdirSync(path.join(root, 'scenes')).filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -5)).sort();
const scenes = names.map(readScene);
if (wanted.includes('--check')) {
  check(scenes);
} else {
  const missing = names.filter((name) => !existsSync(still(name)));
  const stills = wanted.includes('--all') ? names : wanted.length ? wanted : missing;
  if (stills.length) await takeStills(stills);
  writeFileSync(page, writePage(scenes));
}
