/** Histories of Imagine Art and MidJourney: saved by the server, and visible to their user only. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { listGenerationUrls } from '#contract/endpoints/generations';
import { cancelJob } from '#contract/endpoints/images';
import { listImagineHistory, saveImagine } from '#contract/endpoints/imagine';
import {
  deleteMidjourney,
  generateMidjourney,
  listMidjourneyHistory,
} from '#contract/endpoints/midjourney';
import { logout } from '#contract/endpoints/session';
import { pictureLimits } from '#contract/images/limits';
import { sweep } from '#server/services/maintenance';
import { createHandEngine } from '#tests/image-engines';
import {
  ann,
  bob,
  garden,
  gardens,
  readLinks,
  readMade,
  shrine,
  shrines,
  startWithMakers,
  readHistory,
  toKey,
  save,
} from '#tests/pictures';
import {
  createMemoryStore,
  type MemoryStore,
  createTestServer,
  goodPassword,
  type TestServer,
} from '#tests/test-server';

const hour = 60 * 60_000;

describe('a picture of a user', () => {
  test('is in the history of its provider and among all links, and in no other history', async () => {
    const { server, tokens } = await startWithMakers();

    const one = await server.call(saveImagine, shrine, { token: tokens.ann });
    server.wait(1000);
    const four = await server.call(generateMidjourney, garden, { token: tokens.ann });
    server.wait(1000);
    await save(server, tokens.ann, { job_key: toKey('pixai') });

    expect(one.body).toMatchObject({ is_saved: true, width: 64, height: 64 });
    expect(await shrines(server, tokens.ann)).toEqual([
      {
        _id: readMade(one).id,
        prompt: shrine.prompt,
        style: 'realistic',
        s3_url: expect.stringMatching(/^\/backend\/media\/[\w-]+\/original\?/),
        thumbnail_url: expect.stringMatching(/thumbnail/),
        width: 64,
        height: 64,
        created_at: '2026-11-21T12:00:00.000Z',
        aspect_ratio: '3:2',
        seed: 4711,
        job_key: shrine.job_key,
      },
    ]);
    expect(await gardens(server, tokens.ann)).toEqual([
      {
        id: readMade(four).id,
        prompt: garden.prompt,
        s3_urls: expect.arrayContaining([expect.stringContaining('/original?')]),
        thumbnail_urls: expect.any(Array),
        width: 64,
        height: 64,
        created_at: '2026-11-21T12:00:01.000Z',
        job_key: garden.job_key,
      },
    ]);
    expect((await readLinks(server, tokens.ann)).map(({ s3_urls }) => s3_urls?.length)).toEqual([
      1, 4, 1,
    ]);
    expect((await readHistory(server, tokens.ann)).map(({ prompt }) => prompt)).toEqual([
      'a lighthouse',
    ]);
  });

  test('is available after a restart and after its job is deleted, with all of its images', async () => {
    const { server, tokens, start } = await startWithMakers();
    await server.call(generateMidjourney, garden, { token: tokens.ann });

    const after = await start();
    after.wait(60 * hour);
    await sweep(after.deps);
    const [found] = await gardens(after, tokens.ann);
    const files = await Promise.all(
      (found?.s3_urls ?? []).map(async (url) => (await after.app.request(url)).status),
    );

    expect(files).toEqual([200, 200, 200, 200]);
  });

  test('is saved although the client has disconnected', async () => {
    const hand = createHandEngine();
    const server = await createTestServer({ engines: { midjourney: hand.engine } });
    const token = await server.signUp(ann);
    const caller = new AbortController();
    void Promise.resolve(
      server.app.request('/backend/pixai/api/v1/midjourney/generate', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
        body: JSON.stringify(garden),
        signal: caller.signal,
      }),
    ).catch(() => undefined);
    await expect.poll(hand.asked).toBe(1);

    caller.abort();
    hand.finish();

    await expect.poll(() => gardens(server, token)).toHaveLength(1);
  });

  test('is in no history when it was cancelled or failed', async () => {
    const hand = createHandEngine();
    const server = await createTestServer({ engines: { midjourney: hand.engine } });
    const token = await server.signUp(ann);
    const cancelled = server.call(generateMidjourney, garden, { token });
    await expect.poll(hand.asked).toBe(1);
    await server.call(cancelJob, { job_key: garden.job_key }, { token });
    const failed = server.call(generateMidjourney, { prompt: 'x' }, { token });
    await expect.poll(hand.asked).toBe(2);
    hand.fail(new Error('of the first'));
    hand.fail(new Error('the paint is dry'));

    expect((await cancelled).status).toBe(409);
    expect((await failed).status).toBe(500);
    expect(await gardens(server, token)).toEqual([]);
  });

  test('is removed again when it was cancelled while it was being saved', async () => {
    const objects = createMemoryStore();
    let server: TestServer | undefined;
    const slow: MemoryStore = {
      ...objects,
      put: async (name, bytes) => {
        if (name.endsWith('-thumbnail')) {
          await server?.db.updateTable('generation_jobs').set({ state: 'cancelled' }).execute();
        }
        await objects.put(name, bytes);
      },
    };
    const people = await startWithMakers(slow);
    ({ server } = people);

    const reply = await server.call(generateMidjourney, garden, { token: people.tokens.ann });

    expect(reply).toMatchObject({ status: 409, body: { code: 'generation_cancelled' } });
    expect(await gardens(server, people.tokens.ann)).toEqual([]);
    expect(objects.names()).toEqual([]);
  });

  test('is not made as a visitor’s when the session has ended meanwhile', async () => {
    const { server, tokens, imagine, midjourney } = await startWithMakers();
    await server.call(logout, {}, { token: tokens.ann });

    const replies = [
      await server.call(saveImagine, shrine, { token: tokens.ann }),
      await server.call(generateMidjourney, garden, { token: tokens.ann }),
    ];

    expect(replies.map(({ status }) => status)).toEqual([401, 401]);
    expect([imagine.asked(), midjourney.asked()]).toEqual([0, 0]);
  });

  test('is available for a day when the account has no room for all of it', async () => {
    const { server, tokens } = await startWithMakers();
    const rows = Array.from({ length: pictureLimits.perUser - 2 }, (_none, index) => ({
      id: `full-${index}`,
      telegram_id: ann,
      type: 'image/png',
      bytes: 1,
      width: 1,
      height: 1,
      created_at: 1,
    }));
    for (let at = 0; at < rows.length; at += 1000) {
      await server.db
        .insertInto('pictures')
        .values(rows.slice(at, at + 1000))
        .execute();
    }

    const reply = await server.call(generateMidjourney, garden, { token: tokens.ann });
    const [made] = [v.parse(v.looseObject({ s3_urls: v.array(v.string()) }), reply.body)];
    const { status } = await server.app.request(made.s3_urls[3] ?? '');
    const count = await server.db
      .selectFrom('pictures')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();

    expect(reply.body).toMatchObject({ is_saved: false });
    expect(status).toBe(200);
    expect(await gardens(server, tokens.ann)).toEqual([]);
    expect(Number(count.count)).toBe(rows.length);
  });
});

describe('a history', () => {
  test('belongs to its user only', async () => {
    const { server, tokens } = await startWithMakers();
    await server.call(saveImagine, shrine, { token: tokens.ann });
    await server.call(generateMidjourney, garden, { token: tokens.ann });

    const foreign = await server.call(
      listImagineHistory,
      { user_id: String(ann) },
      { token: tokens.bob },
    );

    expect(foreign).toMatchObject({ status: 403, body: { code: 'foreign_person' } });
    expect(await shrines(server, tokens.bob, String(bob))).toEqual([]);
    expect(await gardens(server, tokens.bob)).toEqual([]);
    expect(await readLinks(server, tokens.bob)).toEqual([]);
  });

  test('is refused without a session, and without a valid user ID', async () => {
    const { server, tokens } = await startWithMakers();
    const path = '/backend/pixai/api/v1/api/history/imagine/urls';
    const headers = { Authorization: `Bearer ${tokens.ann}` };

    const guests = [
      await server.call(listImagineHistory, { user_id: String(ann) }),
      await server.call(listMidjourneyHistory, {}),
      await server.call(listGenerationUrls, {}),
    ];
    const empty = await server.request(path, { headers });
    const withName = await server.request(`${path}?user_id=ann`, { headers });

    expect(guests.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect([empty.status, withName.status]).toEqual([422, 422]);
  });

  test('loses what its user deletes, with every file, and others lose nothing', async () => {
    const { server, tokens, objects } = await startWithMakers();
    const { id } = readMade(await server.call(generateMidjourney, garden, { token: tokens.ann }));

    const foreign = await server.call(deleteMidjourney, { id }, { token: tokens.bob });
    const before = objects.names().filter((name) => !name.endsWith('-job')).length;
    const own = await server.call(deleteMidjourney, { id }, { token: tokens.ann });

    expect([foreign.status, own.status]).toEqual([404, 204]);
    expect(before).toBe(8);
    expect(objects.names().filter((name) => !name.endsWith('-job'))).toEqual([]);
    expect(await gardens(server, tokens.ann)).toEqual([]);
    expect(await server.db.selectFrom('further_pictures').selectAll().execute()).toEqual([]);
  });

  test('is deleted with its account, with every row and file', async () => {
    const { server, tokens, objects } = await startWithMakers();
    await server.call(saveImagine, shrine, { token: tokens.ann });
    await server.call(generateMidjourney, garden, { token: tokens.ann });

    await server.call(deleteAccount, { password: goodPassword }, { token: tokens.ann });
    server.wait(60 * hour);
    await sweep(server.deps);

    for (const table of [
      'generations',
      'further_pictures',
      'pictures',
      'generation_jobs',
    ] as const) {
      expect(await server.db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
    expect(objects.names()).toEqual([]);
  });
});
