/**
 * Image services return addresses of pictures. None of them may make the server request an internal
 * address.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

import { generate } from '#contract/endpoints/images';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { startWithMidjourney, startWithPixai } from '#tests/image-engines';

/** A server in the private network, which counts connections. */
async function startNeighbour() {
  let connections = 0;
  const neighbour = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  neighbour.listen(0, '127.0.0.1');
  await once(neighbour, 'listening');
  onTestFinished(() => void neighbour.close());
  const { port } = v.parse(v.object({ port: v.number() }), neighbour.address());
  return { port: String(port), connections: () => connections };
}

const addresses = [
  'https://127.0.0.1:PORT/admin',
  'https://localhost:PORT/admin',
  'https://2130706433:PORT/admin',
  'https://[::ffff:127.0.0.1]:PORT/admin',
];

test.each(addresses)('PixAI cannot make the server request %s', async (pattern) => {
  const { port, connections } = await startNeighbour();
  const { server, pixai } = await startWithPixai();
  const Location = pattern.replace('PORT', port);
  pixai.fail('GET /v1/media/*', { status: 302, headers: { Location } }, 6);

  const reply = await server.call(generate, {
    prompt: 'a paper crane',
    model_id: '1983308862240288769',
    ratio: '1:1',
  });

  expect(reply).toMatchObject({ status: 502, body: { code: 'picture_broken' } });
  expect(connections()).toBe(0);
});

test.each(addresses)('a midjourney-proxy cannot make the server request %s', async (pattern) => {
  const { port, connections } = await startNeighbour();
  const { server, midjourney } = await startWithMidjourney();
  const imageUrl = pattern.replace('PORT', port);
  midjourney.fail('GET /mj/task/*', { body: { status: 'SUCCESS', imageUrl } }, 6);

  const reply = await server.call(generateMidjourney, { prompt: 'a paper crane' });

  expect(reply).toMatchObject({ status: 502, body: { code: 'picture_broken' } });
  expect(connections()).toBe(0);
});
