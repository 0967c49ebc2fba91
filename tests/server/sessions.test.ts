/** How long a session lasts, and what ends it. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { changePassword, deleteAccount } from '#contract/endpoints/account';
import {
  endOneSession,
  endOtherSessions,
  listSessions,
  login,
  logout,
  readMe,
} from '#contract/endpoints/session';
import { createTestServer, goodPassword, type TestServer } from '#tests/test-server';

const ada = 123_456_789;
const day = 24 * 60 * 60 * 1000;

async function logIn(server: TestServer, userAgent = 'Mozilla/5.0', password = goodPassword) {
  const reply = await server.call(
    login,
    { telegram_id: String(ada), password },
    { headers: { 'User-Agent': userAgent } },
  );
  return v.parse(login.output, reply.body).access_token;
}

async function isAlive(server: TestServer, token: string): Promise<boolean> {
  const { status } = await server.call(readMe, {}, { token });
  return status === 200;
}

test('tokens have 256 bits, and no two are the same', async () => {
  const server = await createTestServer();
  await server.signUp(ada);

  const tokens = [await logIn(server), await logIn(server), await logIn(server)];

  expect(new Set(tokens).size).toBe(3);
  for (const token of tokens) {
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
  }
});

test.each([
  ['no token', {}],
  ['an unknown token', { Authorization: `Bearer ${'A'.repeat(43)}` }],
  ['an empty token', { Authorization: 'Bearer ' }],
  ['a token of another scheme', { Authorization: 'Basic YWRhOmFkYQ==' }],
  [
    'an unsigned JSON Web Token',
    { Authorization: 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxMjM0NTY3ODkifQ.' },
  ],
])('a request with %s has to log in', async (_case, headers: Record<string, string>) => {
  const server = await createTestServer();
  await server.signUp(ada);

  const reply = await server.call(readMe, {}, { headers });

  expect(reply).toMatchObject({
    status: 401,
    body: { code: 'unauthenticated', detail: 'Please log in to continue.' },
  });
});

test('a token is invalid after logout, and only that one', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  const other = await logIn(server);

  const reply = await server.call(logout, {}, { token });

  expect(reply).toMatchObject({ status: 204, body: undefined });
  expect(await isAlive(server, token)).toBe(false);
  expect(await isAlive(server, other)).toBe(true);
});

test('a session in use is extended, and one that is unused for a week ends', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  server.wait(6 * day);
  expect(await isAlive(server, token)).toBe(true);
  server.wait(6 * day);
  expect(await isAlive(server, token)).toBe(true);
  server.wait(7 * day);
  expect(await isAlive(server, token)).toBe(false);
});

test('no session lasts longer than thirty days, even in use', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  for (let days = 0; days < 29; days += 1) {
    server.wait(day);
    expect(await isAlive(server, token)).toBe(true);
  }
  server.wait(day);

  expect(await isAlive(server, token)).toBe(false);
});

test('a user can have ten sessions; a new one ends the oldest', async () => {
  const server = await createTestServer();
  const oldest = await server.signUp(ada);
  const tokens: string[] = [];
  for (let count = 0; count < 10; count += 1) {
    server.wait(1000);
    tokens.push(await logIn(server));
  }

  expect(await isAlive(server, oldest)).toBe(false);
  expect(await isAlive(server, tokens[0] ?? '')).toBe(true);
  expect(await isAlive(server, tokens[9] ?? '')).toBe(true);
});

test('a user sees their logins, and ends all but this one', async () => {
  const server = await createTestServer();
  const here = await server.signUp(ada);
  server.wait(60_000);
  const phone = await logIn(
    server,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1',
  );
  await logIn(
    server,
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  );
  await server.signUp(987_654_321);

  const { body } = await server.call(listSessions, {}, { token: here });
  const { sessions } = v.parse(listSessions.output, body);
  const ended = await server.call(endOtherSessions, {}, { token: here });

  expect(sessions.map(({ device }) => device).toSorted()).toEqual([
    'Chrome on Windows',
    'Safari on iPhone',
    'Unknown device',
  ]);
  expect(sessions.filter(({ is_current }) => is_current)).toMatchObject([
    { device: 'Unknown device', created_at: '2026-11-21T12:00:00.000Z' },
  ]);
  expect(JSON.stringify(body)).not.toContain(phone);
  expect(ended.body).toEqual({ ended: 2 });
  expect(await isAlive(server, phone)).toBe(false);
  expect(await isAlive(server, here)).toBe(true);
});

async function listed(server: TestServer, token: string) {
  const { body } = await server.call(listSessions, {}, { token });
  return v.parse(listSessions.output, body).sessions;
}

/** The first IDs of a list are those that are not `token`'s own. */
async function findOther(server: TestServer, token: string): Promise<string> {
  const sessions = await listed(server, token);
  return sessions.find(({ is_current: isCurrent }) => !isCurrent)?.id ?? 'none';
}

test('a user ends one session while it is in use, and the others go on', async () => {
  const server = await createTestServer();
  const here = await server.signUp(ada);
  const phone = await logIn(server);
  const id = await findOther(server, here);
  const laptop = await logIn(server);

  const reply = await server.call(endOneSession, { session_id: id }, { token: here });

  expect(reply.status).toBe(204);
  expect(await isAlive(server, phone)).toBe(false);
  expect(await isAlive(server, here)).toBe(true);
  expect(await isAlive(server, laptop)).toBe(true);
  expect(await listed(server, here)).toHaveLength(2);
});

test('ending the current session is a logout', async () => {
  const server = await createTestServer();
  const here = await server.signUp(ada);
  const [session] = await listed(server, here);

  await server.call(endOneSession, { session_id: session?.id ?? '' }, { token: here });

  expect(await isAlive(server, here)).toBe(false);
});

