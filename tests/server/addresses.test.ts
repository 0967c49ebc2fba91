/** Whose call it is: a forwarded address counts only when a proxy that the operator named wrote it. */
import { once } from 'node:events';
import { networkInterfaces } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';

import { listen } from '#server/http/listen';
import { findCaller, readTrustedProxies } from '#server/lib/addresses';
import { createTestServer } from '#tests/test-server';

const usage = '/public-api/telegram_bot/usage';

/** Whose calls are limited to three. */
function startServer(trustProxy: string) {
  return createTestServer({
    variables: { TRUST_PROXY: trustProxy, ADDRESS_LIMIT_FACTOR: '0.025' },
  });
}

/** Calls six times from one address, each time for another one that the header names. */
async function callForOthers(call: (header: Record<string, string>) => Promise<number>) {
  const statuses: number[] = [];
  for (let count = 1; count <= 6; count += 1) {
    statuses.push(await call({ 'X-Forwarded-For': `203.0.113.${count}` }));
  }
  return statuses;
}

const outside = Object.values(networkInterfaces())
  .flatMap((all) => all ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal);

test.skipIf(outside === undefined)(
  'who reaches a server at HOST=0.0.0.0 TRUST_PROXY=1 directly cannot pose as others, and its proxy can tell callers apart',
  async () => {
    const server = await startServer('1');
    const http = listen({
      fetch: server.app.fetch,
      port: 0,
      host: '0.0.0.0',
      onListening: () => undefined,
    });
    onTestFinished(() => void http.close());
    await once(http, 'listening');
    const address = http.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const callAt = (host: string) =>
      callForOthers(
        async (headers) => (await fetch(`http://${host}:${port}${usage}`, { headers })).status,
      );

    const direct = await callAt(outside?.address ?? '');
    const byProxy = await callAt('127.0.0.1');

    expect(direct).toEqual([200, 200, 200, 429, 429, 429]);
    expect(byProxy).toEqual([200, 200, 200, 200, 200, 200]);
  },
);

test.each([
  ['1', '198.51.100.9'],
  ['1', '::ffff:198.51.100.9'],
  ['10.0.0.7', '10.0.0.8'],
  ['10.0.0.0/8', 'fd00::1'],
  ['0', '127.0.0.1'],
])('with TRUST_PROXY=%s the header of a caller at %s is ignored', async (trustProxy, socket) => {
  const server = await startServer(trustProxy);
  const from = { incoming: { socket: { remoteAddress: socket } } };

  const statuses = await callForOthers(
    async (headers) => (await server.app.request(usage, { headers }, from)).status,
  );

  expect(statuses).toEqual([200, 200, 200, 429, 429, 429]);
});

describe('the caller is', () => {
  function find(trustProxy: string, socket: string, header: string): string {
    const trusted = readTrustedProxies(trustProxy);
    if (trusted === undefined) {
      throw new Error(`${trustProxy} is no value`);
    }
    return findCaller(socket, header, trusted);
  }

  test.each([
    // Proxies on this machine.
    ['1', '127.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['1', '::1', '198.51.100.7', '198.51.100.7'],
    ['1', '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['1', '127.0.0.1', '203.0.113.1, 127.0.0.1', '127.0.0.1'],
    ['2', '127.0.0.1', '203.0.113.1, 198.51.100.7, 127.0.0.1', '198.51.100.7'],
    // The second proxy was passed by, so that none has checked what stands before its place.
    ['2', '127.0.0.1', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    // Named ones.
    ['10.0.0.7', '10.0.0.7', '203.0.113.1, 198.51.100.7', '198.51.100.7'],
    ['10.0.0.7', '::ffff:10.0.0.7', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.7,10.1.0.0/16', '10.0.0.7', '203.0.113.1, 198.51.100.7, 10.1.2.3', '198.51.100.7'],
    ['fd00::/8', 'fd12::1', '198.51.100.7', '198.51.100.7'],
    ['127.0.0.1', '127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    // A network of an IPv6 caller.
    ['1', '127.0.0.1', '2001:DB8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['0', '2001:db8::1', '', '2001:db8:0:0'],
  ])('with %s at %s, named by "%s": %s', (...row) => {
    const [trustProxy, socket, header, caller] = row;

    expect(find(trustProxy, socket, header)).toBe(caller);
  });

  test.each(['', 'unknown', 'localhost', '198.51.100.7:443', '1.2.3', '198.51.100.7, -', ',,,'])(
    'the proxy itself when it names "%s"',
    (header) => {
      expect(find('1', '127.0.0.1', header)).toBe('127.0.0.1');
    },
  );
});
