/** Videos from the operator's video server are passed on unchanged, and nothing else is. */
import { setImmediate as breathe } from 'node:timers/promises';
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { readVideoToken } from '#contract/endpoints/player';
import { EnvironmentMistake, readEnv } from '#server/app/env';
import { startStandIn } from '#tests/stand-in';
import { createTestServer } from '#tests/test-server';

/** The byte that every film repeats. */
const filmBytes = Buffer.from(Array.from({ length: 5000 }, (_none, at) => at % 251));

/** A stand-in for a video server: whole films, ranges, and missing films. */
async function startFilmSource() {
  const standIn = await startStandIn(({ method, path, headers }) => {
    if (!/^\/films\/[\w-]+\.mp4$/.test(path) || path.includes('missing')) {
      return { status: 404, headers: { 'Content-Type': 'text/html' }, body: '<h1>Not Found</h1>' };
    }
    const { status, bytes, contentRange } = getPart(headers.range);
    return {
      status,
      headers: {
        'Content-Type': 'video/mp4',
        'Content-Length': String(bytes.length),
        'Accept-Ranges': 'bytes',
        'X-Secret-Of-The-Source': 'yes',
        ...contentRange,
      },
      body: method === 'HEAD' ? '' : bytes,
    };
  });
  return { ...standIn, variables: { VIDEO_SOURCE: `${standIn.url}/films/{id}.mp4` } };
}

function getPart(range: string | undefined) {
  const size = filmBytes.length;
  if (range === undefined) {
    return { status: 200, bytes: filmBytes, contentRange: {} };
  }
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range) ?? [];
  const start = first === '' ? size - Number(last) : Number(first);
  if (start >= size) {
    const contentRange = { 'Content-Range': `bytes */${size}` };
    return { status: 416, bytes: filmBytes.subarray(0, 0), contentRange };
  }
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return {
    status: 206,
    bytes: filmBytes.subarray(start, end + 1),
    contentRange: { 'Content-Range': `bytes ${start}-${end}/${size}` },
  };
}

async function startWithSource() {
  const source = await startFilmSource();
  const server = await createTestServer({ variables: source.variables });
  const requestStream = async (
    id: string,
    headers: Record<string, string> = {},
    init: { readonly method?: string; readonly signal?: AbortSignal } = {},
  ) => {
    const { body } = await server.call(readVideoToken, { video_id: id });
    const { stream_url = '' } = v.parse(readVideoToken.output, body);
    return server.app.request(`/backend${stream_url}`, { headers, ...init });
  };
  return { source, server, requestStream };
}

const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer());
const away = {
  code: 'service_unavailable',
  detail: 'The service does not answer right now. Please try again in a moment.',
};

test('a film is sent whole', async () => {
  const { source, requestStream } = await startWithSource();

  const response = await requestStream('90223');

  expect(response.status).toBe(200);
  expect((await readBytes(response)).equals(filmBytes)).toBe(true);
  expect(response.headers.get('content-type')).toBe('video/mp4');
  expect(response.headers.get('content-length')).toBe('5000');
  expect(response.headers.get('x-secret-of-the-source')).toBeNull();
  expect(source.calls.map(({ path }) => path)).toEqual(['/films/90223.mp4']);
});

test.each([
  { range: 'bytes=0-99', status: 206, start: 0, end: 100, contentRange: 'bytes 0-99/5000' },
  {
    range: 'bytes=4000-',
    status: 206,
    start: 4000,
    end: 5000,
    contentRange: 'bytes 4000-4999/5000',
  },
  { range: 'bytes=-10', status: 206, start: 4990, end: 5000, contentRange: 'bytes 4990-4999/5000' },
  { range: 'bytes=9999-', status: 416, start: 0, end: 0, contentRange: 'bytes */5000' },
])('$range is answered in part: $status', async ({ range, status, start, end, contentRange }) => {
  const { requestStream } = await startWithSource();

  const response = await requestStream('90223', { Range: range });

  expect(response.status).toBe(status);
  expect(response.headers.get('content-range')).toBe(contentRange);
  expect((await readBytes(response)).equals(filmBytes.subarray(start, end))).toBe(true);
});

