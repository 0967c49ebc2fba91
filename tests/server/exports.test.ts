/** Exporting all that is stored about a user: what is in the file, how it is delivered, and when it ends. */
import { strFromU8, unzipSync } from 'fflate';
import * as v from 'valibot';
import { describe, expect, onTestFinished, test } from 'vitest';

import { listAccountEvents } from '#contract/endpoints/account-events';
import { readExport, startExport } from '#contract/endpoints/exports';
import { sweep } from '#server/services/maintenance';
import { createServices } from '#server/services/services';
import { startBotApi } from '#tests/bot-api-server';
import { canary, mila, startCanaryWorld } from '#tests/canary';
import { bo } from '#tests/command-group';
import { save } from '#tests/pictures';
import { createMemoryStore, createTestServer, minute, type TestServer } from '#tests/test-server';

const hour = 60 * minute;
const person = 7_111_222_333;

type Options = Parameters<typeof createTestServer>[0];

/** A server with one user who has one picture. */
async function start(options: Options = {}) {
  const objects = createMemoryStore();
  const server = await createTestServer({ objects, ...options });
  onTestFinished(() => server.close());
  const token = await signUp(server);
  await save(server, token, { prompt: 'a lighthouse' });
  const begin = (byBot = false) => server.call(startExport, { by_bot: byBot }, { token });
  const read = async () => {
    const { body } = await server.call(readExport, {}, { token });
    return v.parse(readExport.output, body);
  };
  const make = async () => {
    await begin();
    await server.services.exports.runDue();
    return read();
  };
  return { server, objects, token, begin, read, make };
}

/** As a row: how people sign up is not what is tested here. */
async function signUp({ db, services, now }: TestServer, telegramId = person): Promise<string> {
  await db
    .insertInto('people')
    .values({
      telegram_id: telegramId,
      email: 'mila@example.org',
      password_hash: 'a hash of a password',
      first_name: 'Mila',
      username: null,
      photo_url: null,
      created_at: now(),
    })
    .execute();
  const caller = { address: '203.0.113.9', userAgent: undefined };
  return (await services.sessions.start(telegramId, caller)).token;
}

async function download({ app }: TestServer, url = '', headers: Record<string, string> = {}) {
  const reply = await app.request(url, { headers });
  return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
}

const exportFiles = (names: readonly string[]) =>
  names.filter((name) => !/original|thumb/.test(name));

