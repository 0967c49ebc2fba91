/** Attacks on the form of requests, at every endpoint of the contract and every route of the server. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { addTopic } from '#contract/endpoints/chats';
import { type Endpoint, splitInput } from '#contract/endpoints/endpoint';
import { paths } from '#lib/paths';
import { loadStaticSite, type StaticSite } from '#server/http/static-site';
import { giveChats } from '#tests/chats';
import { createInput, dump, everyEndpoint, send } from '#tests/every-endpoint';
import { ada, createTestServer, getBase, minute, type TestServer } from '#tests/test-server';

const chat = -1_001_234_567_890;

/** Ada manages a chat, and is logged in. */
async function startWithAda(site?: StaticSite) {
  const server = await createTestServer({
    variables: {
      PUBLIC_URL: 'https://nori.example.org',
      CORS_ORIGINS: 'https://app.example.org',
      SECURITY_CONTACT: 'mailto:security@example.org',
    },
    ...(site === undefined ? {} : { site }),
  });
  const token = await server.signUp(ada);
  await giveChats(server, ada, [{ id: chat, topics: [0, 7] }]);
  return { server, token };
}

/** Calls all of them one after the other, a minute apart, so that no limit answers instead. Returns what each answered. */
async function callAll<T>(
  server: TestServer,
  endpoints: typeof everyEndpoint,
  act: (call: (typeof everyEndpoint)[number]) => Promise<T>,
): Promise<Record<string, T>> {
  const answers: Record<string, T> = {};
  for (const call of endpoints) {
    server.wait(minute);
    answers[call[0]] = await act(call);
  }
  return answers;
}

/** The same value for every endpoint, to compare a whole table at once: a failure shows the endpoints that differ. */
function forAll<T>(endpoints: typeof everyEndpoint, value: T): Record<string, T> {
  return Object.fromEntries(endpoints.map(([name]) => [name, value]));
}

function toAddress(call: (typeof everyEndpoint)[number], query: Record<string, string> = {}) {
  const [, endpoint] = call;
  const split = splitInput(endpoint, createInput(call, { chat_id: String(chat) }));
  const search = new URLSearchParams({ ...split.query, ...query }).toString();
  return { address: `${getBase(endpoint)}${split.path}?${search}`, body: split.body };
}

const changing = everyEndpoint.filter(([, { method }]) => method !== 'GET');
const withBody = changing.filter(
  ([, { method, isForm }]) => (method === 'POST' || method === 'PUT') && isForm !== true,
);

test('a query parameter that is given twice is refused by every call', async () => {
  const { server, token } = await startWithAda();

  const answers = await callAll(server, everyEndpoint, async (call) => {
    const { address } = toAddress(call);
    const [, { method, isForm }] = call;
    const reply = await server.app.request(`${address}&twice=1&twice=2`, {
      method,
      headers: { Authorization: `Bearer ${token}` },
      ...(isForm === true ? { body: new FormData() } : {}),
    });
    // A stream would have no end.
    await reply.body?.cancel();
    return reply.status;
  });

  expect(answers).toEqual(forAll(everyEndpoint, 422));
});

const inPathAndBody = withBody.filter(([, { path }]) => path.includes('/:'));

test('the body may not contradict the path, in any call that has both', async () => {
  const { server, token } = await startWithAda();
  const other: Readonly<Record<string, string>> = {
    chat_id: '-1',
    topic_id: '7',
    service: 'anilist',
  };

  const answers = await callAll(server, inPathAndBody, async (call) => {
    const { address, body } = toAddress(call);
    const names = [...call[1].path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const statuses = [];
    for (const name of names) {
      const reply = await server.request(address, {
        method: call[1].method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ ...body, [name]: other[name] ?? 'another' }),
      });
      statuses.push(reply.status);
    }
    return [...new Set(statuses)];
  });

  expect(answers).toEqual(forAll(inPathAndBody, [422]));
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  '',
])(
  'a page of another site cannot send what it can send without a question, to any call: type "%s"',
  async (type) => {
    const { server, token } = await startWithAda();
    const before = await dump(server.db, ['sessions', 'rate_buckets']);

    const answers = await callAll(server, withBody, async (call) => {
      const { address, body } = toAddress(call);
      const bytes = new Blob([JSON.stringify(body)]);
      const reply = await server.request(address, {
        method: call[1].method,
        headers: {
          Authorization: `Bearer ${token}`,
          ...(type === '' ? {} : { 'Content-Type': type }),
        },
        body: bytes,
      });
      return reply.status;
    });

    expect(answers).toEqual(forAll(withBody, 415));
    expect(await dump(server.db, ['sessions', 'rate_buckets'])).toEqual(before);
  },
);

