/**
 * `npm test`: from a fresh clone to every check that a change needs. `npm run test:thorough`: what takes long by its nature.
 * Plain JavaScript, because it runs before anything is installed.
 */
import fs from 'node:fs';
import path from 'node:path';
import process from 'node:process';

import { ensureBrowser } from './lib/browser.mjs';
import { ensureBuilt } from './lib/build.mjs';
import { countPlaywright, countVitest, sum } from './lib/counts.mjs';
import { ensureInstalled } from './lib/install.mjs';
import { findServerNode, requireSetupNode } from './lib/node-version.mjs';
import { root, run } from './lib/run.mjs';
import { duration, giveUp, heading, say, Stop } from './lib/say.mjs';
import { tryNats, tryPostgres, trySwift } from './lib/test-services.mjs';

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} script The npm script that runs only this step.
 * @property {string} [report] What a test runner writes, under test-results.
 * @property {(text: string) => import('./lib/counts.mjs').Counts} [count]
 */

/** Quick ones first, so that a mistake is known soon. @type {readonly Step[]} */
const quickSteps = [
  { title: 'Types', script: 'check:types' },
  { title: 'Lint', script: 'check:lint' },
  { title: 'Format', script: 'check:format' },
  { title: 'Unused code', script: 'check:unused' },
  {
    title: 'Unit, component and server tests',
    script: 'test:unit',
    report: 'vitest.json',
    count: countVitest,
  },
  { title: 'Build', script: 'build' },
  { title: 'Size budget', script: 'bench:size' },
  {
    title: 'End-to-end tests',
    script: 'test:e2e',
    report: 'playwright.json',
    count: countPlaywright,
  },
];

/** @type {readonly Step[]} */
const thoroughSteps = [
  { title: 'Build', script: 'build' },
  {
    title: 'Processes, sketches and speech',
    script: 'test:unit:thorough',
    report: 'vitest-thorough.json',
    count: countVitest,
  },
  {
    title: 'End-to-end tests in every container',
    script: 'test:e2e:thorough',
    report: 'playwright.json',
    count: countPlaywright,
  },
  { title: 'Kills of the server in the middle of writes', script: 'test:crash' },
];

const isThorough = process.argv[2] === 'thorough';
const steps = isThorough ? thoroughSteps : quickSteps;
const startedAt = Date.now();
try {
  requireSetupNode();
  process.chdir(root);
  await ensureInstalled();
  await findServerNode();
  process.env.NORI_CHROMIUM = await ensureBrowser();
  say(`the browser is ${process.env.NORI_CHROMIUM}`);
  await tryPostgres();
  if (isThorough) {
    await trySwift();
    await tryNats();
  }
  fs.rmSync('test-results', { recursive: true, force: true });
  const failedStep = await runSteps();
  const counts = readCounts();
  if (failedStep !== undefined) {
    const { title, script } = failedStep;
    process.stderr.write(`\nnori: "${title}" failed. To run only it: npm run ${script}\n`);
    process.exitCode = 1;
  } else if (counts.passed === 0) {
    throw new Stop('no test ran; that is a failure, too.');
  } else {
    say(`everything passed in ${duration(Date.now() - startedAt)}.`);
  }
  if (counts.passed + counts.failed > 0) {
    process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed\n`);
  }
} catch (failure) {
  giveUp(failure);
}

/** @returns {Promise<Step | undefined>} The step that failed; those after it did not run. */
async function runSteps() {
  for (const [index, step] of steps.entries()) {
    heading(`${index + 1}/${steps.length} ${step.title}`);
    const stepStartedAt = Date.now();
    // Each step may use what the one before made (the build), and two cores are soon busy.
    if (!(await passes(step))) {
      return step;
    }
    say(`${step.title}: fine, ${duration(Date.now() - stepStartedAt)}`);
  }
  return undefined;
}

/** @param {Step} step */
async function passes({ script }) {
  if (script === 'build') {
    // That it builds is for the quick steps to prove; after them, the build that they left is the same.
    return ensureBuilt({ isForced: !isThorough }).then(
      () => true,
      () => false,
    );
  }
  const { code } = await run('npm', ['run', '--silent', script]);
  return code === 0;
}

/** Adds up what the runners that ran have written down. */
function readCounts() {
  return sum(
    steps.flatMap(({ report, count }) => {
      const file = path.join(root, 'test-results', report ?? '');
      return report !== undefined && count !== undefined && fs.existsSync(file)
        ? [count(fs.readFileSync(file, 'utf8'))]
        : [];
    }),
  );
}
