/** Starts the real server in its own process, without a bot, with an account and a chat. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { createInterface } from 'node:readline';
import * as v from 'valibot';

import { root, serverEnv } from './run.mjs';
import { Stop } from './say.mjs';

export const chatId = '-1001234567890';
export const topics = ['0', '1', '2', '3'];
export const person = {
  telegram_id: '123456789',
  email: 'somebody@example.org',
  password: 'seven quiet otters',
};

/** A running server without a bot, whose one-time passwords are read from its console. */
export type DemoServer = {
  readonly child: ChildProcess;
  readonly url: string;
  readonly startMs: number;
  /** The next one-time password that the console shows. */
  readonly nextCode: () => Promise<string>;
};

/** Starts the server as `npm start` does, of another checkout when given, and waits until it prints its address. */
export async function startDemoServer(dataDir: string, folder = root): Promise<DemoServer> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['server/main.ts'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...serverEnv,
      PATH: process.env['PATH'] ?? '',
      PORT: '0',
      NORI_DATA_DIR: dataDir,
      LOG_LEVEL: 'error',
      ADDRESS_LIMIT_FACTOR: '1000',
      CALLS_PER_MINUTE: '1000000',
    },
  });
  const lines = createInterface({ input: child.stdout });
  const codes: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', (line) => {
      const [, address] = /Open (http:\S+)/.exec(line) ?? [];
      const [, code] = /one-time password for \d+: (\d{6})/.exec(line) ?? [];
      if (address !== undefined) {
        resolve(address);
      }
      if (code !== undefined) {
        codes.push(code);
        lines.emit('code');
      }
    });
    child.once('exit', () => reject(new Stop('the server did not start after a kill.')));
  });
  return {
    child,
    url,
    startMs: performance.now() - startedAt,
    nextCode: async () => {
      if (codes.length === 0) {
        await once(lines, 'code');
      }
      return codes.shift() ?? '';
    },
  };
}

type Call = { readonly method: string; readonly token?: string; readonly body?: unknown };

export async function call(
  url: string,
  address: string,
  { method, token, body }: Call,
): Promise<unknown> {
  const reply = await fetch(`${url}/backend${address}`, {
    method,
    headers: {
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer: unknown = await reply.json();
  if (!reply.ok) {
    throw new Stop(`${method} ${address} was refused: ${JSON.stringify(answer)}`);
  }
  return answer;
}

/** Makes an account, and returns the token of the session. */
export async function signUp(
  { url, nextCode }: DemoServer,
  { telegram_id: telegramId, email, password } = person,
): Promise<string> {
  const body = { telegram_id: telegramId, email, password };
  const registered = await call(url, '/register', { method: 'POST', body });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), registered);
  const proof = { telegram_id: telegramId, otp_code: await nextCode(), attempt };
  const session = await call(url, '/verify-otp', { method: 'POST', body: proof });
  return v.parse(v.object({ access_token: v.string() }), session).access_token;
}

/** Makes an account and a chat with four topics, and returns the token of the session. */
export async function signUpWithChat(server: DemoServer): Promise<string> {
  const { url, nextCode } = server;
  const token = await signUp(server);

  await call(url, '/chats', { method: 'POST', token, body: { chat_id: chatId } });
  const verification = new URLSearchParams({ chat_id: chatId, otp: await nextCode() });
  await call(url, `/chats/verify?${verification.toString()}`, { method: 'POST', token });
  await Promise.all(
    topics
      .slice(1)
      .map((topic) =>
        call(url, `/chats/${chatId}/topics?topic_id=${topic}`, { method: 'POST', token }),
      ),
  );
  return token;
}
