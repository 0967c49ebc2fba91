/** The health check and the capabilities. */
import { expect, test } from 'vitest';

import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { createTestServer } from '#tests/test-server';

test('a healthy server reports that it is', async () => {
  const server = await createTestServer();

  const reply = await server.call(readHealth, {});

  expect(reply).toMatchObject({ status: 200, body: { status: 'ok' } });
});

test('a server that cannot reach its database reports that it is unhealthy', async () => {
  const server = await createTestServer();
  await server.close();

  const reply = await server.call(readHealth, {});

  expect(reply).toMatchObject({ status: 500, body: { code: 'unexpected' } });
});

test('without a bot the server does not offer to log in with Telegram', async () => {
  const server = await createTestServer();

  const { body } = await server.call(readCapabilities, {});

  expect(body).toEqual({
    capabilities: [
      'auth.logout',
      'auth.sessions',
      'auth.password-reset',
      'account.language',
      'generations.jobs',
      'generations.restore',
      'midjourney.delete',
      'generations.abilities',
      'prompt.enhance',
      'connections.link',
      'chats.care',
      'chats.more-types',
    ],
    image_engine: 'sketch',
    prompt_engine: 'offline',
  });
});
