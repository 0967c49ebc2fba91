/**
 * The import graph has no circle and no import against the layers, and few modules have a single
 * importer.
 */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

import { findCircles, findSingleImporters, readImportGraph } from '#scripts/import-graph.ts';

const graph = readImportGraph(resolve(import.meta.dirname, '../..'));

test('no files import each other in a circle', () => {
  expect(graph.files.length).toBeGreaterThan(500);
  expect(findCircles(graph)).toEqual([]);
});

test('a circle is found, also one of type imports only', () => {
  const imports: Readonly<Record<string, readonly string[]>> = {
    a: ['b'],
    b: ['c'],
    c: ['a'],
    d: ['a'],
  };

  const circles = findCircles({
    files: Object.keys(imports),
    getImports: (file) => imports[file] ?? [],
    getImporters: () => [],
  });

  expect(circles).toEqual([['a', 'b', 'c']]);
});

/** What each folder may import besides itself. The longest folder that contains a file applies. */
const allowed: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  'src/lib': ['contract'],
  'src/ui': [],
  'src/features': ['contract', 'src/lib', 'src/ui'],
  'src/app': ['contract', 'src/features', 'src/lib', 'src/ui'],
  'server/lib': ['contract'],
  'server/db': ['contract', 'server/lib'],
  'server/upstream': ['contract', 'server/lib'],
  'server/http': ['contract', 'server/lib', 'server/app/env.ts', 'server/app/dependencies.ts'],
  'server/services': [
    'contract',
    'server/lib',
    'server/db',
    'server/upstream',
    'server/app/env.ts',
    'server/app/dependencies.ts',
  ],
  'server/routes': [
    'contract',
    'server/lib',
    'server/http',
    'server/services',
    'server/app/env.ts',
    'server/app/dependencies.ts',
  ],
  'server/bot': [
    'contract',
    'server/lib',
    'server/db',
    'server/upstream',
    'server/http',
    'server/services',
    'server/app/env.ts',
    'server/app/dependencies.ts',
  ],
};

const isIn = (file: string, place: string) => file === place || file.startsWith(`${place}/`);

test('no import goes against the layers', () => {
  const against = graph.files.flatMap((file) => {
    const layer = Object.keys(allowed).find((folder) => isIn(file, folder));
    return layer === undefined
      ? []
      : graph
          .getImports(file)
          .filter(
            (target) => ![layer, ...(allowed[layer] ?? [])].some((place) => isIn(target, place)),
          )
          .map((target) => `${file} → ${target}`);
  });

  expect(against).toEqual([]);
});

test('a feature imports no other feature, and a service module another only by its index', () => {
  const subject = (file: string) =>
    /^(?:src\/features|server\/services)\/([^/]+)\//.exec(file)?.[0];

  const intrusions = graph.files.flatMap((file) =>
    graph
      .getImports(file)
      .filter((target) => {
        const place = subject(target);
        const isForeign =
          place !== undefined &&
          !file.startsWith(place) &&
          !isIn(file, 'tests') &&
          !isIn(file, 'scripts');
        return isForeign && (isIn(file, 'src/features') || target !== `${place}index.ts`);
      })
      .map((target) => `${file} → ${target}`),
  );

  expect(intrusions).toEqual([]);
});

test('at most 180 modules have exactly one importer', () => {
  expect(findSingleImporters(graph).length).toBeLessThanOrEqual(180);
});