test('no form is taken without a session, which a page of another site cannot send', async () => {
  const { server } = await startWithAda();
  const forms = everyEndpoint.filter(([, { isForm }]) => isForm === true);

  const answers = await callAll(server, forms, async (call) => {
    const input = createInput(call);
    const reply = await send(server, { endpoint: call[1], input, headers: { Cookie: 'token=1' } });
    return reply.status;
  });

  expect(answers).toEqual(forAll(forms, 401));
  expect(forms).not.toEqual([]);
});

/** What reading may write: when a session was last used, what limits have counted, and usage figures. */
const writtenByReading = ['sessions', 'rate_buckets', 'usage'];
/** The ways back from Spotify and AniList, whose state works once (`linking.test.ts`). */
const waysBack = new Set(['finishSpotify', 'finishAniList']);

test('no GET changes what is stored, of the calls that read and of those that change', async () => {
  const { server, token } = await startWithAda();
  const calls = everyEndpoint.filter(([name]) => !waysBack.has(name));
  const readSessions = () => server.db.selectFrom('sessions').select('id').execute();
  const sessions = await readSessions();

  const answers = await callAll(server, calls, async (call) => {
    const before = await dump(server.db, writtenByReading);
    const endpoint: Endpoint = { ...call[1], method: 'GET', body: [], isForm: false };
    const input = createInput(call, { chat_id: String(chat) });
    const fields = Object.fromEntries(
      Object.entries(input).filter(([, value]) => !(value instanceof Blob)),
    );
    await send(server, { endpoint, input: fields, token });
    const after = await dump(server.db, writtenByReading);
    return Object.keys(after).filter((table) => after[table] !== before[table]);
  });

  expect(answers).toEqual(forAll(calls, []));
  expect(await readSessions()).toEqual(sessions);
  // What is compared shows a change.
  const before = await dump(server.db, writtenByReading);
  await server.call(addTopic, { chat_id: chat, topic_id: 3 }, { token });
  expect(await dump(server.db, writtenByReading)).not.toEqual(before);
});

test('names that every object has are harmless in every body, query and path', async () => {
  const { server, token } = await startWithAda();
  const names = ['__proto__', 'constructor'];
  const json = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };

  const answers = await callAll(server, everyEndpoint, async (call) => {
    const [, { method, path, isForm }] = call;
    const { address, body } = toAddress(call);
    const statuses: number[] = [];
    for (const name of names) {
      const inBody = `{"${name}": {"prototype": {"polluted": 1}, "polluted": 1}, ${JSON.stringify(body).slice(1)}`;
      const withComma = inBody.replace(/, \}$/, '}');
      const hasBody = (method === 'POST' || method === 'PUT') && isForm !== true;
      const addresses = [
        `${address}&${name}=1&${name}[polluted]=1`,
        `${getBase(call[1])}${path.replaceAll(/:\w+/g, name)}`,
      ];
      for (const target of addresses) {
        const reply = await server.app.request(target, {
          method,
          headers: hasBody ? json : { Authorization: `Bearer ${token}` },
          ...(hasBody ? { body: withComma } : {}),
        });
        await reply.body?.cancel();
        statuses.push(reply.status);
      }
      server.wait(minute);
    }
    return statuses.filter((status) => status === 500);
  });

  expect(answers).toEqual(forAll(everyEndpoint, []));
  expect('polluted' in {}).toBe(false);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

