// A headless browser for the tests of the page.

import {execFileSync} from 'node:child_process';
import {mkdirSync} from 'node:fs';
import {createRequire} from 'node:module';
import path from 'node:path';

const need = (name) => {
  const value = process.env[name];
  if (!value) throw new Error(`the environment variable ${name} is not set`);
  return value;
};

export const program = need('VOIGT_PROGRAM');
export const scenes = need('VOIGT_SCENES');
export const artefacts = need('VOIGT_ARTEFACTS');
mkdirSync(artefacts, {recursive: true});

const {chromium} = createRequire(path.join(need('VOIGT_NODE_MODULES'), 'x.js'))('playwright-core');

// Drawn by the processor: machines that run tests rarely have anything else.
export function launch() {
  return chromium.launch({
    executablePath: process.env.VOIGT_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--use-gl=angle', '--use-angle=swiftshader', '--enable-unsafe-swiftshader',
      '--ignore-gpu-blocklist', '--disable-dev-shm-usage'],
  });
}

const made = new Map();

/** Simulates a scene, once for all who ask, and returns the path of its page. */
export function makeReplay(scene, ...options) {
  const page = path.join(artefacts, `${scene}.html`), key = options.join(' ');
  if (made.get(scene) === key) return page;
  made.set(scene, key);
  execFileSync(program, ['sim', path.join(scenes, `${scene}.yaml`), '--replay', page, ...options]);
  return page;
}

/** Closes whatever a test that failed has left open: it would go on drawing. */
export async function closePages(browser) {
  for (const context of browser.contexts()) await context.close();
}

/** A page that has its run, and a list of whatever went wrong on it. */
export async function open(browser, address, viewport = {width: 920, height: 500}, options = {}) {
  const page = await browser.newPage({viewport, ...options});
  page.setDefaultTimeout(90000);  // what is waited for comes at once, unless the machine is busy
  const errors = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('requestfailed', (request) => errors.push(`request ${request.url()}`));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:') && !request.url().startsWith('blob:') &&
        !request.url().startsWith('data:') && !request.url().startsWith('http://127.0.0.1')) {
      errors.push(`fetched ${request.url()}`);
    }
  });
  await page.goto(address);
  await page.waitForFunction(() => window.voigt?.run);
  return {page, errors};
}

/** How many colours the picture has, and a number that changes with it. */
export function look(page) {
  return page.evaluate(async () => {
    await new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume)));
    const canvas = document.getElementById('view');
    const copy = document.createElement('canvas');
    copy.width = 320;
    copy.height = 200;
    const paint = copy.getContext('2d');
    paint.drawImage(canvas, 0, 0, 320, 200);
    const {data} = paint.getImageData(0, 0, 320, 200);
    const colors = new Set();
    let hash = 0;
    for (let i = 0; i < data.length; i += 4) {
      const color = data[i] << 16 | data[i + 1] << 8 | data[i + 2];
      colors.add(color);
      hash = (Math.imul(hash, 31) + color) | 0;
    }
    return {colors: colors.size, hash};
  });
}
