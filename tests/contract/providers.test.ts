/** Only a few files name a provider, so that adding one changes only those. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

import { providerIds } from '#contract/images/providers';

const root = join(import.meta.dirname, '../..');

/** The list itself, the two registries that the compiler compares with it, and the calls of each provider. */
const registries: ReadonlySet<string> = new Set([
  'contract/images/providers.ts',
  'server/routes/providers.ts',
  'server/upstream/images/engines.ts',
  'src/features/images/hub-screen.tsx',
]);

/** Files that serve one provider alone have its name in theirs. */
const ownFile = {
  'imagine-art': /imagine/,
  midjourney: /midjourney/,
  kusa: /kusa/,
} as const;

test.each(Object.entries(ownFile))('only the registries and its own files name %s', (id, own) => {
  const files = globSync('{contract,server,src}/**/*.{ts,tsx}', { cwd: root });

  const naming = files.filter((file) => readFileSync(join(root, file), 'utf8').includes(`'${id}'`));
  const others = naming.filter((file) => !registries.has(file) && !own.test(file));

  expect(files.length).toBeGreaterThan(300);
  expect(naming).toContain('contract/images/providers.ts');
  expect(others).toEqual([]);
});

test('there are four providers', () => {
  expect(providerIds).toEqual(['pixai', 'kusa', 'imagine-art', 'midjourney']);
});
