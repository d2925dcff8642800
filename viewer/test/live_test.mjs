// A scene that runs while it is watched: driven from a browser, and by requests that should fail.

import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import path from 'node:path';
import {after, afterEach, before, test} from 'node:test';
import {artefacts, closePages, launch, look, open, program, scenes} from './browser.mjs';

let browser, server, address;

function serve(scene, ...options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ['view', path.join(scenes, `${scene}.yaml`), ...options]);
    child.stdout.once('data', (text) => resolve({child, address: String(text).split('\n')[0]}));
    child.once('exit', (code) => reject(new Error(`voigt view ended with ${code}`)));
  });
}

before(async () => {
  ({child: server, address} = await serve('gripper'));
  browser = await launch();
});
afterEach(() => closePages(browser));
after(async () => {
  await browser.close();
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGINT');
  assert.equal(await ended, 0);
});

const time = (page) => page.evaluate(() => window.voigt.message.blocks && window.voigt.run.end);
const order = (page, what, values) => page.evaluate(([name, form]) =>
  window.voigt.connection.order(name, form).then(() => 'ok', (error) => error.message), [what, values]);

/** A body that stands still is met, however slow the machine. */
const pause = async (page) => {
  await order(page, 'pause');
  await page.waitForFunction(() => !window.voigt.message.playing);
  await page.evaluate(() => new Promise((resume) => requestAnimationFrame(() => requestAnimationFrame(resume))));
};

/** Where the origin of a body is on the screen. */
const spotOf = (page, body) => page.evaluate((b) => {
  const {run, stage: {camera, canvas}} = window.voigt;
  const i = 7 * ((run.bodies - 1) * (run.frames - 1) + b - 1), box = canvas.getBoundingClientRect();
  const at = camera.position.clone().set(run.poses[i], run.poses[i + 1], run.poses[i + 2]).project(camera);
  return [box.x + (0.5 + 0.5 * at.x) * box.width, box.y + (0.5 - 0.5 * at.y) * box.height];
}, body);

/** Presses where a body is until it is held, and returns the place: a picture that is late on a busy machine shows it
 * elsewhere. */
async function grip(page, body, press, lift) {
  for (let attempt = 1; ; ++attempt) {
    const spot = await spotOf(page, body);
    await press(spot);
    try {
      await page.waitForFunction(() => window.voigt.message.held > 0, undefined, {timeout: 15000});
      return spot;
    } catch (error) {
      if (attempt === 5) throw error;
      await lift();
    }
  }
}

test('runs, pauses, steps and resets', async () => {
  const {page, errors} = await open(browser, address);
  assert.equal(await time(page), 0);
  const first = await look(page);
  assert.ok(first.colors > 50);
  await page.getByRole('button', {name: '▶ run'}).click();
  await page.waitForFunction(() => window.voigt.run.end > 0.5);
  await page.getByRole('button', {name: '❚❚ pause'}).click();
  await page.waitForFunction(() => !window.voigt.message.playing);
  const paused = await time(page);
  assert.notEqual((await look(page)).hash, first.hash);
  await page.screenshot({path: path.join(artefacts, 'live.png')});
  // What the run has come to so far.
  await page.getByRole('tab', {name: 'Summary'}).click();
  const fact = (label) => page.locator('#pages .facts tr', {hasText: label}).first().locator('td').nth(1);
  assert.equal(await fact('formulation').textContent(), 'compliant');
  assert.equal(Number(await fact('steps').textContent()), Math.round(paused / 0.002));
  assert.ok(Math.abs(parseFloat(await fact('simulated').textContent()) - paused) < 1e-5);
  await page.screenshot({path: path.join(artefacts, 'live_summary.png')});
  await page.getByRole('tab', {name: 'Live'}).click();
  await page.getByRole('button', {name: 'one step'}).click();
  await page.waitForFunction((t) => window.voigt.run.end > t, paused);
  assert.ok(Math.abs(await time(page) - paused - 0.002) < 1e-9);
  await page.getByRole('button', {name: 'reset'}).click();
  await page.waitForFunction(() => window.voigt.run.end === 0);
  assert.deepEqual(errors, []);
  await page.close();
});