let folder: string;
let site: StaticSite | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'nori-checks-'));
  const page = '<!doctype html><script>document.title = 1;</script><title>Page</title>';
  const pages = Object.values(paths).map((path) => `${path.slice(1)}/index.html`);
  const files = [
    ...[...pages, '404.html'].map((name) => ({ name, content: page })),
    { name: 'assets/app-1.js', content: 'export {};' },
    { name: 'icon.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
  ];
  for (const { name, content } of files) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
  site = await loadStaticSite(folder);
});
afterAll(() => rm(folder, { recursive: true }));

/** Every address that the server has a route for, with the method, and the pages and files of the site. */
function readRoutes({ app }: TestServer): readonly { method: string; address: string }[] {
  const routes = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({ method, address: path.replaceAll(/:\w+(?:\{[^}]*\})?/g, '7') }));
  const files = [
    '/assets/app-1.js',
    '/icon.svg',
    '/nowhere',
    '/nothing.js',
    '/backend',
    '/public-api/x',
  ];
  const ofSite = [...Object.values(paths), ...files].map((address) => ({ method: 'GET', address }));
  return [
    ...new Map([...routes, ...ofSite].map((route) => [JSON.stringify(route), route])).values(),
  ];
}

const isPage = (address: string) => [...Object.values<string>(paths), '/nowhere'].includes(address);
const anything: unknown = expect.any(String);
const notStored: unknown = expect.stringContaining('no-store');
const loadsNothing: unknown = expect.stringContaining("default-src 'none'");
/** The same for everyone, or the address holds the permission: these may be stored. */
const mayBeStored =
  /^\/(?:assets\/|icon\.svg|robots\.txt|sitemap\.xml|\.well-known\/|backend\/media\/|public-api\/)/;

function getCaching(address: string): unknown {
  if (isPage(address)) {
    return 'no-cache';
  }
  return mayBeStored.test(address) ? anything : notStored;
}

/** Only pages and answers can load something; a file of the site is part of a page. */
function getPolicy(address: string): unknown {
  const isFile = /\.(?:svg|txt|xml)$|^\/assets\//.test(address);
  return isFile ? undefined : loadsNothing;
}

test('every route sends the general headers, also when it refuses; what is personal is not stored on the way', async () => {
  const { server, token } = await startWithAda(site);
  const routes = readRoutes(server);

  for (const { method, address } of routes) {
    server.wait(minute);
    const response = await server.app.request(address, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Accept-Language': 'en' },
    });
    const headers = Object.fromEntries(response.headers);
    await response.body?.cancel();

    expect({ method, address, headers }).toMatchObject({
      headers: {
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin-allow-popups',
        'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
        'strict-transport-security': expect.stringMatching(/^max-age=31536000; includeSubDomains/),
      },
    });
    expect(headers['server'] ?? headers['x-powered-by']).toBeUndefined();
    const { 'cache-control': caching, 'content-security-policy': policy } = headers;
    expect([method, address, caching]).toEqual([method, address, getCaching(address)]);
    expect([method, address, policy]).toEqual([method, address, getPolicy(address)]);
  }
  expect(routes.length).toBeGreaterThan(everyEndpoint.length);
});

test('no route tells a page of another origin that it may read, except what is public', async () => {
  const { server } = await startWithAda(site);

  for (const { method, address } of readRoutes(server)) {
    server.wait(minute);
    for (const origin of ['https://evil.example', 'null', 'https://app.example.org.evil.example']) {
      const replies = [
        await server.app.request(address, { method, headers: { Origin: origin } }),
        await server.app.request(address, {
          method: 'OPTIONS',
          headers: {
            Origin: origin,
            'Access-Control-Request-Method': method,
            'Access-Control-Request-Headers': 'authorization,content-type',
          },
        }),
      ];
      for (const reply of replies) {
        await reply.body?.cancel();
        const allowed = reply.headers.get('Access-Control-Allow-Origin');
        const isPublic = address.startsWith('/public-api');
        expect([address, allowed]).toEqual([address, isPublic ? '*' : null]);
        expect(reply.headers.get('Access-Control-Allow-Credentials')).toBeNull();
      }
      const methods = replies[1]?.headers.get('Access-Control-Allow-Methods') ?? 'GET';
      expect(address.startsWith('/public-api') ? methods : 'GET').toBe('GET');
    }
  }
});
