/** Before and after the tests of each file: the same random numbers in every run, and no files left behind. */
import { configureGlobal } from 'fast-check';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/**
 * The seed of all random inputs, the same in every run, so that a failure comes from a change and not from chance.
 * `NORI_RANDOM=$RANDOM npm run test:unit` tries inputs that no run has tried before.
 */
export const randomStart = Number(process.env['NORI_RANDOM'] ?? 1);

/** Where the servers of a test file keep files; it is made with the first file. */
export const dataFolders = join(tmpdir(), `nori-tests-${process.pid}`);

configureGlobal({ seed: randomStart });

afterAll(() => rmSync(dataFolders, { recursive: true, force: true }));