describe('what is exported', () => {
  test('is everything that is stored about the user, with their pictures, and no secret', async () => {
    const { server, token, objects } = await startCanaryWorld();
    const { body } = await server.call(readExport, {}, { token });
    const { url = '' } = v.parse(readExport.output, body);

    const { bytes } = await download(server, new URL(url).pathname + new URL(url).search);

    const files = unzipSync(bytes);
    const text = strFromU8(files['nori.json'] ?? new Uint8Array());
    const data = v.parse(v.record(v.string(), v.unknown()), JSON.parse(text));
    const empty = Object.entries(data).filter(
      ([, rows]) => Array.isArray(rows) && rows.length === 0,
    );
    // No value, no further picture; the chat in which a code was entered.
    expect(empty.map(([name]) => name)).toEqual(['further_pictures', 'changed_values']);
    expect(data).toMatchObject({
      account: [{ telegram_id: mila, email: `${canary}@example.org`, username: `${canary}_mila` }],
      passkeys: [{ name: `${canary} key`, last_used_at: null }],
      connections: [{ service: 'anilist', account_name: `${canary} watches` }],
      model_names: [{ name: `${canary} model` }],
      changed_settings: [{ name: 'photo_blocked' }],
      warnings_you_have: [{ by_id: bo, reason: `${canary} of Mila` }],
      warnings_you_gave: [{ telegram_id: 444_444, reason: `${canary} reason` }],
      seen_by_the_bot: [{ first_name: `${canary} Mila` }],
    });
    const pictures = Object.keys(files).filter((name) => name.startsWith('pictures/'));
    // Also the one in the bin.
    expect(pictures).toHaveLength(3);
    for (const name of pictures) {
      const id = name.replace(/^pictures\/|\.\w+$/g, '');
      const original = await objects.read(`${id}-original`);
      expect(Buffer.from(files[name] ?? []).equals(original?.bytes ?? Buffer.alloc(0))).toBe(true);
    }
    const [{ password_hash: hash } = { password_hash: '' }] = await server.db
      .selectFrom('people')
      .select('password_hash')
      .where('telegram_id', '=', mila)
      .execute();
    expect(hash).toContain('$argon2id$');
    expect(text).not.toContain(hash);
    expect(text).not.toMatch(/_token"|_hash"|public_key"/);
  });

  test('has nothing of another user', async () => {
    const { server } = await startCanaryWorld();
    const token = await signUp(server, 7_999_999);
    await server.call(startExport, {}, { token });
    await server.services.exports.runDue();
    const { url = '' } = v.parse(
      readExport.output,
      (await server.call(readExport, {}, { token })).body,
    );

    const { bytes } = await download(server, new URL(url).pathname + new URL(url).search);

    const files = unzipSync(bytes);
    expect(Object.keys(files)).toEqual(['nori.json']);
    const text = strFromU8(files['nori.json'] ?? new Uint8Array());
    expect(text).toContain('7999999');
    expect(text).not.toContain(canary);
    expect(text).not.toContain(String(mila));
  });

  test('is written piece by piece, also where there is much', async () => {
    const { server, objects, make } = await start();
    const big = Buffer.alloc(6_000_000, 'a picture');
    const { id } = await server.db.selectFrom('pictures').select('id').executeTakeFirstOrThrow();
    await objects.put(`${id}-original`, big);
    const { open } = objects;
    const written: number[] = [];
    Object.assign(objects, {
      open: async () => {
        const draft = await open();
        return {
          ...draft,
          write: (bytes: Uint8Array) => {
            written.push(bytes.length);
            return draft.write(bytes);
          },
        };
      },
    });

    const { url } = await make();

    expect(Math.max(...written)).toBeLessThan(1_000_000);
    const files = unzipSync((await download(server, url)).bytes);
    expect(files[`pictures/${id}.png`]?.length ?? files[`pictures/${id}.webp`]?.length).toBe(
      big.length,
    );
  });
});

describe('starting one', () => {
  test('is answered at once, and is told by its state and among the events of the account', async () => {
    const { server, token, begin, read } = await start();
    const before = await read();

    const reply = await begin();
    const waiting = await read();
    await server.services.exports.runDue();

    expect(before).toEqual({ state: 'none', by_bot: 'no' });
    expect(reply.status).toBe(204);
    expect(waiting).toMatchObject({ state: 'waiting', by_bot: 'no' });
    expect(waiting.url).toBeUndefined();
    const ready = await read();
    expect(ready).toMatchObject({ state: 'ready', bytes: expect.any(Number) });
    expect(Date.parse(ready.expires_at ?? '')).toBe(server.now() + 24 * hour);
    const events = await server.call(listAccountEvents, {}, { token });
    expect(v.parse(listAccountEvents.output, events.body).events).toMatchObject([
      { kind: 'export' },
    ]);
  });

  test('is refused while another is being made, and a fourth time a day', async () => {
    const { server, begin, make } = await start();
    await begin();

    const second = await begin();
    await server.services.exports.runDue();
    await make();
    await make();
    const fourth = await begin();

    expect(second.status).toBe(429);
    expect(second.body).toMatchObject({ detail: 'Your data is being exported already.' });
    expect(Number(second.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect(fourth.status).toBe(429);
    expect(fourth.body).toMatchObject({ detail: expect.stringContaining('exported often today') });
    server.wait(24 * hour);
    expect((await begin()).status).toBe(204);
  });

  test('twice at the same moment makes one', async () => {
    const { server, begin } = await start();

    const replies = await Promise.all([begin(), begin(), begin()]);

    expect(replies.filter(({ status }) => status === 204)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(2);
    expect(await server.db.selectFrom('exports').select('id').execute()).toHaveLength(1);
  });

  test('puts the new file in the place of the earlier one', async () => {
    const { server, objects, make } = await start();
    const first = await make();
    server.wait(minute);

    const second = await make();

    expect(exportFiles(objects.names())).toHaveLength(1);
    expect((await download(server, first.url)).reply.status).toBe(404);
    expect((await download(server, second.url)).reply.status).toBe(200);
  });
});

describe('the link', () => {
  test('gives the file without a session, as a download that no cache keeps', async () => {
    const { server, make } = await start();
    const { url, bytes: size } = await make();

    const { reply, bytes } = await download(server, url);

    expect(reply.status).toBe(200);
    expect(bytes.length).toBe(size);
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename="nori-data.zip"',
      'cache-control': 'no-store',
      'content-length': String(size),
      'x-content-type-options': 'nosniff',
    });
    expect(server.logLines.join('')).not.toContain('signature=');
  });

  test('gives a part of it, so that a download can go on', async () => {
    const { server, make } = await start();
    const { url } = await make();
    const { bytes: whole } = await download(server, url);

    const part = await download(server, url, { Range: 'bytes=10-29' });
    const beyond = await download(server, url, { Range: `bytes=${whole.length}-` });

    expect(part.reply.status).toBe(206);
    expect(part.reply.headers.get('Content-Range')).toBe(`bytes 10-29/${whole.length}`);
    expect(part.bytes.equals(whole.subarray(10, 30))).toBe(true);
    expect(beyond.reply.status).toBe(416);
  });

  test('ends 24 hours after the export was begun, and with it row and file', async () => {
    const { server, objects, make, read } = await start();
    const { url } = await make();
    server.wait(24 * hour - 1);
    const atLast = await download(server, url);

    server.wait(1);
    const after = await download(server, url);
    const state = await read();
    await sweep(server.deps);

    expect(atLast.reply.status).toBe(200);
    expect(after.reply.status).toBe(403);
    expect(state).toEqual({ state: 'none', by_bot: 'no' });
    expect(exportFiles(objects.names())).toEqual([]);
    expect(await server.db.selectFrom('exports').selectAll().execute()).toEqual([]);
  });

  test.each([
    ['another export', (url: string) => url.replace(/exports\//, 'exports/_')],
    ['a later end', (url: string) => url.replace(/expires=\d/, 'expires=9')],
    ['another signature', (url: string) => url.replace(/signature=.{4}/, 'signature=AAAA')],
    ['none', (url: string) => url.replace(/\?.*$/, '')],
  ])('is worth nothing with %s', async (_what, change) => {
    const { server, make } = await start();
    const { url = '' } = await make();

    const { reply, bytes } = await download(server, change(url));

    expect(change(url)).not.toBe(url);
    expect(reply.status).toBe(403);
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({ code: 'link_expired' });
  });
});

describe('what goes wrong', () => {
  test('a disk that has too little space is no place for an export', async () => {
    const { objects, make } = await start();
    objects.setFree(1);

    expect(await make()).toMatchObject({ state: 'failed' });
    expect(exportFiles(objects.names())).toEqual([]);
  });

  test('a disk that fails meanwhile leaves no half of a file', async () => {
    const { server, objects, begin, read } = await start();
    await begin();
    objects.fill();
    await server.services.exports.runDue();

    expect(await read()).toMatchObject({ state: 'failed' });
    expect(exportFiles(objects.names())).toEqual([]);
  });

  test('an export that a killed server has begun is made by the next, when its lease is over', async () => {
    const { server, begin, read } = await start();
    await begin();
    await server.db
      .updateTable('exports')
      .set({ held_until: server.now() + minute, tries: 1 })
      .execute();

    await server.services.exports.runDue();
    const held = await read();
    server.wait(minute);
    await server.services.exports.runDue();

    expect(held.state).toBe('waiting');
    expect((await read()).state).toBe('ready');
  });

  test('two servers make it once', async () => {
    const { server, objects, begin, read } = await start();
    const other = createServices(server.deps);
    let opened = 0;
    const { open } = objects;
    Object.assign(objects, {
      open: () => {
        opened += 1;
        return open();
      },
    });
    await begin();

    await Promise.all([server.services.exports.runDue(), other.exports.runDue()]);

    expect(opened).toBe(1);
    expect((await read()).state).toBe('ready');
  });

  test('what was begun three times and never ended has failed', async () => {
    const { server, begin, read } = await start();
    await begin();
    await server.db.updateTable('exports').set({ tries: 3 }).execute();

    await server.services.exports.runDue();

    expect((await read()).state).toBe('failed');
  });

  test('a server that stops gives back what it has begun', async () => {
    const { server, objects, begin, read } = await start();
    const other = createServices(server.deps);
    const { open } = objects;
    let stopped: Promise<void> | undefined;
    Object.assign(objects, {
      open: () => {
        stopped ??= server.services.exports.stop();
        return open();
      },
    });
    await begin();
    await server.services.exports.runDue();
    await stopped;
    const given = await read();

    await other.exports.runDue();

    expect(given.state).toBe('waiting');
    expect((await read()).state).toBe('ready');
    expect(exportFiles(objects.names())).toHaveLength(1);
  });
});

describe('by the bot', () => {
  async function startWithBot(variables: Readonly<Record<string, string>> = {}) {
    const api = await startBotApi({ people: [{ id: person, first_name: 'Mila' }] });
    onTestFinished(api.close);
    const world = await start({ bot: { api }, variables });
    const makeByBot = async () => {
      await world.begin(true);
      await world.server.services.exports.runDue();
      return world.read();
    };
    return { ...world, api, makeByBot };
  }

  /** More than a bot may send. */
  async function addLargePicture(
    { db }: TestServer,
    objects: ReturnType<typeof createMemoryStore>,
  ) {
    const { id } = await db.selectFrom('pictures').select('id').executeTakeFirstOrThrow();
    await objects.put(`${id}-original`, Buffer.alloc(51 * 1024 * 1024));
  }

  test('the file comes to the private chat, once, and the link stays', async () => {
    const { server, api, makeByBot } = await startWithBot();

    const { state, by_bot: byBot, url } = await makeByBot();
    await server.services.exports.runDue();

    expect({ state, byBot }).toEqual({ state: 'ready', byBot: 'sent' });
    expect(api.documents).toHaveLength(1);
    expect(api.documents[0]).toMatchObject({ to: person, name: 'nori-data.zip' });
    expect(api.documents[0]?.caption).toContain('within 24 hours');
    const { bytes } = await download(server, url);
    expect(api.documents[0]?.bytes.equals(bytes)).toBe(true);
  });

  test('one that is too large for a message is sent as a link', async () => {
    const { server, objects, api, makeByBot } = await startWithBot({
      PUBLIC_URL: 'https://nori.example.org',
    });
    await addLargePicture(server, objects);

    const { by_bot: byBot, url = '' } = await makeByBot();

    expect(byBot).toBe('sent');
    expect(api.documents).toEqual([]);
    expect(api.messages.at(-1)?.text).toContain('too large for a message');
    expect(JSON.stringify(api.messages.at(-1)?.body)).toContain(url);
  });

  test('without a public address the bot says where it is', async () => {
    const { server, objects, api, makeByBot } = await startWithBot();
    await addLargePicture(server, objects);

    await makeByBot();

    expect(api.messages.at(-1)?.text).toContain('Download it on your account page.');
  });

  test('a bot that may not write leaves the link', async () => {
    const { api, makeByBot } = await startWithBot();
    api.setReach(person, 'blocked');

    expect(await makeByBot()).toMatchObject({
      state: 'ready',
      by_bot: 'no',
      url: expect.any(String),
    });
  });

  test('a Telegram that does not answer is asked again, and then it is left at the link', async () => {
    const { server, api, makeByBot, read } = await startWithBot();
    const away = { error_code: 502, description: 'Bad Gateway' };
    api.fail('sendDocument', away, 1);
    const first = await makeByBot();
    server.wait(minute);
    await server.services.exports.runDue();

    expect(first).toMatchObject({ state: 'ready', by_bot: 'pending' });
    expect(await read()).toMatchObject({ by_bot: 'sent' });
    expect(api.documents).toHaveLength(1);

    api.fail('sendDocument', away, 9);
    await makeByBot();
    for (let tries = 0; tries < 4; tries += 1) {
      server.wait(2 * minute);
      await server.services.exports.runDue();
    }
    expect(await read()).toMatchObject({ state: 'ready', by_bot: 'no' });
  });

  test('without a bot there is the link alone', async () => {
    const { server, begin, read } = await start();
    await begin(true);
    await server.services.exports.runDue();

    expect(await read()).toMatchObject({ state: 'ready', by_bot: 'no' });
  });
});