test('the session of another user is answered like one that does not exist, and goes on', async () => {
  const server = await createTestServer();
  const theirs = await server.signUp(ada);
  const [session] = await listed(server, theirs);
  const token = await server.signUp(987_654_321);

  const foreign = await server.call(endOneSession, { session_id: session?.id ?? '' }, { token });
  const unknown = await server.call(endOneSession, { session_id: randomUUID() }, { token });

  expect(foreign).toMatchObject({ status: 404, body: { code: 'session_not_found' } });
  expect(foreign.body).toEqual(unknown.body);
  expect(await isAlive(server, theirs)).toBe(true);
});

test.each(['a b', '..', 'x'.repeat(65), '%00'])(
  'what cannot be the ID of a session (%j) is refused',
  async (id) => {
    const server = await createTestServer();
    const token = await server.signUp(ada);

    const reply = await server.request(`/backend/auth/sessions/${encodeURIComponent(id)}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    });

    expect(reply.status).toBeGreaterThanOrEqual(400);
    expect(reply.status).toBeLessThan(500);
    expect(await isAlive(server, token)).toBe(true);
  },
);

test('a session that has expired cannot be ended any more', async () => {
  const server = await createTestServer();
  await server.signUp(ada);
  const old = await logIn(server);
  const id = (await listed(server, old)).find((session) => session.is_current)?.id ?? '';
  server.wait(8 * day);
  const token = await logIn(server);

  const reply = await server.call(endOneSession, { session_id: id }, { token });

  expect(reply.status).toBe(404);
});

test('the list has the first part of the address of the last use, and no more of it', async () => {
  const server = await createTestServer({ variables: { TRUST_PROXY: '1' } });
  await server.signUp(ada);
  const typed = { telegram_id: String(ada), password: goodPassword };
  const first = { 'X-Forwarded-For': '203.0.113.77' };
  const { body } = await server.call(login, typed, { headers: first });
  const token = v.parse(login.output, body).access_token;
  const current = async (address: string) => {
    const headers = { 'X-Forwarded-For': address };
    const { body: list } = await server.call(listSessions, {}, { token, headers });
    return v.parse(listSessions.output, list).sessions.find((session) => session.is_current);
  };
  expect(await current('203.0.113.77')).toMatchObject({ address: '203.0.113.*' });

  server.wait(2 * 60_000);
  await current('2001:db8:1:2::7');

  expect(await current('2001:db8:1:2::7')).toMatchObject({ address: '2001:db8:1:*' });
  const stored = await server.db.selectFrom('sessions').selectAll().execute();
  expect(JSON.stringify(stored)).not.toContain('203.0.113.77');
});

test('a new password ends the other sessions and replaces the old one', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  const other = await logIn(server);

  const reply = await server.call(
    changePassword,
    { current_password: goodPassword, new_password: 'eight loud badgers' },
    { token },
  );

  expect(reply.status).toBe(204);
  expect(await isAlive(server, token)).toBe(true);
  expect(await isAlive(server, other)).toBe(false);
  expect(await logIn(server, 'any', 'eight loud badgers')).toBeTruthy();
  const withOld = await server.call(login, { telegram_id: String(ada), password: goodPassword });
  expect(withOld.status).toBe(401);
});

test('a user may keep the other sessions when changing the password', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  const other = await logIn(server);

  await server.call(
    changePassword,
    {
      current_password: goodPassword,
      new_password: 'eight loud badgers',
      end_other_sessions: false,
    },
    { token },
  );

  expect(await isAlive(server, other)).toBe(true);
});

test('a wrong current password changes nothing and does not end the session', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  const reply = await server.call(
    changePassword,
    { current_password: 'not the password', new_password: 'eight loud badgers' },
    { token },
  );

  expect(reply).toMatchObject({
    status: 403,
    body: { code: 'wrong_password', detail: 'This is not your current password.' },
  });
  expect(await isAlive(server, token)).toBe(true);
  expect(await logIn(server)).toBeTruthy();
});

test('a new password has to follow the same rules as the first', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  const reply = await server.call(
    changePassword,
    { current_password: goodPassword, new_password: 'password1' },
    { token },
  );

  expect(reply).toMatchObject({ status: 422, body: { code: 'weak_password' } });
});

test('a stolen session allows a limited number of password attempts', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  const statuses: number[] = [];
  for (let count = 0; count < 11; count += 1) {
    const reply = await server.call(deleteAccount, { password: `wrong ${count}` }, { token });
    statuses.push(reply.status);
  }

  expect(statuses.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 403));
  expect(statuses[10]).toBe(429);
});

test('deleting the account deletes all data of the user', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);
  const friend = await server.signUp(987_654_321);

  const reply = await server.call(deleteAccount, { password: goodPassword }, { token });
  const rows = await server.db.selectFrom('sessions').select('telegram_id').execute();
  const people = await server.db.selectFrom('people').select('telegram_id').execute();

  expect(reply.status).toBe(204);
  expect(await isAlive(server, token)).toBe(false);
  expect(await isAlive(server, friend)).toBe(true);
  expect(rows).toEqual([{ telegram_id: 987_654_321 }]);
  expect(people).toEqual([{ telegram_id: 987_654_321 }]);
});

test('the password to delete an account is not read from the address', async () => {
  const server = await createTestServer();
  const token = await server.signUp(ada);

  const reply = await server.request(
    `/backend/auth/me?password=${encodeURIComponent(goodPassword)}`,
    { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } },
  );

  expect(reply.status).toBe(422);
  expect(await isAlive(server, token)).toBe(true);
});
