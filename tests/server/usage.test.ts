/** The public usage figures: real counts, or examples that are marked as such. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { isCommandId } from '#contract/commands/index';
import { readUsage } from '#contract/endpoints/usage';
import { createUsageRepository } from '#server/db/counters';
import { createServices } from '#server/services/services';
import { type Telegram } from '#server/upstream/telegram/telegram';
import { createTestServer } from '#tests/test-server';

const hour = 60 * 60 * 1000;

/** A bot is connected, but none of these tests calls it. */
const bot: Telegram = new Proxy(Object.create(null), {
  get: () => () => Promise.reject(new Error('Telegram was not to be asked')),
});

async function startServer({ hasBot }: { readonly hasBot: boolean }) {
  const server = await createTestServer({ telegram: hasBot ? bot : undefined });
  const { usage } = createServices(server.deps);
  return { server, usage, read: async () => (await server.call(readUsage, {})).body };
}

describe('counts', () => {
  test('are listed by feature, the highest first, in total and for today', async () => {
    const { usage, read } = await startServer({ hasBot: true });

    await usage.countCommand('status');
    await usage.countCommand('ban');
    await usage.countCommand('ban');

    expect(await read()).toEqual([
      { _id: 'ban', count: 2, today: 2, is_demo: false },
      { _id: 'status', count: 1, today: 1, is_demo: false },
    ]);
  });

  test('are of yesterday after midnight UTC, and still count in total', async () => {
    const { server, usage, read } = await startServer({ hasBot: true });
    await usage.countCommand('ban');

    server.wait(11 * hour);
    await usage.countCommand('ban');
    const beforeMidnight = await read();
    server.wait(2 * hour);
    await usage.countCommand('ban');
    await usage.countCommand('status');

    expect(beforeMidnight).toMatchObject([{ count: 2, today: 2 }]);
    expect(await read()).toEqual([
      { _id: 'ban', count: 3, today: 1, is_demo: false },
      { _id: 'status', count: 1, today: 1, is_demo: false },
    ]);
  });

  test('are complete under parallel requests', async () => {
    const { usage, read } = await startServer({ hasBot: true });

    await Promise.all(Array.from({ length: 25 }, () => usage.countCommand('ban')));

    expect(await read()).toMatchObject([{ _id: 'ban', count: 25, today: 25 }]);
  });

  test('under the former ID of a command belong to the command', async () => {
    const { server, usage, read } = await startServer({ hasBot: true });
    const stored = createUsageRepository(server.deps.database.db);
    const today = Date.parse('2026-11-21');
    await stored.add('tban', today);
    await stored.add('tban', today - 24 * hour);
    await stored.add('waifu', today);
    await usage.countCommand('warn');
    await usage.countCommand('warn');
    await usage.countCommand('ban');

    expect(await read()).toEqual([
      { _id: 'ban', count: 3, today: 2, is_demo: false },
      { _id: 'warn', count: 2, today: 2, is_demo: false },
      { _id: 'waifu', count: 1, today: 1, is_demo: false },
    ]);
  });

  test('that cannot be stored fail no request', async () => {
    const { server, usage } = await startServer({ hasBot: true });
    await server.close();

    await expect(usage.countCommand('ban')).resolves.toBeUndefined();

    expect(server.logLines.join('')).toContain('Could not count the use of a feature');
  });
});

describe('example figures', () => {
  test('are shown where there is no bot and no count, each marked as an example', async () => {
    const { read } = await startServer({ hasBot: false });

    const figures = v.parse(readUsage.output, await read());

    expect(figures.length).toBeGreaterThan(4);
    expect(figures.every(({ is_demo }) => is_demo)).toBe(true);
    expect(figures.some(({ today }) => today === 0)).toBe(true);
    const names = figures.map(({ _id }) => _id).filter((name) => name !== 'Image generation');
    expect(names.filter((name) => !isCommandId(name))).toEqual([]);
  });

  test('are replaced by the first real count', async () => {
    const { usage, read } = await startServer({ hasBot: false });

    await usage.countCommand('ban');

    expect(await read()).toEqual([{ _id: 'ban', count: 1, today: 1, is_demo: false }]);
  });

  test('are never shown where a bot is connected', async () => {
    const { read } = await startServer({ hasBot: true });

    expect(await read()).toEqual([]);
  });
});

describe('the public API', () => {
  test('may be read by every page, without cookies or a token', async () => {
    const { server } = await startServer({ hasBot: false });
    const reply = await server.call(
      readUsage,
      {},
      { headers: { Origin: 'https://somebody.example', Accept: 'application/json' } },
    );

    expect(reply.status).toBe(200);
    expect(reply.headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(reply.headers.get('Access-Control-Allow-Credentials')).toBeNull();
    expect(reply.headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin');
    expect(reply.headers.get('Content-Security-Policy')).toBe(
      "default-src 'none'; frame-ancestors 'none'",
    );
  });

  test('says how long to wait after too many calls from one address', async () => {
    const server = await createTestServer({ variables: { ADDRESS_LIMIT_FACTOR: '0.025' } });
    const read = () => server.call(readUsage, {});

    const first = await Promise.all([read(), read(), read()]);
    const refused = await read();
    server.wait(60_000);

    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await read()).status).toBe(200);
  });

  test.each(['/public-api', '/public-api/nothing', '/public-api/health'])(
    'refuses %s like every unknown address',
    async (path) => {
      const { server } = await startServer({ hasBot: false });

      const { status, body } = await server.request(path);

      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'not_found' });
    },
  );

  test('is separate from the backend', async () => {
    const { server } = await startServer({ hasBot: false });

    expect((await server.request('/backend/telegram_bot/usage')).status).toBe(404);
  });
});

describe('the answer of any backend', () => {
  const read = (body: unknown) => v.parse(readUsage.output, body);

  test('may have counts as numbers or wrapped integers, with or without today', () => {
    expect(
      read([
        { _id: 'a', count: 12, today: { $numberLong: '3' } },
        { _id: 'b', count: { $numberLong: '12345678901' } },
        { _id: 'c', count: { value: '7' }, today: null },
      ]),
    ).toEqual([
      { _id: 'a', count: 12, today: 3, is_demo: false },
      { _id: 'b', count: 12_345_678_901, today: 0, is_demo: false },
      { _id: 'c', count: 7, today: 0, is_demo: false },
    ]);
  });

  test('loses only the records that cannot be read', () => {
    expect(
      read([
        { _id: 'good', count: 1, today: 'many' },
        { _id: 'no number', count: { $numberLong: 'many' } },
        { _id: 'negative', count: -1 },
        { count: 3 },
        null,
        'text',
      ]),
    ).toEqual([{ _id: 'good', count: 1, today: 0, is_demo: false }]);
  });

  test.each([{}, null, '<html>', { detail: 'no' }])('%j is not a list of figures', (body) => {
    expect(v.safeParse(readUsage.output, body).success).toBe(false);
  });
});
