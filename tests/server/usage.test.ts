/** The public usage figures: real counts, or examples that are marked as such. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { readUsage } from '#contract/endpoints/usage';
import { createServices } from '#server/services/services';
import { type Telegram } from '#server/upstream/telegram/telegram';
import { createTestServer } from '#tests/test-server';

const hour = 60 * 60 * 1000;

/** A bot is connected; nothing here asks it anything. */
const bot: Telegram = new Proxy(Object.create(null), {
  get: () => () => Promise.reject(new Error('Telegram was not to be asked')),
});

async function startServer({ hasBot }: { readonly hasBot: boolean }) {
  const server = await createTestServer({ telegram: hasBot ? bot : undefined });
  const { usage } = createServices(server.deps);
  return { server, usage, read: async () => (await server.call(readUsage, {})).body };
}

describe('what is counted', () => {
  test('is told by feature, the most used first, in all and of today', async () => {
    const { usage, read } = await startServer({ hasBot: true });

    await usage.count('status');
    await usage.count('imagine');
    await usage.count('imagine');

    expect(await read()).toEqual([
      { _id: 'imagine', count: 2, today: 2, is_demo: false },
      { _id: 'status', count: 1, today: 1, is_demo: false },
    ]);
  });

  test('is of yesterday when the day is over by UTC, and still counts in all', async () => {
    const { server, usage, read } = await startServer({ hasBot: true });
    await usage.count('imagine');

    server.wait(11 * hour);
    await usage.count('imagine');
    const beforeMidnight = await read();
    server.wait(2 * hour);
    await usage.count('imagine');
    await usage.count('status');

    expect(beforeMidnight).toMatchObject([{ count: 2, today: 2 }]);
    expect(await read()).toEqual([
      { _id: 'imagine', count: 3, today: 1, is_demo: false },
      { _id: 'status', count: 1, today: 1, is_demo: false },
    ]);
  });

  test('loses nothing when much happens at once', async () => {
    const { usage, read } = await startServer({ hasBot: true });

    await Promise.all(Array.from({ length: 25 }, () => usage.count('imagine')));

    expect(await read()).toMatchObject([{ _id: 'imagine', count: 25, today: 25 }]);
  });

  test('a count that cannot be stored fails no request', async () => {
    const { server, usage } = await startServer({ hasBot: true });
    await server.close();

    await expect(usage.count('imagine')).resolves.toBeUndefined();

    expect(server.logLines.join('')).toContain('Could not count the use of a feature');
  });
});

describe('figures made up', () => {
  test('stand where there is no bot and nothing was counted, each marked as such', async () => {
    const { read } = await startServer({ hasBot: false });

    const figures = v.parse(readUsage.output, await read());

    expect(figures.length).toBeGreaterThan(4);
    expect(figures.every(({ is_demo }) => is_demo)).toBe(true);
    expect(figures.some(({ today }) => today === 0)).toBe(true);
  });

  test('give way to the first real one', async () => {
    const { usage, read } = await startServer({ hasBot: false });

    await usage.count('imagine');

    expect(await read()).toEqual([{ _id: 'imagine', count: 1, today: 1, is_demo: false }]);
  });

  test('never stand where a bot is connected', async () => {
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

  test('too many calls from one address have to wait, and are told how long', async () => {
    const server = await createTestServer({ variables: { ADDRESS_LIMIT_FACTOR: '0.025' } });
    const ask = () => server.call(readUsage, {});

    const first = await Promise.all([ask(), ask(), ask()]);
    const refused = await ask();
    server.wait(60_000);

    expect(first.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0);
    expect((await ask()).status).toBe(200);
  });

  test.each(['/public-api', '/public-api/nothing', '/public-api/health'])(
    'refuses %s as every unknown address',
    async (path) => {
      const { server } = await startServer({ hasBot: false });

      const { status, body } = await server.request(path);

      expect(status).toBe(404);
      expect(body).toMatchObject({ code: 'not_found' });
    },
  );

  test('is not part of the backend', async () => {
    const { server } = await startServer({ hasBot: false });

    expect((await server.request('/backend/telegram_bot/usage')).status).toBe(404);
  });
});

describe('the answer of any backend', () => {
  const read = (body: unknown) => v.parse(readUsage.output, body);

  test('may have counts as numbers or wrapped integers, and today or not', () => {
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
