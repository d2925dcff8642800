// The page of a run, opened from a file as a person opens it.

import assert from 'node:assert/strict';
import path from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {artefacts, closePages, launch, look, makeReplay, open} from './browser.mjs';

let browser;
before(async () => { browser = await launch(); });
afterEach(() => closePages(browser));
after(() => browser.close());

const address = (file) => `file://${file}#pause`;
const shot = (page, name) => page.screenshot({path: path.join(artefacts, `${name}.png`)});
const seek = (page, part) => page.evaluate((x) => {
  const {run, player} = window.voigt;
  player.seek(run.start + x * (run.end - run.start));
}, part);

test('draws accelerations and forces, which are not known at the start', async () => {
  const {page, errors} = await open(browser, address(makeReplay('gripper')));
  await page.getByRole('tab', {name: 'Plots'}).click();
  const select = page.getByLabel('Add a line to the plots');
  for (const group of ['acceleration', 'force of drives']) {
    await select.selectOption(await select.evaluate((node, label) =>
      [...node.querySelectorAll('optgroup')].find((one) => one.label === label).children[0].value, group));
  }
  await page.waitForFunction(() => {
    const charts = [...document.querySelectorAll('#picked-plots canvas')].slice(-2);
    const isDrawn = (canvas) => {
      const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let coloured = 0;
      for (let i = 0; i < data.length; i += 4) coloured += Math.abs(data[i] - data[i + 2]) > 60;
      return coloured > 100;
    };
    return charts.length === 2 && charts.every(isDrawn);
  });
  assert.deepEqual(errors, []);
  await page.close();
});

test('draws bodies that move with time', async () => {
  const {page, errors} = await open(browser, address(makeReplay('gripper')));
  const first = await look(page);
  assert.ok(first.colors > 50, `only ${first.colors} colours`);
  await seek(page, 0.9);
  const later = await look(page);
  assert.notEqual(first.hash, later.hash);
  await shot(page, 'gripper');
  assert.deepEqual(errors, []);
  await page.close();
});

test('plays, pauses, scrubs and obeys keys', async () => {
  const {page, errors} = await open(browser, address(makeReplay('chain')));
  const time = () => page.evaluate(() => window.voigt.player.time);
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.voigt.player.time > 0.05);
  await page.keyboard.press('Space');
  const paused = await time();
  await page.waitForTimeout(200);
  assert.equal(await time(), paused);
  const slider = page.locator('#bar input[type=range]');
  await slider.fill('0.5');
  assert.ok(Math.abs(await time() - 0.8) < 1e-6);
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  assert.ok(await time() > 0.801, `${await time()} after two frames`);
  await page.keyboard.press('End');
  assert.equal(await time(), await page.evaluate(() => window.voigt.run.end));
  await page.keyboard.press('?');
  assert.ok(await page.locator('#help').isVisible());
  await shot(page, 'help');
  assert.deepEqual(errors, []);
  await page.close();
});

test('plots follow the time, and a click on them sets it', async () => {
  const {page, errors} = await open(browser, address(makeReplay('chain')));
  const value = page.locator('#pages .u-legend .u-series').nth(1).locator('.u-value').first();
  // Figures are there before anything moves.
  await page.waitForFunction(() => document.querySelectorAll('#pages .u-legend .u-value')[1].textContent !== '–');
  await seek(page, 0);
  const before_ = await value.textContent();
  await seek(page, 0.5);
  assert.notEqual(await value.textContent(), before_);
  const plot = page.locator('#pages .u-over').first();
  const box = await plot.boundingBox();
  await plot.click({position: {x: 0.25 * box.width, y: 0.5 * box.height}});
  const t = await page.evaluate(() => window.voigt.player.time);
  assert.ok(t > 0.3 && t < 0.5, `t = ${t}`);
  await page.locator('.pick select').selectOption({label: 'pin3 [rad]'});
  assert.ok(await page.getByRole('button', {name: 'pin3 ×'}).isVisible());
  assert.deepEqual(errors, []);
  await page.close();
});

test('tells the forces of the moment and the summary', async () => {
  const {page, errors} = await open(browser, address(makeReplay('box_stack', '--until', '0.5')));
  await seek(page, 0.5);
  await page.getByRole('tab', {name: 'Contacts'}).click();
  const rows = await page.locator('#pages .facts tbody tr').count();
  assert.ok(rows >= 4, `${rows} contacts`);
  const largest = await page.locator('#pages .facts tbody tr').first().locator('td').nth(2).textContent();
  const expected = await page.evaluate(() => {
    const {run, player} = window.voigt;
    const [first, last] = run.contactsOf(run.frameAt(player.time));
    let most = 0;
    for (let c = first; c < last; ++c) most = Math.max(most, run.normalForce(c));
    return most;
  });
  assert.ok(Math.abs(Number(largest) - expected) < 1e-3 * expected, `${largest} ${expected}`);
  await page.getByRole('tab', {name: 'Summary'}).click();
  assert.ok(await page.getByText('degrees of freedom').isVisible());
  await shot(page, 'summary');
  assert.deepEqual(errors, []);
  await page.close();
});

test('colours foundations by pressure', async () => {
  const {page, errors} = await open(browser, address(makeReplay('foundation')));
  await seek(page, 0.5);
  assert.ok(await page.getByText('Pa', {exact: false}).first().isVisible());
  const picture = await look(page);
  await page.keyboard.press('c');
  assert.notEqual((await look(page)).hash, picture.hash);
  await page.keyboard.press('c');
  await shot(page, 'foundation');
  assert.deepEqual(errors, []);
  await page.close();
});

test('shows constraints that are not met, with figures', async () => {
  const {page, errors} = await open(browser, address(makeReplay('absolute_pendulum', '--step', '0.01')));
  await seek(page, 0.6);
  const label = page.locator('#figures .gap');
  assert.equal(await label.count(), 1);
  const [figure, unit] = (await label.textContent()).split(' ');
  // h²/2 L ω², where ω² = 2 m g L/(m L² + I) = 17.8 s⁻² at the lowest point.
  assert.equal(unit, 'µm');
  assert.ok(Math.abs(Number(figure) - 887) < 10, figure);
  const picture = await look(page);
  await shot(page, 'violation');
  await page.keyboard.press('v');
  assert.equal(await label.isVisible(), false);
  assert.notEqual((await look(page)).hash, picture.hash);
  assert.deepEqual(errors, []);
  await page.close();
});

test('fits a telephone', async () => {
  const {page, errors} = await open(browser, address(makeReplay('card_house', '--until', '1')),
      {width: 390, height: 844});
  const overflow = await page.evaluate(() =>
    document.documentElement.scrollWidth - document.documentElement.clientWidth);
  assert.equal(overflow, 0);
  assert.ok((await look(page)).colors > 50);
  await shot(page, 'telephone');
  assert.deepEqual(errors, []);
  await page.close();
});

test('names a body that is clicked', async () => {
  const {page, errors} = await open(browser, address(makeReplay('gripper')));
  const box = await page.locator('#view').boundingBox();
  for (let y = 0.3; y < 0.7; y += 0.04) {
    await page.mouse.click(box.x + 0.5 * box.width, box.y + y * box.height);
    if (await page.locator('#picked').isVisible()) break;
  }
  assert.match(await page.locator('#picked').textContent(), /mass/);
  assert.deepEqual(errors, []);
  await page.close();
});
