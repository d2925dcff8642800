// Pages of tables: what the run came to, how it was set, and the contacts of the moment.

import {element, formatNumber} from './element.js';

function factTable(rows) {
  const table = element('table', {className: 'facts'});
  for (const row of rows) {
    const line = element('tr', {className: row.bad ? 'bad' : ''},
        element('td', {textContent: row.label}),
        element('td', {className: 'number', textContent: row.value}));
    table.append(line);
  }
  return table;
}

/** The tables of a run; those of a live one change with every frame. */
export function fillSummaryPage(page, player) {
  const {run} = player;
  let shown = null;
  const update = () => {
    if (page.hidden || shown === run.tables) return;
    shown = run.tables;
    page.replaceChildren(...shown.flatMap(({title, rows}) =>
      [element('h2', {textContent: title}), factTable(rows)]));
  };
  player.addEventListener('time', update);
  return update;
}

const columns = ['bodies', 'depth [m]', 'normal [N]', 'friction [N]', ''];
const states = ['open', 'stick', 'slip'];
const mostRows = 60;

/** The contacts of the moment, largest force first. */
export function fillContactsPage(page, player) {
  const {run} = player;
  const head = element('tr', {}, ...columns.map((name, i) => element('th',
      {textContent: name, className: i > 0 && i < 4 ? 'number' : ''})));
  const body = element('tbody');
  const count = element('p');
  page.append(count, element('table', {className: 'facts'}, element('thead', {}, head), body));
  const name = (b) => run.header.bodies[b].name;
  const update = () => {
    if (page.hidden) return;
    const [first, last] = run.contactsOf(run.frameAt(player.time));
    count.textContent = `${last - first} contacts carry force at t = ${player.time.toFixed(3)} s`;
    const order = Array.from({length: last - first}, (_, i) => first + i)
        .sort((a, b) => run.normalForce(b) - run.normalForce(a)).slice(0, mostRows);
    body.replaceChildren(...order.map((c) => {
      const cells = [`${name(run.contact_bodies[2 * c])} – ${name(run.contact_bodies[2 * c + 1])}`,
        formatNumber(run.contact_depth[c]), formatNumber(run.normalForce(c)),
        formatNumber(run.frictionForce(c)), states[run.contact_state[c]]];
      return element('tr', {}, ...cells.map((text, i) => element('td', {textContent: text,
        className: i > 0 && i < 4 ? 'number' : ''})));
    }));
  };
  player.addEventListener('time', update);
  return update;
}
