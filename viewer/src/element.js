/** A DOM element with properties and children; `data-` and `aria-` names become attributes. */
export function element(tag, properties = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.includes('-')) node.setAttribute(name, value); else node[name] = value;
  }
  node.append(...children);
  return node;
}

/** Four digits, with a power of ten only where it helps. */
export function formatNumber(x) {
  if (x === null || x === undefined || Number.isNaN(x)) return '–';
  if (x === 0) return '0';
  const size = Math.abs(x);
  if (size >= 1e5 || size < 1e-3) return x.toExponential(3).replace('e+', 'e');
  return x.toPrecision(4);
}

/** A length of at most a few metres in the unit that suits it. */
export function formatLength(x) {
  const [unit, size] = [['m', 1], ['mm', 1e-3], ['µm', 1e-6]].find(([, size_]) => x >= size_) ?? ['nm', 1e-9];
  return `${(x / size).toPrecision(3)} ${unit}`;
}
