/** What was done to members, as the dashboard lists and undoes it: for managers of the chat only. */
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';

import {
  listActions,
  listApprovals,
  listWarnings,
  removeApproval,
  removeWarnings,
  undoAction,
} from '#contract/endpoints/chat-members';
import { pickLogChannel } from '#contract/endpoints/chat-values';
import { type CallInput } from '#contract/endpoints/endpoint';
import { readCapabilities } from '#contract/endpoints/site';
import { createActionRepository, type NewAction } from '#server/db/actions';
import { createApprovalRepository } from '#server/db/approvals';
import { createPeopleSeenRepository } from '#server/db/people-seen';
import { createWarningRepository } from '#server/db/warnings';
import { connectTelegram, type Telegram } from '#server/upstream/telegram/telegram';
import {
  chatId,
  friend,
  giveChats,
  owner,
  type SignedIn,
  signIn,
  startDemoServer,
  stranger,
} from '#tests/chats';
import { createTestServer, type TestServer } from '#tests/test-server';

let server: TestServer;
let me: SignedIn;
let other: SignedIn;

beforeEach(async () => {
  server = await startDemoServer();
  [me, other] = [await signIn(server, owner), await signIn(server, friend)];
  await giveChats(server, owner, [{ id: chatId, name: 'Cats' }]);
  await createPeopleSeenRepository(server.database).learn(
    [{ telegramId: stranger, username: 'sam', firstName: 'Sam' }],
    server.now(),
  );
});

const day = 24 * 60 * 60_000;

const act = (id: string, facts: Partial<NewAction> = {}) =>
  createActionRepository(server.db).add({
    id,
    chatId,
    at: server.now(),
    kind: 'kick',
    byId: owner,
    targetId: stranger,
    reason: '',
    until: undefined,
    ...facts,
  });

const list = async (input: Omit<CallInput<typeof listActions>, 'chat_id'> = {}) => {
  const reply = await server.call(listActions, { chat_id: chatId, ...input }, me);
  expect(reply.status).toBe(200);
  return v.parse(listActions.output, reply.body);
};

describe('actions', () => {
  test('are listed with the names of both, the newest first', async () => {
    await act('a', { reason: 'spam', until: server.now() + day, kind: 'ban' });
    server.wait(1);
    await act('b', { targetId: -1005, byId: 1_087_968_824 });

    expect(await list()).toEqual({
      has_more: false,
      actions: [
        {
          action_id: 'b',
          kind: 'kick',
          at: server.now(),
          by: { telegram_id: '1087968824', name: '' },
          target: { telegram_id: '-1005', name: '' },
          reason: '',
          until: null,
          undone_at: null,
          can_undo: false,
        },
        {
          action_id: 'a',
          kind: 'ban',
          at: server.now() - 1,
          by: { telegram_id: String(owner), name: '' },
          target: { telegram_id: String(stranger), name: 'Sam' },
          reason: 'spam',
          until: server.now() - 1 + day,
          undone_at: null,
          can_undo: true,
        },
      ],
    });
  });

  test('are searched, and read page by page', async () => {
    for (let index = 0; index < 60; index += 1) {
      await act(`a${index}`, { at: server.now() - index, reason: index % 2 ? 'odd' : 'even' });
    }

    const first = await list();
    const second = await list({ before: first.actions.at(-1)?.action_id ?? '' });
    const found = await list({ search: ' ODD ' });

    expect([first.actions.length, first.has_more]).toEqual([50, true]);
    expect([second.actions.length, second.has_more]).toEqual([10, false]);
    expect([found.actions.length, found.has_more]).toEqual([30, false]);
    expect((await list({ search: '@sam' })).actions).toHaveLength(50);
    expect((await list({ search: 'nothing like it' })).actions).toEqual([]);
  });

  test('a page after an action that is not there cannot be read', async () => {
    await act('of another chat', { chatId: -1002 });

    for (const before of ['unknown', 'of another chat']) {
      expect(await server.call(listActions, { chat_id: chatId, before }, me)).toMatchObject({
        status: 400,
        body: { code: 'invalid_cursor' },
      });
    }
  });

  test('those of more than ninety days ago are not listed', async () => {
    await act('old', { at: server.now() - 90 * day - 1 });

    expect((await list()).actions).toEqual([]);
  });

  test('what is unknown, of another chat or of no kind that can be undone is not undone', async () => {
    await act('kick');
    await act('of another chat', { chatId: -1002, kind: 'ban' });
    const undo = (action_id: string) => server.call(undoAction, { chat_id: chatId, action_id }, me);

    expect(await undo('unknown')).toMatchObject({
      status: 404,
      body: { code: 'action_not_found' },
    });
    expect(await undo('of another chat')).toMatchObject({ status: 404 });
    expect(await undo('kick')).toMatchObject({
      status: 409,
      body: { code: 'action_not_undoable' },
    });
  });
});