test('only a valid range is passed on: neither the token nor anything about the user', async () => {
  const { source, requestStream } = await startWithSource();

  const response = await requestStream('90223', {
    Range: 'bytes=0-1, 5-6',
    Cookie: 'a=b',
    Referer: 'https://nori.example.org/jav-auth',
    'X-Forwarded-For': '203.0.113.7',
    'User-Agent': 'a very particular browser',
  });

  expect(response.status).toBe(200);
  const { headers } = source.calls[0] ?? {};
  expect(headers).toMatchObject({ 'accept-encoding': 'identity' });
  expect(JSON.stringify(headers)).not.toMatch(/token|203\.0|particular|a=b|example|0-1/);
});

test('HEAD asks the source with HEAD', async () => {
  const { source, requestStream } = await startWithSource();

  const response = await requestStream('90223', {}, { method: 'HEAD' });

  expect(response.status).toBe(200);
  expect(response.headers.get('content-length')).toBe('5000');
  expect(source.calls.map(({ method }) => method)).toEqual(['HEAD']);
});

test('a film that the source does not have is not found', async () => {
  const { requestStream } = await startWithSource();

  const response = await requestStream('missing');

  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    code: 'video_not_found',
    detail: 'There is no such video.',
  });
});

test.each([
  ['breaks the connection', 'reset'],
  ['answers a page', 'page'],
  ['has an error of its own', { status: 500, body: {} }],
  ['refuses', { status: 403, body: {} }],
  ['sends elsewhere', { status: 302, headers: { Location: '/films/elsewhere.mp4' } }],
  [
    'answers a picture with a script',
    { headers: { 'Content-Type': 'image/svg+xml' }, body: '<svg/>' },
  ],
  [
    'packs the film',
    { headers: { 'Content-Type': 'video/mp4', 'Content-Encoding': 'br' }, body: 'x' },
  ],
] as const)('a source that %s counts as unavailable', async (_case, failure) => {
  const { source, requestStream } = await startWithSource();
  source.fail('GET /films/*', failure);

  const response = await requestStream('90223');

  expect(response.status).toBe(503);
  expect(await response.json()).toEqual(away);
  expect(source.calls).toHaveLength(1);
  expect((await requestStream('90223')).status).toBe(200);
});

test('a source that cannot be reached counts as unavailable', async () => {
  const { source, requestStream } = await startWithSource();
  await source.close();

  const response = await requestStream('90223');

  expect(response.status).toBe(503);
  expect(await response.json()).toEqual(away);
});

test('without a token the source is not called', async () => {
  const { source, server } = await startWithSource();

  expect((await server.app.request('/backend/jav/90223/stream')).status).toBe(403);
  expect(source.calls).toEqual([]);
});

test('closing the page while the source does not answer ends the request', async () => {
  const { source, requestStream } = await startWithSource();
  source.fail('GET /films/*', 'hang');
  const page = new AbortController();
  const response = requestStream('90223', {}, { signal: page.signal });
  while (source.calls.length === 0) {
    await breathe();
  }

  page.abort();

  expect((await response).status).toBe(503);
});

test.each([
  ['no place for the id', 'https://media.example.org/film.mp4'],
  ['an id that chooses the server', 'https://{id}/film.mp4'],
  ['an id that chooses a part of the server', 'https://{id}.example.org/film.mp4'],
  ['an id that chooses the port', 'http://media.example.org:{id}/film.mp4'],
  ['an id in the name of a user', 'https://{id}@example.org/film.mp4'],
  ['a user', 'https://me:secret@media.example.org/{id}.mp4'],
  ['another protocol', 'file:///films/{id}.mp4'],
  ['no address at all', '{id}'],
])('a source with %s stops the start', (_case, address) => {
  expect(() =>
    readEnv({ SECRET_KEY: 'a-key-of-tests-with-32-characters', VIDEO_SOURCE: address }),
  ).toThrow(
    new EnvironmentMistake([
      'VIDEO_SOURCE: must be an address such as https://media.example.org/{id}.mp4',
    ]),
  );
});