test('pulls at a body', async () => {
  const {page, errors} = await open(browser, address);
  // From the start, so that the same motion follows on a slow machine.
  await order(page, 'pause');
  await order(page, 'reset');
  await page.waitForFunction(() => window.voigt.run.end === 0);
  const place = () => page.evaluate(() => Array.from(window.voigt.run.poses.slice(-7 * (window.voigt.run.bodies - 1))));
  await pause(page);
  await page.keyboard.down('Shift');
  const [x, y] = await grip(page, 1, async ([left, top]) => {
    await page.mouse.move(left, top);
    await page.mouse.down();
  }, () => page.mouse.up());
  const start = await place();
  await order(page, 'play');
  await page.mouse.move(x + 80, y - 40, {steps: 5});
  await page.waitForFunction((before) => {
    const {run, message} = window.voigt;
    const now = run.poses.slice(-7 * (run.bodies - 1));
    return message.held > 0 && before.some((x, i) => Math.abs(x - now[i]) > 1e-3);
  }, start);
  await page.screenshot({path: path.join(artefacts, 'live_drag.png')});
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await page.waitForFunction(() => window.voigt.message.held === 0);
  assert.deepEqual(errors, []);
  await page.close();
});

test('fingers pull at bodies, and two of them move the camera', async () => {
  const {page, errors} = await open(browser, address, {width: 390, height: 844}, {hasTouch: true, isMobile: true});
  await order(page, 'reset');
  await order(page, 'play');
  await page.waitForFunction(() => window.voigt.run.end > 0.1);
  const devtools = await page.context().newCDPSession(page);
  const touch = (type, ...points) => devtools.send('Input.dispatchTouchEvent',
      {type, touchPoints: points.map(([x, y], id) => ({x, y, id}))});
  const camera = () => page.evaluate(() => window.voigt.stage.camera.position.toArray());
  await pause(page);
  const [x, y] = await grip(page, 1, (spot) => touch('touchStart', spot), () => touch('touchEnd'));
  const start = await camera();
  await touch('touchMove', [x + 40, y - 30]);
  await page.waitForTimeout(200);
  await page.screenshot({path: path.join(artefacts, 'live_touch.png')});
  assert.deepEqual(await camera(), start);
  // A second finger lets go, and both together zoom.
  await touch('touchStart', [x + 40, y - 30], [x - 40, y]);
  await page.waitForFunction(() => window.voigt.message.held === 0);
  for (const d of [8, 24, 40]) await touch('touchMove', [x + 40 + d, y - 30], [x - 40 - d, y]);
  await touch('touchEnd');
  const distance = (p) => Math.hypot(...p);
  assert.ok(distance(await camera()) < 0.95 * distance(start), `${await camera()} from ${start}`);
  assert.deepEqual(errors, []);
  await page.close();
});

test('takes changes of values, and refuses wrong ones with a reason', async () => {
  const {page, errors} = await open(browser, address);
  await order(page, 'pause');
  assert.equal(await order(page, 'set', {path: 'simulation.step', value: '0.001'}), 'ok');
  await page.waitForFunction(() => window.voigt.message.step === 0.001);
  await page.getByLabel('friction').selectOption('cone');
  await page.waitForFunction(() => window.voigt.message.friction === 'cone');
  assert.equal(await order(page, 'set', {path: 'simulation.step', value: '-1'}), 'ok');
  await page.waitForFunction(() => window.voigt.message.trouble.includes('step'));
  assert.equal(await page.evaluate(() => window.voigt.message.step), 0.001);
  assert.match(await order(page, 'drag', {body: '99', px: '0'}), /body = '99'/);
  assert.match(await order(page, 'dance', {}), /expected play/);
  assert.match(await order(page, 'play', {x: '1'}), /'x' is not known/);
  assert.match(await order(page, 'speed', {factor: 'NaN'}), /expected a number/);
  // The four refusals are all that the page complains of.
  assert.deepEqual(errors, []);
  await page.close();
});

