/** Starts the built product on a free port with stand-ins of the Bot API, Spotify and AniList, for browser tests. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { startBotApi } from './bot-api-server.ts';
import { startAnimeService, startMusicService } from './connection-services.ts';
import { signLaunchData } from './launch-data.ts';

const root = resolve(import.meta.dirname, '../..');
const startTimeoutMs = 30_000;

export type Member = {
  readonly telegramId: number;
  readonly password: string;
  readonly token: string;
};

export type Nori = Awaited<ReturnType<typeof startNori>>;

/** Starts the server on a new data folder. `variables` are added to its environment. */
export async function startNori(variables: Readonly<Record<string, string>> = {}) {
  if (!existsSync(join(root, 'dist/index.html'))) {
    throw new Error('The site is not built: run `npm run build` first.');
  }
  const botApi = await startBotApi();
  const music = await startMusicService();
  const anime = await startAnimeService();
  const dataDir = mkdtempSync(join(tmpdir(), 'nori-e2e-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  let server = await launch();

  async function launch(): Promise<ChildProcess> {
    const child = spawn(nodeBinary(), ['server/main.ts'], {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        PORT: String(port),
        NORI_DATA_DIR: dataDir,
        BOT_TOKEN: botApi.token,
        TELEGRAM_API_ROOT: botApi.apiRoot,
        ...music.variables,
        ...anime.variables,
        LOG_LEVEL: 'warn',
        // All tests share one network address.
        ADDRESS_LIMIT_FACTOR: '1000',
        // A test makes chats of 500 topics in a second.
        CALLS_PER_MINUTE: '1000000',
        ...variables,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    await untilHealthy(() => {
      if (child.exitCode !== null) {
        throw new Error(`The server stopped at its start:\n${output}`);
      }
    });
    return child;
  }

  async function untilHealthy(check: () => void): Promise<void> {
    const deadline = Date.now() + startTimeoutMs;
    for (;;) {
      check();
      const isUp = await fetch(`${origin}/backend/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isUp) {
        return;
      }
      if (Date.now() > deadline) {
        throw new Error('The server did not become healthy in time');
      }
      await new Promise((wake) => setTimeout(wake, 50));
    }
  }

  async function stop(): Promise<void> {
    if (server.exitCode === null && server.signalCode === null) {
      // SIGKILL, because nothing may depend on a clean shutdown.
      server.kill('SIGKILL');
      await once(server, 'exit');
    }
  }

  async function call(
    path: string,
    body: unknown,
    { token, method = 'POST' }: { readonly token?: string; readonly method?: string } = {},
  ): Promise<unknown> {
    const response = await fetch(`${origin}/backend${path}`, {
      method,
      headers: {
        'Content-Type': 'application/json',
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) {
      throw new Error(`${path} answered ${response.status}: ${text}`);
    }
    return text === '' ? undefined : JSON.parse(text);
  }

  return {
    origin,
    botApi,
    /** The stand-in of Spotify. */
    music,
    /** The stand-in of AniList. */
    anime,
    stop,
    async start() {
      server = await launch();
    },
    /** Kills the server and starts it again on the same data. */
    async restart() {
      await stop();
      server = await launch();
    },
    async close() {
      await stop();
      await Promise.all([botApi, music, anime].map((standIn) => standIn.close()));
      rmSync(dataDir, { recursive: true, force: true });
    },
    call,

    /** Signs a user up. */
    async member(telegramId: number): Promise<Member> {
      const password = 'seven herons wade at dusk';
      const email = `person${telegramId}@example.org`;
      const { attempt } = asRecord(
        await call('/register', { telegram_id: String(telegramId), email, password }),
      );
      const query = new URLSearchParams({
        telegram_id: String(telegramId),
        otp_code: botApi.lastCode(telegramId),
      });
      const { access_token: token } = asRecord(
        await call(`/verify-otp?${query.toString()}`, { attempt }),
      );
      return { telegramId, password, token: String(token) };
    },

    /** Adds a chat of the user and verifies it. */
    async chat({ telegramId, token }: Member, chatId: number, title: string): Promise<void> {
      botApi.addChat({ id: chatId, title, creator: telegramId });
      await call('/chats', { chat_id: String(chatId) }, { token });
      const query = new URLSearchParams({
        chat_id: String(chatId),
        otp: botApi.lastCode(telegramId),
      });
      await call(`/chats/verify?${query.toString()}`, undefined, { token });
    },

    /** Blocks a kind of message in the chat's General topic. */
    async block({ token }: Member, chatId: number, kind: string): Promise<void> {
      const setting = { setting_name: `${kind}_blocked`, value: true };
      await call(
        `/chats/${chatId}/topics/0/settings`,
        { chat_id: String(chatId), topic_id: '0', ...setting },
        { token, method: 'PUT' },
      );
    },

    /** Links Spotify for the user. */
    async linkMusic({ token }: Member): Promise<void> {
      const { authorize_url: address } = asRecord(
        await call('/connections/spotify', {}, { token }),
      );
      const { code, state } = music.agree(String(address));
      const query = new URLSearchParams({ code, state });
      await call(`/spotify/spotify/callback?${query.toString()}`, undefined, {
        method: 'GET',
        token,
      });
    },

    /** The URL hash with which Telegram opens the app for a user. */
    launchHash({
      telegramId,
      client,
      palette,
      startParam,
      version = '9.1',
      language = 'en',
      joinQuery,
      signedAt = Date.now(),
    }: {
      readonly telegramId: number;
      readonly client: string;
      readonly palette: Readonly<Record<string, string>>;
      readonly startParam?: string | undefined;
      readonly version?: string | undefined;
      readonly language?: string | undefined;
      readonly joinQuery?: string | undefined;
      /** Epoch milliseconds. */
      readonly signedAt?: number;
    }): string {
      const initData = signLaunchData({
        user: { id: telegramId, first_name: 'Mika', language_code: language },
        botToken: botApi.token,
        signedAt,
        fields: {
          ...(startParam === undefined ? {} : { start_param: startParam }),
          ...(joinQuery === undefined ? {} : { chat_join_request_query_id: joinQuery }),
        },
      });
      return `#${[
        ['tgWebAppData', initData],
        ['tgWebAppVersion', version],
        ['tgWebAppPlatform', client],
        ['tgWebAppThemeParams', JSON.stringify(palette)],
      ]
        .map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
        .join('&')}`;
    },
  };
}

/** The Node that npm scripts use, which may differ from the test runner's. */
function nodeBinary(): string {
  const own = join(root, 'node_modules/.bin/node');
  return existsSync(own) ? own : process.execPath;
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

async function freePort(): Promise<number> {
  const probe = createServer();
  probe.listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (address === null || typeof address === 'string') {
    throw new Error('There is no free port');
  }
  return address.port;
}
