/** An operator who gets a report with the ID of a request finds every line that was written for it, and nothing else by it. */
import { expect, test } from 'vitest';

import { startExport } from '#contract/endpoints/exports';
import { generate } from '#contract/endpoints/images';
import { login, readMe } from '#contract/endpoints/session';
import { openDatabase } from '#server/db/client';
import { createLog } from '#server/lib/log';
import { currentRequestId, outsideRequests, withRequestId } from '#server/lib/request-context';
import { createWakeTimer } from '#server/lib/wake-timer';
import { signIn } from '#tests/chats';
import { groupId, left, member, moved, startBot } from '#tests/test-bot';
import { adaId, createTestServer, goodPassword } from '#tests/test-server';

type Line = Readonly<Record<string, unknown>>;
const parseAll = (lines: readonly string[]): readonly Line[] =>
  lines.map((line): Line => JSON.parse(line));

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const given = '0af7651916cd43dd8448eb211c80319c';
const behindProxy = { variables: { TRUST_PROXY: '1' } };
const withId = (id: string) => ({ headers: { 'X-Request-Id': id } });

test('a request without an ID gets one, and the answer names it', async () => {
  const server = await createTestServer();

  const [one, other] = [await server.call(readMe, {}), await server.call(readMe, {})];

  expect(one.headers.get('X-Request-Id')).toMatch(uuid);
  expect(other.headers.get('X-Request-Id')).toMatch(uuid);
  expect(one.headers.get('X-Request-Id')).not.toBe(other.headers.get('X-Request-Id'));
});

test('the ID that a believed proxy has given is kept, so that its log and ours fit together', async () => {
  const server = await createTestServer(behindProxy);

  const reply = await server.call(readMe, {}, withId(given));

  expect(reply.headers.get('X-Request-Id')).toBe(given);
  expect(parseAll(server.logLines)).toEqual([expect.objectContaining({ requestId: given })]);
});

test('a caller who is no believed proxy chooses no ID', async () => {
  const server = await createTestServer();

  const reply = await server.call(readMe, {}, withId(given));

  expect(reply.headers.get('X-Request-Id')).toMatch(uuid);
  expect(server.logLines.join('')).not.toContain(given);
});

test.each([
  ['the ID of a user', '7042424241717'],
  ['a code', '081723'],
  ['a token', 'wTq3vCkE0pYxLJ8rN5bHs2Zg'],
  ['a sentence', 'login of mila@example.org'],
  ['something long', 'a'.repeat(65)],
  ['nothing', ''],
])('%s that comes through a proxy is no ID and is in no log', async (_what, text) => {
  const server = await createTestServer(behindProxy);

  const reply = await server.call(readMe, {}, withId(text));

  expect(reply.headers.get('X-Request-Id')).toMatch(uuid);
  const [line] = parseAll(server.logLines);
  expect(line?.['requestId']).toBe(reply.headers.get('X-Request-Id'));
  expect(text === '' || !server.logLines.join('').includes(text)).toBe(true);
});

test('all lines of a request have its ID: of a failure inside, and in the security log', async () => {
  const server = await createTestServer();
  const password = goodPassword;
  const refused = await server.call(login, { telegram_id: adaId, password });
  await server.db.schema.dropTable('registrations').execute();

  const broken = await server.call(login, { telegram_id: adaId, password });

  const idOfRefused = refused.headers.get('X-Request-Id');
  const idOfBroken = broken.headers.get('X-Request-Id');
  expect(broken.status).toBe(500);
  expect(parseAll(server.logLines)).toEqual([
    expect.objectContaining({ requestId: idOfRefused, msg: 'request', status: 401 }),
    expect.objectContaining({ requestId: idOfBroken, msg: 'unexpected failure' }),
    expect.objectContaining({ requestId: idOfBroken, msg: 'request', status: 500 }),
  ]);
  expect(parseAll(server.securityLines)).toEqual([
    expect.objectContaining({ requestId: idOfRefused, event: 'login_failed' }),
  ]);
});

test('two requests at the same time do not mix their IDs', async () => {
  const server = await createTestServer(behindProxy);
  const ids = Array.from({ length: 20 }, (_, index) => `${given.slice(0, -2)}${10 + index}`);

  await Promise.all(
    ids.map((id) => server.call(login, { telegram_id: adaId, password: goodPassword }, withId(id))),
  );

  const named = (lines: readonly string[]) =>
    [...new Set(parseAll(lines).map(({ requestId }) => String(requestId)))].toSorted();
  expect(named(server.logLines)).toEqual(ids);
  expect(named(server.securityLines)).toEqual(ids);
});

test('what the handling of an update logs names the update', async () => {
  const { server, hears } = await startBot();
  await server.db.schema.dropTable('bot_chats').execute();

  await hears(moved(left, member));

  const failed = parseAll(server.logLines).filter(
    ({ msg }) => msg === 'could not handle an update',
  );
  expect(failed).toEqual([
    expect.objectContaining({ requestId: expect.stringMatching(/^update \d+$/) }),
  ]);
});

test('a picture that fails after its request is logged with the ID of the request', async () => {
  const paint = () => Promise.reject(new Error('no colours'));
  const server = await createTestServer({ paint });

  const recipe = { prompt: 'a fox', model_id: '1001', ratio: '1:1' } as const;
  const { headers } = await server.call(generate, recipe);

  const lines = parseAll(server.logLines).filter(({ msg }) => msg === 'Could not make a picture');
  expect(lines).toEqual([expect.objectContaining({ requestId: headers.get('X-Request-Id') })]);
});

test('what is done later is logged with the ID of the request that began it, also by another process', async () => {
  const database = openDatabase({});
  const first = await createTestServer({ ...behindProxy, database });
  const second = await createTestServer({ database });
  const { dueJobs } = second.services;
  dueJobs.handle('of this test', () => Promise.reject(new Error('not today')));
  const job = { chatId: groupId, telegramId: undefined, body: '{}', dueAt: second.now() };

  await withRequestId(given, () =>
    first.services.dueJobs.add({ ...job, id: 'late', kind: 'of this test' }),
  );
  await dueJobs.runDue();

  const lines = parseAll(second.logLines).filter(({ msg }) => msg === 'could not do a job');
  expect(lines).toEqual([expect.objectContaining({ requestId: given })]);
});

test('an export that fails is logged with the ID of the request for it', async () => {
  const server = await createTestServer();
  const { token } = await signIn(server, 4242);
  const asked = await server.call(startExport, { by_bot: false }, { token });
  await server.db.schema.dropTable('passkeys').execute();

  await server.services.exports.runDue();

  const id = asked.headers.get('X-Request-Id');
  const failed = parseAll(server.logLines).filter(({ err }) => err !== undefined);
  expect(failed.map(({ requestId }) => requestId)).toEqual([id]);
});

test('work that a timer repeats belongs to no request, not to the one that happened to start it', async () => {
  const seen: string[] = [];
  const timer = createWakeTimer(
    () => 0,
    () => {
      seen.push(currentRequestId());
      return Promise.resolve(undefined);
    },
  );

  withRequestId('a request', timer.start);
  await expect.poll(() => seen).toEqual(['']);
  timer.stop();

  expect(withRequestId('a request', () => outsideRequests(currentRequestId))).toBe('');
});

test('lines that belong to no request name none', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });

  log.info('the server starts');

  expect(parseAll(lines)[0]).not.toHaveProperty('requestId');
  expect(parseAll(lines)[0]).not.toHaveProperty('traceId');
});
