/** Stored connections: encrypted, bound to their user, and removed when they end. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { finishSpotify, listConnections, readNowPlaying } from '#contract/endpoints/connections';
import { login } from '#contract/endpoints/session';
import { openDatabase } from '#server/db/client';
import { sweep } from '#server/services/maintenance';
import { ann, startLinked } from '#tests/connecting';
import { goodPassword } from '#tests/test-server';

const bob = 444_555_666;
const hour = 60 * 60_000;
const day = 24 * hour;
const gone = { status: 409, body: { code: 'connection_lost' } };

test('no token, state or verifier can be read in the database file, an answer or the log', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'nori-connections-'));
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }));
  const database = openDatabase({ dataDir });
  onTestFinished(() => database.close());
  const { server, music, anime, agree, authorizeUrl, link, token, poll } = await startLinked({
    database,
  });
  await link('anilist', token);
  server.wait(hour);
  const halfMade = await agree('spotify', token);

  const answers = [
    await poll(),
    await server.call(finishSpotify, halfMade),
    await server.call(finishSpotify, halfMade),
    await server.call(listConnections, {}, { token }),
  ];
  const open = new URL(await authorizeUrl('spotify', token)).searchParams.get('state') ?? '';
  const verifiers = music.callsTo('POST /api/token').flatMap(({ body }) => readVerifier(body));
  const secrets = [...music.tokens(), ...anime.tokens(), ...verifiers, halfMade.state, open];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(secrets.length).toBeGreaterThan(8);
  const stored = readdirSync(dataDir)
    .map((name) => readFileSync(join(dataDir, name)).toString('latin1'))
    .join('');
  expect(stored).toContain('mika_watches');
  for (const secret of secrets) {
    expect(stored).not.toContain(secret);
    expect(JSON.stringify(answers)).not.toContain(secret);
    expect(server.logLines.join('')).not.toContain(secret);
  }
});

test('a token that was copied to another user cannot be decrypted there', async () => {
  const { server, music } = await startLinked();
  const bobsToken = await server.signUp(bob);
  const row = await server.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  await server.db
    .insertInto('connections')
    .values({ ...row, telegram_id: bob })
    .execute();

  const reply = await server.call(readNowPlaying, {}, { token: bobsToken });

  expect(reply).toMatchObject(gone);
  expect(music.callsTo('GET /v1/*')).toHaveLength(0);
});

test('with another key of the server the link is gone, and can be made again', async () => {
  const first = await startLinked();
  const row = await first.server.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow();
  const { server, music, link, token } = await startLinked({
    variables: { SECRET_KEY: 'another-key-of-tests-with-32-chars' },
  });
  await server.db
    .updateTable('connections')
    .set({ access_token: row.access_token, refresh_token: row.refresh_token })
    .execute();

  expect(await server.call(readNowPlaying, {}, { token })).toMatchObject(gone);
  expect(music.callsTo('GET /v1/*')).toHaveLength(0);
  await link('spotify', token);
  expect((await server.call(readNowPlaying, {}, { token })).status).toBe(200);
});

test('deleting the account deletes its links, including unfinished ones', async () => {
  const { server, agree, link, token } = await startLinked();
  await link('anilist', token);
  const halfMade = await agree('spotify', token);

  await server.call(deleteAccount, { password: goodPassword }, { token });

  expect(await server.db.selectFrom('connections').selectAll().execute()).toEqual([]);
  expect(await server.db.selectFrom('connection_attempts').selectAll().execute()).toEqual([]);
  expect((await server.call(finishSpotify, halfMade)).status).toBe(400);
});

test('an AniList link ends after its year, as nothing can renew it, and is swept', async () => {
  const { server, link, token, readState } = await startLinked();
  await link('anilist', token);
  server.wait(365 * day - 1);
  const { body } = await server.call(login, { telegram_id: String(ann), password: goodPassword });
  const later = /"access_token":"([\w-]+)"/.exec(JSON.stringify(body))?.[1] ?? '';
  expect(await readState('anilist', later)).toMatchObject({ state: 'linked' });

  server.wait(1);

  expect(await readState('anilist', later)).toMatchObject({ state: 'unlinked' });
  await sweep(server.deps);
  const rows = await server.db.selectFrom('connections').select('service').execute();
  expect(rows).toEqual([{ service: 'spotify' }]);
});

test('unfinished links are removed', async () => {
  const { server, agree, token } = await startLinked();
  await agree('anilist', token);

  server.wait(10 * 60_000);
  await sweep(server.deps);

  expect(await server.db.selectFrom('connection_attempts').selectAll().execute()).toEqual([]);
});

function readVerifier(body: unknown): string[] {
  const found = /"code_verifier":"([\w-]+)"/.exec(JSON.stringify(body))?.[1];
  return found === undefined ? [] : [found];
}
