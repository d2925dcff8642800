// The report of `voigt reproduce`, opened from a file: it needs nothing else, and its runs play.

import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import path from 'node:path';
import {after, before, test} from 'node:test';
import {artefacts, launch, program} from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
after(() => browser.close());

test('shows verdicts and charts, and plays runs in place', async () => {
  const folder = path.join(artefacts, 'report');
  execFileSync(program, ['reproduce', '000-figure-3', '000-figure-9', '--quick', '--out', folder]);
  const page = await browser.newPage({viewport: {width: 1200, height: 900}});
  const errors = [], requests = [];
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('request', (request) => requests.push(request.url()));
  await page.goto(`file://${folder}/reproduce.html`);
  assert.equal(await page.locator('section').count(), 2);
  assert.equal(await page.locator('section .badge.reproduced').count() > 2, true);
  assert.equal(await page.locator('section svg').count(), 2);
  await page.locator('button[data-run]').first().click();
  const frame = await (await page.waitForSelector('iframe')).contentFrame();
  await frame.waitForFunction(() => window.voigt?.run.end > 0.9);
  await frame.evaluate(() => window.voigt.player.seek(0.7));
  await page.locator('iframe').scrollIntoViewIfNeeded();
  await page.screenshot({path: path.join(artefacts, 'report.png')});
  assert.deepEqual(errors, []);
  assert.deepEqual(requests.filter((url) => url.startsWith('http')), []);
});
