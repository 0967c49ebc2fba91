/** Files that are not saved: because of what they are, how large they are, or because nothing more fits. */
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { historyOf, pngOf, save, startWithPeople } from '#tests/pictures';

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
  ['a PNG that ends too soon', async () => (await pngOf(600, 600, '#123456')).slice(0, 900)],
  [
    'a PNG with a page behind its first bytes',
    async () => new Blob([(await pngOf()).slice(0, 16), '<script>']),
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
  expect(await historyOf(server, tokens.ann)).toEqual([]);
});

test('a header of 30,000 × 30,000 pixels is refused without decoding anything', async () => {
  const { server, tokens } = await startWithPeople();
  const bytes = Buffer.from(await (await pngOf(8, 8)).arrayBuffer());
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

test.each([
  ['told beforehand', true],
  ['not told', false],
])('a body of 100 MB is refused early, its length %s', async (_how, isTold) => {
  const { server, tokens } = await startWithPeople();
  const chunk = new Uint8Array(1024 * 1024);
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

  // Undici wants to be told that a stream is sent, and the type of a request does not know it yet.
  const streamed = { body, duplex: 'half' };
  const reply = await server.request('/backend/generations/save', {
    ...streamed,
    method: 'POST',
    headers: {
      Authorization: `Bearer ${tokens.ann}`,
      'Content-Type': 'multipart/form-data; boundary=x',
      ...(isTold ? { 'Content-Length': String(100 * chunk.length) } : {}),
    },
  });

  expect(reply.status).toBe(413);
  expect(reply.body).toMatchObject({ detail: expect.stringContaining('20 MB') });
  expect(sent).toBeLessThan(25);
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

test('a full disk keeps nothing by halves', async () => {
  const { server, tokens, objects } = await startWithPeople();
  objects.fill();

  const reply = await save(server, tokens.ann);

  expect(reply.status).toBe(503);
  expect(reply.body).toMatchObject({ code: 'storage_full' });
  expect(await historyOf(server, tokens.ann)).toEqual([]);
  expect(objects.names()).toEqual([]);
});

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