test('changes the formulation in the midst of a run', async () => {
  const {page, errors} = await open(browser, address);
  await order(page, 'set', {path: 'simulation.step', value: '0.002'});
  await order(page, 'set', {path: 'simulation.friction', value: 'cone'});
  await order(page, 'reset');
  await order(page, 'play');
  await page.waitForFunction(() => window.voigt.run.end > 0.3 && window.voigt.message.rows > 0);
  const menu = page.getByLabel('formulation'), friction = page.getByLabel('friction');
  const told = page.locator('#live-solver'), complaint = page.locator('#live-trouble');
  const choose = async (name) => {
    const before = await time(page);
    await menu.selectOption(name);
    await page.waitForFunction((wanted) => window.voigt.message.formulation === wanted, name);
    await page.waitForFunction((t) => window.voigt.run.end > t + 0.1 && window.voigt.message.rows > 0, before);
    // The run went on from where it was, all of it is on the page, and it says how it is solved.
    assert.ok(await page.evaluate((t) => window.voigt.run.start < t, before));
    assert.equal(await menu.inputValue(), name);
    assert.match(await told.textContent(), new RegExp(`^${name}: \\d+ rows solved, residual`));
    assert.equal(await complaint.textContent(), '');
  };
  const known = await menu.locator('option').allTextContents();
  assert.deepEqual(known.slice(0, 3), ['compliant', 'stabilized-lcp', 'mlcp-lemke']);
  assert.equal(known.length, 9);
  assert.equal(await friction.inputValue(), 'cone');
  await choose('mlcp-lemke');  // the friction mode, which it does not know, does not stand in its way
  assert.equal(await friction.isVisible(), false);
  await page.screenshot({path: path.join(artefacts, 'live_formulation.png')});
  await order(page, 'set', {path: 'simulation.cone.directions', value: '8'});
  await choose('mncp-plm');    // nor the directions of polyhedral cones
  // What does not belong to it is refused, with a reason that stays until something else is right.
  await order(page, 'set', {path: 'simulation.friction', value: 'lagged'});
  await page.waitForFunction(() => document.getElementById('live-trouble').textContent
      .includes("belongs to the formulation 'compliant', not to 'mncp-plm'"));
  await order(page, 'set', {path: 'simulation.formulation', value: 'magic'});
  await page.waitForFunction(() => document.getElementById('live-trouble').textContent.includes("'magic', expected"));
  assert.equal(await menu.inputValue(), 'mncp-plm');
  await choose('compliant');
  assert.equal(await friction.isVisible(), true);
  assert.equal(await friction.inputValue(), 'coulomb');
  await order(page, 'pause');
  assert.deepEqual(errors, []);
  await page.close();
});

test('several browsers see the same', async () => {
  const one = await open(browser, address), two = await open(browser, address);
  await order(one.page, 'reset');
  await order(one.page, 'play');
  await two.page.waitForFunction(() => window.voigt.run.end > 0.2);
  await order(two.page, 'pause');
  await one.page.waitForFunction(() => !window.voigt.message.playing);
  await one.page.waitForTimeout(200);
  assert.equal(await time(one.page), await time(two.page));
  await one.page.close();
  await two.page.close();
});

test('a browser that does not read does not slow the simulation', async () => {
  const {port, searchParams} = new URL(address);
  const net = await import('node:net');
  const lazy = net.connect(Number(port), '127.0.0.1');
  lazy.write(`GET /events?token=${searchParams.get('token')} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  lazy.pause();
  const {page} = await open(browser, address);
  await order(page, 'reset');
  await order(page, 'play');
  // Were it waited for, its full buffers would stop everything long before.
  await page.waitForFunction(() => window.voigt.run.end > 1.5);
  await order(page, 'pause');
  lazy.destroy();
  await page.close();
});

test('lets nobody in without the token or under another name', async () => {
  const url = new URL(address);
  const plain = await fetch(url.origin);
  assert.equal(plain.status, 403);
  const wrong = await fetch(`${url.origin}/command?token=${'0'.repeat(32)}`, {method: 'POST', body: 'do=play'});
  assert.equal(wrong.status, 403);
  const http = await import('node:http');
  const status = await new Promise((resolve) => http.get({host: '127.0.0.1', port: url.port,
    path: `/?token=${url.searchParams.get('token')}`, headers: {Host: 'evil.example'}},
      (reply) => { reply.resume(); resolve(reply.statusCode); }));
  assert.equal(status, 403);
  const long = await fetch(`${url.origin}/command?token=${url.searchParams.get('token')}`,
      {method: 'POST', body: new URLSearchParams({do: 'set', path: 'x'.repeat(100000), value: '1'})});
  assert.ok(long.status >= 400);
});
