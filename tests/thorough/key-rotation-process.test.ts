/**
 * A new SECRET_KEY on two processes that share a database: they are restarted one after the other, in the order that
 * docs/decisions/049 says, and what one has begun goes on at the other at every moment.
 */
import * as v from 'valibot';
import { afterAll, describe, expect, test } from 'vitest';

import { readVideoToken } from '#contract/endpoints/player';
import { readEnv } from '#server/app/env';
import { type Database } from '#server/db/client';
import { secureRandom } from '#server/lib/random';
import { countSealedBefore, sealAnew } from '#server/services/key-rotation';
import { startPostgres } from '#tests/postgres';
import { createCaller, type SharedProcess, startShared } from '#tests/several-processes';
import { goodPassword } from '#tests/test-server';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const oldKey = 'the-old-key-of-tests-with-32-characters';
const newKey = 'the-new-key-of-tests-with-32-characters';

/** One after the other, on all processes. */
const steps = {
  old: { SECRET_KEY: oldKey },
  accepted: { SECRET_KEY: oldKey, SECRET_KEY_PREVIOUS: newKey },
  swapped: { SECRET_KEY: newKey, SECRET_KEY_PREVIOUS: oldKey },
  dropped: { SECRET_KEY: newKey },
} as const;

type Step = keyof typeof steps;

let lastId = 100_000;

/** Registers at one process, and enters the code at the other; returns the status there. */
async function registerAcross(begun: SharedProcess, ended: SharedProcess): Promise<number> {
  lastId += 1;
  const person = {
    telegram_id: String(lastId),
    email: 'person@example.org',
    password: goodPassword,
  };
  const registered = await createCaller(begun.url)('POST', '/register', person);
  const { attempt } = v.parse(v.object({ attempt: v.string() }), await registered.json());
  const [, otp_code] = await begun.hears(new RegExp(`password for ${lastId}: (\\d{6})`));
  const verified = await createCaller(ended.url)('POST', '/verify-otp', {
    ...person,
    otp_code,
    attempt,
  });
  await verified.arrayBuffer();
  return verified.status;
}

/** Opens at one process the link that the other one has made; returns the status. */
async function openAcross(made: SharedProcess, opened: SharedProcess): Promise<number> {
  const answer = await createCaller(made.url)('GET', '/jav/90223/token');
  const { stream_url = '' } = v.parse(readVideoToken.output, await answer.json());
  const film = await createCaller(opened.url)('GET', stream_url);
  await film.arrayBuffer();
  return film.status;
}

/** What the sweep of a worker does; returns how many keys the old key has sealed, which the doctor tells. */
async function sealAll(database: Database) {
  const needs = { database, env: readEnv(steps.swapped), random: secureRandom };
  const { keptKeys: before } = await countSealedBefore(needs);
  await sealAnew(needs);
  const { keptKeys: after } = await countSealedBefore(needs);
  return { before, after };
}

const goesBothWays = async (one: SharedProcess, other: SharedProcess) => [
  await registerAcross(one, other),
  await registerAcross(other, one),
  await openAcross(one, other),
  await openAcross(other, one),
];

describe.runIf(postgres)('two processes', () => {
  test('in the right order, nothing that was begun at one is refused by the other', async () => {
    const { start, database } = await startShared(postgres);
    const startAt = (step: Step) => start('web', steps[step]);
    const wrong = { telegram_id: '100001', password: 'six noisy badgers' };
    const logIn = async (server: SharedProcess, password: string) => {
      const answer = await createCaller(server.url)('POST', '/login', { ...wrong, password });
      await answer.arrayBuffer();
      return answer.status;
    };
    let pair: readonly [SharedProcess, SharedProcess] = [
      await startAt('old'),
      await startAt('old'),
    ];
    expect(await goesBothWays(...pair)).toEqual([200, 200, 200, 200]);
    for (let tries = 0; tries < 10; tries += 1) {
      expect(await logIn(pair[0], wrong.password)).toBe(401);
    }

    const sealed: unknown[] = [];
    for (const step of ['accepted', 'swapped', 'dropped'] as const) {
      // One is replaced first: for a while both run, each with other keys.
      const [first, second] = pair;
      if (step === 'dropped') {
        sealed.push(await sealAll(database));
      }
      const replacedFirst = await startAt(step);
      first.process.kill('SIGTERM');
      expect(await goesBothWays(replacedFirst, second)).toEqual([200, 200, 200, 200]);
      const replacedSecond = await startAt(step);
      second.process.kill('SIGTERM');
      expect(await goesBothWays(replacedFirst, replacedSecond)).toEqual([200, 200, 200, 200]);
      // Guessers get no new tries from it.
      expect(await logIn(replacedFirst, goodPassword)).toBe(429);
      expect(await logIn(replacedSecond, goodPassword)).toBe(429);
      pair = [replacedFirst, replacedSecond];
    }
    expect(sealed).toEqual([{ before: 3, after: 0 }]);
    const kept = await database.db.selectFrom('kept_keys').select('purpose').execute();
    expect(kept.map(({ purpose }) => purpose).toSorted()).toEqual([
      'erasedIds',
      'limits',
      'passkeyUsers',
    ]);
  }, 300_000);

  test('without the first step, a process with the old key alone refuses what the new one has made', async () => {
    const { start } = await startShared(postgres);
    const [old, swapped] = [await start('web', steps.old), await start('web', steps.swapped)];

    expect(await goesBothWays(old, swapped)).toEqual([200, 400, 200, 403]);
  }, 120_000);
});
