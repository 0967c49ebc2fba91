/** `npm run structure`: what the import graph says of the project: sizes, single importers, circles. */
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { findCircles, findSingleImporters, readImportGraph } from './lib/import-graph.ts';
import { root } from './lib/run.mjs';

const graph = readImportGraph(root);
const modules = graph.files.filter((file) => /^(?:contract|server|src)\//.test(file));
const lines = modules
  .map((file) => fs.readFileSync(path.join(root, file), 'utf8').split('\n').length - 1)
  .reduce((sum, count) => sum + count, 0);
const single = findSingleImporters(graph);
const circles = findCircles(graph);

if (process.argv.includes('--list')) {
  process.stdout.write(`${single.join('\n')}\n`);
}
process.stdout.write(
  [
    `files of the product: ${modules.length}, ${lines} lines`,
    `modules with exactly one importer: ${single.length}`,
    `circles: ${circles.length}`,
    ...circles.map((circle) => `  ${circle.join(' ')}`),
    '',
  ].join('\n'),
);
