/** Signed links to pictures: signatures, ranges, and expiry. */
import sharp from 'sharp';
import * as v from 'valibot';
import { beforeEach, expect, test } from 'vitest';

import { saveGeneration } from '#contract/endpoints/generations';
import { createTestServer, type TestServer } from '#tests/test-server';

const ann = 111_222_333;
const dayMs = 24 * 60 * 60_000;

let server: TestServer;
let links: { original: string; thumbnail: string };
let bytes: Buffer;

beforeEach(async () => {
  server = await createTestServer();
  const token = await server.signUp(ann);
  bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background: '#a12a5b' } })
    .jpeg()
    .toBuffer();
  const { body } = await server.call(
    saveGeneration,
    { model_id: '1', prompt: 'a plum', image: new Blob([new Uint8Array(bytes)]) },
    { token },
  );
  const { image_url = '', thumbnail_url = '' } = v.parse(saveGeneration.output, body) ?? {};
  links = { original: image_url, thumbnail: thumbnail_url };
});

const get = (path: string, headers: Record<string, string> = {}) =>
  server.app.request(path, { headers });

test('a link shows the picture as it was saved, without a token', async () => {
  const response = await get(links.original);

  expect(response.status).toBe(200);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(bytes.length),
    'accept-ranges': 'bytes',
    'cache-control': 'private, max-age=86400, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(response.headers.get('content-disposition')).toBeNull();
});

test('the thumbnail is a WebP of 512 pixels', async () => {
  const response = await get(links.thumbnail);
  const { format, width, height } = await sharp(
    Buffer.from(await response.arrayBuffer()),
  ).metadata();

  expect(response.headers.get('content-type')).toBe('image/webp');
  expect({ format, width, height }).toEqual({ format: 'webp', width: 512, height: 341 });
});

test('a download has a file name, and Telegram may fetch it', async () => {
  const response = await get(`${links.original}&download=1`);

  expect(response.headers.get('content-disposition')).toMatch(
    /^attachment; filename="nori-[\w-]+\.jpg"$/,
  );
  expect(response.headers.get('access-control-allow-origin')).toBe('https://web.telegram.org');
});

test.each([
  { range: 'bytes=0-99', status: 206, start: 0, end: 100 },
  { range: 'bytes=100-', status: 206, start: 100 },
  { range: 'bytes=-50', status: 206, start: -50 },
  { range: 'bytes=0-99999999', status: 206, start: 0 },
  { range: 'bytes=5-2', status: 200, start: 0 },
  { range: 'bytes=0-1,5-9', status: 200, start: 0 },
  { range: 'lines=1-2', status: 200, start: 0 },
])('Range $range answers $status', async ({ range, status, start, end }) => {
  const response = await get(links.original, { Range: range });
  const expected = bytes.subarray(start, end);

  expect(response.status).toBe(status);
  expect(Buffer.from(await response.arrayBuffer())).toEqual(expected);
  expect(response.headers.get('content-length')).toBe(String(expected.length));
  const from = start < 0 ? bytes.length + start : start;
  expect(response.headers.get('content-range')).toBe(
    status === 206 ? `bytes ${from}-${from + expected.length - 1}/${bytes.length}` : null,
  );
});

test.each(['bytes=99999999-', 'bytes=-0'])('Range %s is not satisfiable', async (range) => {
  const response = await get(links.original, { Range: range });

  expect(response.status).toBe(416);
  expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

test('a file that the browser has is not sent again', async () => {
  const etag = (await get(links.original)).headers.get('etag') ?? '';

  const response = await get(links.original, { 'If-None-Match': etag });

  expect(response.status).toBe(304);
  expect((await response.arrayBuffer()).byteLength).toBe(0);
});

test('the links of a day are the same, so that browsers can cache the files', async () => {
  const before = server.now();
  server.wait(1000);

  expect(server.now()).toBeGreaterThan(before);
  expect(server.deps.clock()).toBe(server.now());
  const [, expires] = /expires=(\d+)/.exec(links.original) ?? [];
  expect(Number(expires) % dayMs).toBe(0);
  expect(Number(expires) - before).toBeGreaterThan(dayMs);
  expect(Number(expires) - before).toBeLessThanOrEqual(2 * dayMs);
});

test('a link expires', async () => {
  server.wait(2 * dayMs);

  const response = await get(links.original);

  expect(response.status).toBe(403);
  expect(await response.json()).toMatchObject({
    code: 'link_expired',
    detail: 'This link has expired. Please load the page again.',
  });
});

test.each([
  ['another picture', (link: string) => link.replace(/media\/./, (start) => swapLast(start))],
  ['another variant', (link: string) => link.replace('/original', '/thumbnail')],
  ['a later end', (link: string) => link.replace(/expires=(\d)/, 'expires=9$1')],
  ['another signature', (link: string) => swapLast(link, -3)],
  ['half a signature', (link: string) => link.slice(0, -6)],
  ['no signature', (link: string) => link.replace(/&signature=.*/, '')],
  ['no end', (link: string) => link.replace(/expires=\d+&/, '')],
  ['an end that is no number', (link: string) => link.replace(/expires=\d+/, 'expires=NaN')],
  ['nothing at all', (link: string) => link.replace(/\?.*/, '')],
])('a link changed to %s is refused', async (_what, change) => {
  const changed = change(links.original);

  const response = await get(changed);

  expect(changed).not.toBe(links.original);
  expect(response.status).toBe(403);
});

test('an unknown variant is not found, whatever the signature', async () => {
  expect((await get(links.original.replace('/original', '/secret'))).status).toBe(404);
});

test('with a public address the links are absolute', async () => {
  const publicServer = await createTestServer({
    variables: { PUBLIC_URL: 'https://nori.example.org' },
  });
  const token = await publicServer.signUp(ann);
  const { body } = await publicServer.call(
    saveGeneration,
    { model_id: '1', prompt: 'x', image: new Blob([new Uint8Array(bytes)]) },
    { token },
  );

  expect(v.parse(saveGeneration.output, body)?.image_url).toMatch(
    /^https:\/\/nori\.example\.org\/backend\/media\//,
  );
});

/** The text with its last letter (or the one at `index`) replaced by another. */
function swapLast(text: string, index = -1): string {
  const at = text.length + index;
  return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
}