describe('warnings', () => {
  const warn = (id: string, telegramId = stranger) =>
    createWarningRepository(server.db).add({
      id,
      chatId,
      telegramId,
      byId: owner,
      reason: 'spam',
      givenAt: server.now(),
      expiresAt: id === 'b' ? server.now() + day : undefined,
      updateId: undefined,
    });
  const read = async () =>
    v.parse(listWarnings.output, (await server.call(listWarnings, { chat_id: chatId }, me)).body)
      .warnings;

  test('that count are listed, and taken back one by one or all of a member', async () => {
    await warn('a');
    server.wait(1);
    await warn('b');
    await warn('c', friend);

    expect((await read()).find(({ warning_id }) => warning_id === 'b')).toEqual({
      warning_id: 'b',
      target: { telegram_id: String(stranger), name: 'Sam' },
      by: { telegram_id: String(owner), name: '' },
      reason: 'spam',
      given_at: server.now(),
      expires_at: server.now() + day,
    });
    const remove = (input: object) =>
      server.call(removeWarnings, { chat_id: chatId, telegram_id: stranger, ...input }, me);

    expect((await remove({ warning_id: 'a' })).status).toBe(204);
    expect((await remove({ warning_id: 'a' })).status).toBe(204);
    expect((await read()).map(({ warning_id }) => warning_id).toSorted()).toEqual(['b', 'c']);
    expect((await remove({})).status).toBe(204);
    expect((await read()).map(({ warning_id }) => warning_id)).toEqual(['c']);
    expect((await remove({})).status).toBe(204);
  });

  test('a warning of another member is not taken back by mistake', async () => {
    await warn('c', friend);

    await server.call(
      removeWarnings,
      { chat_id: chatId, telegram_id: stranger, warning_id: 'c' },
      me,
    );

    expect(await read()).toHaveLength(1);
  });
});

describe('approvals', () => {
  test('are listed and ended, more than once without harm', async () => {
    const approvals = createApprovalRepository(server.db);
    const approval = { chatId, byId: owner, at: server.now() };
    await approvals.add({ ...approval, telegramId: stranger, until: server.now() + day });
    await approvals.add({
      ...approval,
      telegramId: friend,
      at: server.now() + 1,
      until: undefined,
    });
    const read = async () =>
      v.parse(
        listApprovals.output,
        (await server.call(listApprovals, { chat_id: chatId }, me)).body,
      ).approvals;
    const by = { telegram_id: String(owner), name: '' };

    expect(await read()).toEqual([
      {
        target: { telegram_id: String(friend), name: '' },
        by,
        at: server.now() + 1,
        until: null,
      },
      {
        target: { telegram_id: String(stranger), name: 'Sam' },
        by,
        at: server.now(),
        until: server.now() + day,
      },
    ]);
    for (const telegram_id of [stranger, stranger]) {
      const reply = await server.call(removeApproval, { chat_id: chatId, telegram_id }, me);
      expect(reply.status).toBe(204);
    }
    expect(await read()).toHaveLength(1);
  });
});

test('users who do not manage the chat read and change nothing of it', async () => {
  await act('ban', { kind: 'ban' });
  const chat = { chat_id: chatId };
  const reading = { status: 404, body: { code: 'chat_not_found' } };
  const changing = { status: 403, body: { code: 'chat_not_verified' } };

  expect(await server.call(listActions, chat, other)).toMatchObject(reading);
  expect(await server.call(listWarnings, chat, other)).toMatchObject(reading);
  expect(await server.call(listApprovals, chat, other)).toMatchObject(reading);
  expect(await server.call(undoAction, { ...chat, action_id: 'ban' }, other)).toMatchObject(
    changing,
  );
  expect(
    await server.call(removeWarnings, { ...chat, telegram_id: stranger }, other),
  ).toMatchObject(changing);
  expect(
    await server.call(removeApproval, { ...chat, telegram_id: stranger }, other),
  ).toMatchObject(changing);
  expect(await server.call(pickLogChannel, chat, other)).toMatchObject(changing);
});

test('without a bot no channel can be picked', async () => {
  expect(await server.call(pickLogChannel, { chat_id: chatId }, me)).toMatchObject({
    status: 503,
    body: { code: 'service_not_set_up' },
  });
});

test('what needs a bot is announced by a server that has one', async () => {
  const names = ['chats.values', 'chats.moderation', 'chats.log-pick'];
  const announced = async (variables: Readonly<Record<string, string>>, telegram?: Telegram) => {
    const asked = await createTestServer({ variables, telegram });
    const { capabilities } = v.parse(
      v.object({ capabilities: v.array(v.string()) }),
      (await asked.call(readCapabilities, {})).body,
    );
    return names.filter((name) => capabilities.includes(name));
  };
  const token = '123456:token-of-tests';
  const telegram = connectTelegram({ token, apiRoot: 'http://127.0.0.1:9', timeoutMs: 500 });

  expect(await announced({})).toEqual(['chats.values']);
  expect(await announced({ BOT_TOKEN: token, BOT_MODE: 'off' }, telegram)).toEqual([
    'chats.values',
    'chats.moderation',
  ]);
  expect(await announced({ BOT_TOKEN: token, BOT_MODE: 'polling' }, telegram)).toEqual(names);
});
