/** What happened to an account: what its user reads about it, and what others do not. */
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

import { changePassword, deleteAccount } from '#contract/endpoints/account';
import { listAccountEvents } from '#contract/endpoints/account-events';
import {
  endOneSession,
  endOtherSessions,
  listSessions,
  login,
  loginWithTelegram,
} from '#contract/endpoints/session';
import { readCapabilities } from '#contract/endpoints/site';
import { sweep } from '#server/services/maintenance';
import { signLaunchData } from '#tests/launch-data';
import { standInLanguages } from '#tests/stand-in-languages';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const ada = 279_058_397;
const mika = 555_000_111;
const botToken = '123456789:a-token-of-tests';
const day = 24 * 60 * 60_000;
const chrome =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
const headers = { 'User-Agent': chrome, 'X-Forwarded-For': '203.0.113.77' };

async function start(options: Parameters<typeof createTestServer>[0] = {}) {
  const variables = { BOT_TOKEN: botToken, TRUST_PROXY: '1' };
  const server = await createTestServer({ variables, ...options });
  onTestFinished(server.close);
  return { server, token: await server.signUp(ada) };
}

async function read(server: TestServer, token: string, language = 'en') {
  const { body } = await server.call(
    listAccountEvents,
    {},
    { token, headers: { 'Accept-Language': language } },
  );
  return v.parse(listAccountEvents.output, body).events;
}

const kinds = async (server: TestServer, token: string) =>
  (await read(server, token)).map(({ kind }) => kind);

const typed = (password = goodPassword) => ({ telegram_id: String(ada), password });

test('an account begins with its creation and its first login', async () => {
  const { server, token } = await start();

  expect(new Set(await kinds(server, token))).toEqual(new Set(['account_created', 'login']));
});

test('a login is told with its way, device, time and the first part of the address, the newest first', async () => {
  const { server, token } = await start();
  server.wait(60_000);
  await server.call(login, typed(), { headers });
  server.wait(60_000);
  await server.call(loginWithTelegram, {
    init_data: signLaunchData({ user: { id: ada }, botToken, signedAt: server.now() }),
  });

  expect((await read(server, token)).slice(0, 2)).toMatchObject([
    { kind: 'login', detail: 'telegram', device: 'Unknown device' },
    {
      kind: 'login',
      detail: 'password',
      device: 'Chrome on Windows',
      address: '203.0.113.*',
      at: '2026-11-21T12:01:00.000Z',
      times: 1,
    },
  ]);
});

test('failed logins of an hour are one row that counts them', async () => {
  const { server, token } = await start();
  for (let count = 0; count < 3; count += 1) {
    await server.call(login, typed('not the password'), { headers });
  }

  const failed = (await read(server, token)).filter(({ kind }) => kind === 'login_failed');

  expect(failed).toMatchObject([{ times: 3, device: 'Chrome on Windows' }]);
});

test('ended sessions and a new password are in the list', async () => {
  const { server, token } = await start();
  await server.call(login, typed());
  const { body } = await server.call(listSessions, {}, { token });
  const { sessions } = v.parse(listSessions.output, body);
  const other = sessions.find(({ is_current: isCurrent }) => !isCurrent)?.id ?? '';
  await server.call(endOneSession, { session_id: other }, { token });
  await server.call(endOtherSessions, {}, { token });
  await server.call(
    changePassword,
    { current_password: goodPassword, new_password: 'eight loud badgers' },
    { token },
  );

  expect(await kinds(server, token)).toEqual(
    expect.arrayContaining(['session_ended', 'sessions_ended', 'password_changed']),
  );
});

test('a refused change is not in the list', async () => {
  const { server, token } = await start();
  await server.call(
    changePassword,
    { current_password: 'not the password', new_password: 'eight loud badgers' },
    { token },
  );

  expect(await kinds(server, token)).not.toContain('password_changed');
});

test('devices are named in the language of the reader', async () => {
  const { server, token } = await start({ languages: standInLanguages('de') });
  await server.call(login, typed(), { headers });

  const events = await read(server, token, 'de');

  expect(events.map(({ device_translated: device }) => device)).toContain(
    '<de>deviceTexts.browserOn Chrome Windows</de>',
  );
});

test('each user reads their own list, and a visitor none', async () => {
  const { server, token } = await start();
  await server.call(login, typed(), { headers });
  const theirs = await server.signUp(mika);

  expect(await read(server, theirs)).toHaveLength(2);
  expect(await read(server, token)).toHaveLength(3);
  expect(await server.call(listAccountEvents, {})).toMatchObject({ status: 401 });
});

test('after 90 days an event is gone, and with the account all are', async () => {
  const { server } = await start();
  server.wait(91 * day);
  await sweep(server.deps);
  const { body } = await server.call(login, typed());
  const { access_token: token } = v.parse(login.output, body);
  expect(await kinds(server, token)).toEqual(['login']);

  await server.call(deleteAccount, { password: goodPassword }, { token });

  expect(await server.db.selectFrom('account_events').selectAll().execute()).toEqual([]);
});

test('the server says that it has the list', async () => {
  const { server } = await start();

  const { body } = await server.call(readCapabilities, {});

  expect(v.parse(readCapabilities.output, body).capabilities).toEqual(
    expect.arrayContaining(['auth.events', 'auth.end-session']),
  );
});
