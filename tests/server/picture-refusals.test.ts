/** Files that are not saved: because of their content, their size, or because no space is left. */
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { readHistory, makePng, save, startWithPeople } from '#tests/pictures';
import { type TestServer } from '#tests/test-server';

test.each([
  ['a text that calls itself a PNG', async () => new Blob(['hello'], { type: 'image/png' })],
  [
    'an SVG',
    async () => new Blob(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']),
  ],
  [
    'a GIF',
    async () => {
      const bytes = await sharp({
        create: { width: 9, height: 9, channels: 3, background: 'red' },
      })
        .gif()
        .toBuffer();
      return new Blob([new Uint8Array(bytes)]);
    },
  ],
  ['a PNG that ends too soon', async () => (await makePng(600, 600, '#123456')).slice(0, 900)],
  [
    'a PNG with a page behind its first bytes',
    async () => new Blob([(await makePng()).slice(0, 16), '<script>']),
  ],
])('%s is refused', async (_what, makeFile) => {
  const { server, tokens, objects } = await startWithPeople();

  const reply = await save(server, tokens.ann, { image: await makeFile() });

  expect(reply.status).toBe(422);
  expect(reply.body).toMatchObject({
    code: 'picture_unreadable',
    detail: expect.stringContaining('PNG, JPEG and WebP'),
  });
  expect(objects.names()).toEqual([]);
  expect(await readHistory(server, tokens.ann)).toEqual([]);
});

test('a header of 30,000 × 30,000 pixels is refused without decoding the file', async () => {
  const { server, tokens } = await startWithPeople();
  const bytes = Buffer.from(await (await makePng(8, 8)).arrayBuffer());
  bytes.writeUInt32BE(30_000, 16);
  bytes.writeUInt32BE(30_000, 20);
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29);

  const reply = await save(server, tokens.ann, { image: new Blob([new Uint8Array(bytes)]) });

  expect(reply.status).toBe(413);
  expect(reply.body).toMatchObject({
    code: 'picture_too_large',
    detail: expect.stringContaining('30000 × 30000 pixels'),
  });
});

const mb = 1024 * 1024;

test.each([
  ['a prompt of 1 MB', { prompt: 'a'.repeat(mb) }, 413],
  ['an unknown field of 1 MB', { remark: 'a'.repeat(mb) }, 413],
  ['1 MB of characters of three bytes', { tags: '灯'.repeat(mb / 3) }, 413],
  ['a prompt of 4001 characters', { prompt: 'a'.repeat(4001) }, 422],
  ['a negative prompt of 4001 characters', { negative_prompt: 'a'.repeat(4001) }, 422],
  ['a seed of 10,000 digits', { seed: '1'.repeat(10_000) }, 422],
  ['a list of LoRAs as long as a book', { loras: `{"7":${'0'.repeat(9000)}1}` }, 422],
  ['a list of tags as long as a book', { tags: JSON.stringify(['a'.repeat(9000)]) }, 422],
])('a small picture with %s is refused', async (_what, fields, status) => {
  const { server, tokens, objects } = await startWithPeople();

  const reply = await save(server, tokens.ann, fields);

  expect(reply.status).toBe(status);
  expect(objects.names()).toEqual([]);
  expect(await readHistory(server, tokens.ann)).toEqual([]);
});

test('a picture is saved with the longest allowed prompt, and without LoRAs beyond the allowed number', async () => {
  const { server, tokens } = await startWithPeople();
  const prompt = '灯'.repeat(4000);
  const tooMany = Object.fromEntries(Array.from({ length: 16 }, (_, index) => [index, 0.7]));

  const reply = await save(server, tokens.ann, {
    prompt,
    negative_prompt: prompt,
    model_name: 'Tidepool '.repeat(100),
    loras: JSON.stringify(tooMany),
  });

  expect(reply.status).toBe(201);
  const [kept] = await readHistory(server, tokens.ann);
  expect(kept).toMatchObject({ prompt, negativePrompt: prompt, loras: {} });
  expect(kept?.modelName).toHaveLength(200);
});

test.each([
  ['told beforehand', true],
  ['not told', false],
])('a body of 100 MB is refused early, with its length %s', async (_how, isTold) => {
  const { server, tokens } = await startWithPeople();

  const { reply, sent } = await send100Mb(server, {
    Authorization: `Bearer ${tokens.ann}`,
    ...(isTold ? { 'Content-Length': String(100 * mb) } : {}),
  });

  expect(reply.status).toBe(413);
  expect(reply.body).toMatchObject({ detail: expect.stringContaining('20 MB') });
  expect(sent).toBeLessThan(25);
});

test.each([
  ['without a token', {}],
  ['with an unknown token', { Authorization: `Bearer ${'x'.repeat(43)}` }],
])('a body of 100 MB is not read %s', async (_who, headers) => {
  const { server } = await startWithPeople();

  const { reply, sent } = await send100Mb(server, headers);

  expect(reply.status).toBe(401);
  // A stream prepares its first chunk before it is read.
  expect(sent).toBeLessThanOrEqual(1);
});

test.each([
  { what: 'JSON', type: 'application/json', body: '{}', status: 415 },
  { what: 'nonsense', type: 'multipart/form-data; boundary=x', body: 'no form', status: 422 },
])('$what instead of a form is refused', async ({ type, body, status }) => {
  const { server, tokens } = await startWithPeople();

  const reply = await server.request('/backend/generations/save', {
    method: 'POST',
    headers: { Authorization: `Bearer ${tokens.ann}`, 'Content-Type': type },
    body,
  });

  expect(reply.status).toBe(status);
});

test('on a full disk no part of a picture is saved, and the log has the reason', async () => {
  const { server, tokens, objects } = await startWithPeople();
  objects.fill();

  const reply = await save(server, tokens.ann);

  expect(reply.status).toBe(507);
  expect(reply.body).toMatchObject({ code: 'storage_full' });
  expect(reply.headers.get('Retry-After')).toBe('900');
  expect(await readHistory(server, tokens.ann)).toEqual([]);
  expect(objects.names()).toEqual([]);
  expect(server.logLines.join('\n')).toContain('ENOSPC: no space left on device');
});

/** Sends a stream, and counts how many of its megabytes were read. */
async function send100Mb(server: TestServer, headers: Readonly<Record<string, string>>) {
  const chunk = new Uint8Array(mb);
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1;
      controller.enqueue(chunk);
      if (sent === 100) {
        controller.close();
      }
    },
  });
  // Undici requires `duplex` for a stream, and the type of a request does not have it yet.
  const streamed = { body, duplex: 'half' };
  const reply = await server.request('/backend/generations/save', {
    ...streamed,
    method: 'POST',
    headers: { 'Content-Type': 'multipart/form-data; boundary=x', ...headers },
  });
  return { reply, sent };
}

/** The checksum of a PNG chunk. */
function crc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) {
      crc = (crc >>> 1) ^ (crc & 1 ? 0xed_b8_83_20 : 0);
    }
  }
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}
