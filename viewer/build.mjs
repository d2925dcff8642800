// Bundles the page into one text without outside references and writes it as a C++ source file,
// replay_template.cc, into the folder given; its packages are in node_modules there.

import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {fileURLToPath} from 'node:url';
import path from 'node:path';

const here = path.dirname(fileURLToPath(import.meta.url));
const out = path.resolve(process.argv[2]);
const packages = path.join(out, 'node_modules');
const {build} = createRequire(path.join(packages, 'x.js'))('esbuild');

const bundle = await build({
  entryPoints: [path.join(here, 'src/main.js')],
  nodePaths: [packages],
  bundle: true,
  minify: true,
  format: 'iife',
  target: 'es2022',
  legalComments: 'none',
  write: false,
});
// A closing tag inside the script would end it.
const script = bundle.outputFiles[0].text.replaceAll('</script', '<\\/script');
const read = (file) => readFile(file, 'utf8');
const fill = {
  STYLE: await read(path.join(packages, 'uplot/dist/uPlot.min.css')) + await read(path.join(here, 'src/page.css')),
  SCRIPT: script,
};
const template = await read(path.join(here, 'src/page.html'));
const page = template.replace(/\/\*(STYLE|SCRIPT)\*\//g, (_, name) => fill[name]);

// Compilers take short literals only; cut between characters, not inside of one.
function literals(text) {
  const pieces = [];
  const characters = Array.from(text);
  for (let i = 0; i < characters.length; i += 8000) {
    pieces.push(`R"voigt(${characters.slice(i, i + 8000).join('')})voigt"`);
  }
  return pieces.join('\n');
}
await mkdir(out, {recursive: true});
await writeFile(path.join(out, 'replay_template.cc'), `#include "voigt/replay/replay_page.h"

namespace {
constexpr char kPage[] =
${literals(page)};
}

std::string_view voigt::ReplayTemplate() { return {kPage, sizeof(kPage) - 1}; }
`);
