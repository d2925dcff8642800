#!/usr/bin/env node
// Takes the pictures of docs/tutorial.md and README.md: writes the tutorial's files into a scratch
// folder, runs those of its commands that write pages, and photographs these. VOIGT_PROGRAM as for
// make_gallery.mjs.

import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {fileURLToPath} from 'node:url';
import {asWebp} from './webp.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const scratch = mkdtempSync(path.join(tmpdir(), 'voigt-tutorial-'));
const size = {width: 1000, height: 600};

// Page, part of the run that has passed, tab beside the picture.
const pictures = {
  replay: ['demo.html', 0.03, 'Plots'],
  tutorial_throw: ['throw.html', 0.27, 'Plots'],
  tutorial_sweep: ['sweep.html', 0.62, 'Plots'],
  tutorial_summary: ['throw.html', 0.3, 'Summary'],
  tutorial_pin: ['pin.html', 0.6, 'Plots'],
  tutorial_shaft: ['shaft.html', 0.9, 'Contacts'],
};

// Blocks of the page: files that the line before them names, and commands.
function runTutorial(program) {
  symlinkSync(path.join(root, 'scenes'), path.join(scratch, 'scenes'));
  const text = readFileSync(path.join(root, 'docs/tutorial.md'), 'utf8');
  for (const [, before, language, block] of text.matchAll(/([^\n]*)\n\n```(\w+)\n([^]*?)```/g)) {
    const file = before.match(/`([a-z_]+\.(?:yaml|urdf))`.*:$/)?.[1];
    if (file && language !== 'sh') writeFileSync(path.join(scratch, file), block);
    if (language !== 'sh') continue;
    for (const line of block.split('\n').filter((command) => command.includes('--replay'))) {
      execFileSync('/bin/sh', ['-c', line.replace(/^voigt/, `'${program}'`)], {cwd: scratch});
    }
  }
}

async function take(browser, open, name) {
  const [file, part, tabName] = pictures[name];
  const {page} = await open(browser, `file://${path.join(scratch, file)}#pause`, size);
  await page.getByRole('tab', {name: tabName}).click();
  await page.evaluate(async (x) => {
    const {run, player} = window.voigt;
    // The audit is the last of the tables.
    [...document.querySelectorAll('#pages h2')].find((h) => h.textContent.startsWith('Audit'))?.scrollIntoView();
    player.seek(run.start + x * (run.end - run.start));
    await new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
  }, part);
  const picture = await asWebp(page, await page.screenshot());
  writeFileSync(path.join(root, 'docs/images', `${name}.webp`), picture);
  console.log(`docs/images/${name}.webp  ${picture.length} bytes`);
  await page.close();
}

process.env.VOIGT_PROGRAM ??= path.join(root, 'build/release/apps/voigt/voigt');
process.env.VOIGT_NODE_MODULES ??= path.join(root, 'build/release/viewer/node_modules');
process.env.VOIGT_SCENES ??= path.join(root, 'scenes');
process.env.VOIGT_ARTEFACTS ??= scratch;
const {launch, open} = await import('../viewer/test/browser.mjs');
mkdirSync(path.join(root, 'docs/images'), {recursive: true});
runTutorial(process.env.VOIGT_PROGRAM);
// As `make demo` does.
execFileSync(process.env.VOIGT_PROGRAM,
    ['sim', path.join(root, 'scenes/shaft_in_cradle.yaml'), '--replay', path.join(scratch, 'demo.html')]);
const browser = await launch();
for (const name of Object.keys(pictures)) await take(browser, open, name);
await browser.close();
rmSync(scratch, {recursive: true});
