/** The health check, the capabilities, and the commands that the bot offers. */
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';

import { type Need } from '#contract/commands/command';
import { commandIds, isOffered } from '#contract/commands/index';
import { readCommands } from '#contract/endpoints/bot-commands';
import { readCapabilities, readHealth } from '#contract/endpoints/site';
import { createProbeApp } from '#server/app/app';
import { createLog } from '#server/lib/log';
import { startBotApi } from '#tests/bot-api-server';
import { startBot } from '#tests/test-bot';
import { createTestServer, openTestDatabase } from '#tests/test-server';

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

describe('what balancers and supervisors look at', () => {
  const headers = { Authorization: 'Bearer not-a-session-of-this-server' };

  test('is answered at the root, without a session, a limit or a line in the log', async () => {
    const lines: string[] = [];
    const server = await createTestServer({
      variables: { CALLS_PER_MINUTE: '1' },
      log: createLog('debug', { write: (line) => void lines.push(line) }),
    });

    for (let times = 0; times < 5; times += 1) {
      expect((await server.request('/livez', { headers })).status).toBe(200);
      expect((await server.request('/readyz', { headers })).status).toBe(200);
      expect((await server.request('/readyz', { method: 'HEAD' })).status).toBe(200);
    }

    expect(lines).toEqual([]);
  });

  test('says that a process is not ready while it stops, but alive', async () => {
    let isStopping = false;
    const server = await createTestServer({ isStopping: () => isStopping });

    isStopping = true;
    const ready = await server.request('/readyz');

    expect(ready).toMatchObject({ status: 503, body: 'stopping\n' });
    expect(ready.headers.get('Retry-After')).toBe('1');
    expect((await server.request('/livez')).status).toBe(200);
    expect((await server.call(readHealth, {})).status).toBe(200);
  });

  test('says that a process without a database is not ready, and the log says so once', async () => {
    const database = await openTestDatabase();
    let isAway = false;
    const ping = () => (isAway ? Promise.reject(new Error('no answer')) : database.ping());
    const server = await createTestServer({ database: { ...database, ping } });
    const look = async () => (await server.request('/readyz')).status;

    isAway = true;
    const away = [await look(), await look()];
    isAway = false;
    const back = [await look(), await look()];

    expect({ away, back }).toEqual({ away: [503, 503], back: [200, 200] });
    const said = server.logLines.filter((line) => /not ready|ready again/.test(line));
    expect(said).toHaveLength(2);
  });

  test('is all that a process without pages answers, besides its health', async () => {
    const { deps } = await createTestServer();
    const app = createProbeApp(deps);
    const look = async (path: string) => (await app.request(path)).status;

    expect(await look('/livez')).toBe(200);
    expect(await look('/readyz')).toBe(200);
    expect(await look('/backend/health')).toBe(200);
    expect(await look('/backend/capabilities')).toBe(404);
    expect(await look('/')).toBe(404);
  });
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
      'chats.numbers',
      'chats.more-types',
      'bot.commands',
      'chats.values',
      'chats.contents',
    ],
    image_engine: 'sketch',
    prompt_engine: 'offline',
  });
});

test.each([
  ['hears commands', 'polling', true],
  ['only sends', 'off', false],
])(
  'reminders are announced where the bot hears /remind: one that %s',
  async (_case, mode, isAnnounced) => {
    const variables = { BOT_TOKEN: '123456:token-of-tests', BOT_MODE: mode };
    const server = await createTestServer({ variables });

    const { body } = await server.call(readCapabilities, {});

    const { capabilities } = v.parse(readCapabilities.output, body);
    expect(capabilities.includes('account.reminders')).toBe(isAnnounced);
  },
);

describe('the commands of the bot', () => {
  const withBot = { BOT_TOKEN: '123456:token-of-tests', BOT_MODE: 'polling' };
  /** Without keywords for any chat, as Telegram does not answer here. */
  const listWith = (...connected: readonly Need[]) =>
    commandIds.filter((id) => isOffered(id, new Set(connected)));

  async function offered(variables: Readonly<Record<string, string>>) {
    const server = await createTestServer({ variables });
    const { status, body } = await server.call(readCommands, {});
    expect(status).toBe(200);
    return body;
  }

  test.each([
    ['nothing is connected', withBot, listWith()],
    ['Spotify is', { ...withBot, SPOTIFY_CLIENT_ID: 'app' }, listWith('spotify')],
    [
      'AniList is',
      { ...withBot, ANILIST_CLIENT_ID: '17', ANILIST_CLIENT_SECRET: 'secret' },
      listWith('anilistAccount'),
    ],
    [
      'updates come by a webhook',
      { ...withBot, BOT_MODE: 'webhook', PUBLIC_URL: 'https://nori.example.org' },
      listWith(),
    ],
  ])('are those that need no more than what is connected: %s', async (_case, variables, ids) => {
    expect(await offered(variables)).toEqual({ commands: ids });
  });

  test.each([
    ['has them where it hears them', true, ['inline-calc', 'inline-note', 'inline-whisper']],
    ['has none where it does not', false, []],
  ])(
    'name keywords for any chat as BotFather has set it up: one that %s',
    async (_case, isOn, ids) => {
      const api = await startBotApi();
      api.bot.hasInline = isOn;
      const { server } = await startBot({ api });

      const { body } = await server.call(readCommands, {});

      const { commands } = v.parse(readCommands.output, body);
      expect(commands.filter((id) => id.startsWith('inline-'))).toEqual(ids);
    },
  );

  test.each([
    ['there is none', { SPOTIFY_CLIENT_ID: 'app' }],
    ['it only sends', { ...withBot, BOT_MODE: 'off' }],
  ])('are none when no bot hears them: %s', async (_case, variables) => {
    expect(await offered(variables)).toEqual({ commands: [] });
  });
});
