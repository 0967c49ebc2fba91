/** The health check and the capabilities. */
import { expect, test } from 'vitest';

import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { createTestServer } from '#tests/test-server';

test('a healthy server says so', async () => {
  const server = await createTestServer();

  const reply = await server.call(readHealth, {});

  expect(reply).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('a server whose database is gone does not call itself healthy', async () => {
  const server = await createTestServer();
  await server.close();

  const reply = await server.call(readHealth, {});

  expect(reply).toMatchObject({ status: 500, body: { code: 'unexpected' } });
});

test('without a bot the server does not offer to sign in with Telegram', async () => {
  const server = await createTestServer();

  const { body } = await server.call(readCapabilities, {});

  expect(body).toEqual({
    capabilities: [
      'auth.logout',
      'auth.sessions',
      'generations.jobs',
      'generations.abilities',
      'prompt.enhance',
      'connections.link',
      'chats.care',
    ],
    image_engine: 'sketch',
    prompt_engine: 'offline',
  });
});
