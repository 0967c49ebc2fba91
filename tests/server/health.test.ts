/** The health check, the capabilities, and the commands that the bot offers. */
import { describe, expect, test } from 'vitest';

import { commandIds } from '#contract/commands/index';
import { readCommands } from '#contract/endpoints/bot-commands';
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
      'auth.end-session',
      'auth.events',
      'auth.password-reset',
      'auth.export',
      'auth.confirmation',
      'auth.passkeys',
      'account.language',
      'generations.jobs',
      'generations.restore',
      'midjourney.delete',
      'generations.abilities',
      'prompt.enhance',
      'connections.link',
      'chats.care',
      'chats.more-types',
      'bot.commands',
      'chats.values',
    ],
    image_engine: 'sketch',
    prompt_engine: 'offline',
  });
});

describe('the commands of the bot', () => {
  const withBot = { BOT_TOKEN: '123456:token-of-tests', BOT_MODE: 'polling' };
  const withoutLink = commandIds.filter((id) => id !== 'link');

  async function offered(variables: Readonly<Record<string, string>>) {
    const server = await createTestServer({ variables });
    const { status, body } = await server.call(readCommands, {});
    expect(status).toBe(200);
    return body;
  }

  test.each([
    ['nothing is connected', withBot, withoutLink],
    ['Spotify is', { ...withBot, SPOTIFY_CLIENT_ID: 'app' }, commandIds],
    [
      'AniList is',
      { ...withBot, ANILIST_CLIENT_ID: '17', ANILIST_CLIENT_SECRET: 'secret' },
      commandIds,
    ],
    [
      'updates come by a webhook',
      { ...withBot, BOT_MODE: 'webhook', PUBLIC_URL: 'https://nori.example.org' },
      withoutLink,
    ],
  ])('are those that need no more than what is connected: %s', async (_case, variables, ids) => {
    expect(await offered(variables)).toEqual({ commands: ids });
  });

  test.each([
    ['there is none', { SPOTIFY_CLIENT_ID: 'app' }],
    ['it only sends', { ...withBot, BOT_MODE: 'off' }],
  ])('are none when no bot hears them: %s', async (_case, variables) => {
    expect(await offered(variables)).toEqual({ commands: [] });
  });
});
