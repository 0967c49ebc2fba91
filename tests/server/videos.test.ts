/** Tokens of videos, and the built-in test film. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';

import { readVideoToken } from '#contract/endpoints/player';
import { createTestServer, type TestServer } from '#tests/test-server';

const film = readFileSync(resolve(import.meta.dirname, '../../server/assets/test-film.webm'));
const hour = 60 * 60_000;

let server: TestServer;
beforeEach(async () => {
  server = await createTestServer();
});

/** Requests a token, as the page does before it plays; needs no account. */
async function tokenFor(id: string) {
  const { body } = await server.call(readVideoToken, { video_id: id });
  const { success, token = '', stream_url = '' } = v.parse(readVideoToken.output, body);
  return { success, token, url: `/backend${stream_url}` };
}

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  server.app.request(path, { headers, method });
const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

test('the film is streamed by its token, without a header', async () => {
  const { success, token, url } = await tokenFor('90223');

  const response = await get(url);

  expect(success).toBe(true);
  expect(url).toBe(`/backend/jav/90223/stream?token=${token}`);
  expect(response.status).toBe(200);
  expect((await readBytes(response)).equals(film)).toBe(true);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'video/webm',
    'content-length': String(film.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-store',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
});

test('the film is a WebM that is small enough to be part of the package', () => {
  expect(film.subarray(0, 4).toString('hex')).toBe('1a45dfa3');
  expect(film.subarray(0, 64).toString('latin1')).toContain('webm');
  expect(film.length).toBeLessThan(500_000);
});

describe('a range of it', () => {
  test.each([
    { range: 'bytes=0-', status: 206, start: 0 },
    { range: 'bytes=0-99', status: 206, start: 0, end: 100 },
    { range: 'bytes=100000-', status: 206, start: 100_000 },
    { range: 'bytes=-500', status: 206, start: -500 },
    { range: 'bytes=0-99999999', status: 206, start: 0 },
    { range: 'bytes=5-2', status: 200, start: 0 },
    { range: 'bytes=0-1,5-9', status: 200, start: 0 },
    { range: 'seconds=1-2', status: 200, start: 0 },
  ])('$range answers $status', async ({ range, status, start, end }) => {
    const expected = film.subarray(start, end);

    const response = await get((await tokenFor('90223')).url, { Range: range });

    expect(response.status).toBe(status);
    expect((await readBytes(response)).equals(expected)).toBe(true);
    expect(response.headers.get('content-length')).toBe(String(expected.length));
    const from = start < 0 ? film.length + start : start;
    expect(response.headers.get('content-range')).toBe(
      status === 206 ? `bytes ${from}-${from + expected.length - 1}/${film.length}` : null,
    );
  });

  test.each(['bytes=99999999-', 'bytes=-0'])('%s is not satisfiable', async (range) => {
    const response = await get((await tokenFor('90223')).url, { Range: range });

    expect(response.status).toBe(416);
    expect(response.headers.get('content-range')).toBe(`bytes */${film.length}`);
    expect(await readBytes(response)).toHaveLength(0);
  });
});

test('HEAD sends the size and no content', async () => {
  const { url } = await tokenFor('90223');

  const whole = await get(url, {}, 'HEAD');
  const part = await get(url, { Range: 'bytes=0-99' }, 'HEAD');

  expect([whole.status, part.status]).toEqual([200, 206]);
  expect(whole.headers.get('content-length')).toBe(String(film.length));
  expect(part.headers.get('content-length')).toBe('100');
  expect(await readBytes(whole)).toHaveLength(0);
  expect((await get('/backend/jav/90223/stream', {}, 'HEAD')).status).toBe(403);
});

describe('a token', () => {
  const expired = {
    code: 'video_token_invalid',
    detail: 'This video link has expired. Please load the video again.',
  };

  test('expires after three hours', async () => {
    const { url } = await tokenFor('90223');

    server.wait(3 * hour - 1);
    expect((await get(url, { Range: 'bytes=0-9' })).status).toBe(206);

    server.wait(1);
    const response = await get(url, { Range: 'bytes=0-9' });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject(expired);
  });

  test('is valid for no other video', async () => {
    const { token } = await tokenFor('90223');

    const responses = await Promise.all(
      ['90224', '9022', '902233', 'x'].map(async (id) =>
        get(`/backend/jav/${id}/stream?token=${token}`),
      ),
    );

    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403, 403]);
  });

  test.each([
    ['none', () => ''],
    ['an empty one', () => '?token='],
    ['a made-up one', () => '?token=AAAAAAAAAAAAAAAAAAAA'],
    ['half of one', (token: string) => `?token=${token.slice(0, 40)}`],
    ['a longer one', (token: string) => `?token=${token}AAAA`],
    ['one with another signature', (token: string) => `?token=${swap(token, token.length - 4)}`],
    ['one with a later end', (token: string) => `?token=${swap(token, 22)}`],
    ['one that is no text of a token', () => '?token=%00%ff%2e%2e'],
  ])('is required: %s is refused', async (_what, query) => {
    const { token } = await tokenFor('90223');

    const response = await get(`/backend/jav/90223/stream${query(token)}`);

    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject(expired);
  });

  test('is opaque: neither the video nor the time can be read in its first 20 characters', async () => {
    const [one, other] = [await tokenFor('90223'), await tokenFor('90223')];

    expect(one.token).toMatch(/^[\w-]{72}$/);
    expect(one.token.slice(0, 20)).not.toBe(other.token.slice(0, 20));
    expect(Buffer.from(one.token, 'base64url').toString('latin1')).not.toContain('90223');
  });

  test('of another server is refused', async () => {
    const { url } = await tokenFor('90223');
    server = await createTestServer({
      variables: { SECRET_KEY: 'another-key-of-tests-with-32-chars' },
    });

    expect((await get(url)).status).toBe(403);
  });

  test('is not in the log', async () => {
    const { token, url } = await tokenFor('90223');
    await get(url);
    await get(`${url}x`);

    expect(server.logLines.join('')).toContain('/backend/jav/90223/stream');
    expect(server.logLines.join('')).not.toContain(token.slice(0, 20));
  });

  test('can be requested 600 times an hour from one address', async () => {
    await Promise.all(Array.from({ length: 600 }, () => tokenFor('90223')));

    const reply = await server.call(readVideoToken, { video_id: '90223' });

    expect(reply).toMatchObject({ status: 429, body: { code: 'rate_limited' } });
  });
});

test.each([['../secret'], ['a b'], ['90223?x'], ['http://127.0.0.1'], ['x'.repeat(65)], ['é']])(
  'there is no token for an id like "%s"',
  async (id) => {
    const reply = await server.request(`/backend/jav/${encodeURIComponent(id)}/token`);

    expect(reply).toMatchObject({
      status: 422,
      body: { detail: 'A video ID has only letters, digits, - and _' },
    });
  },
);

/** The text with one letter replaced by another. */
function swap(text: string, at: number): string {
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}
