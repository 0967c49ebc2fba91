/** What managers undo on the dashboard: at Telegram, in the list, in the log channel and in the group, once. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { listActions, undoAction } from '#contract/endpoints/chat-members';
import { giveChats, signIn } from '#tests/chats';
import { ann, bo, olga, personWith, startGroup } from '#tests/command-group';
import { administrator, groupId, left, moved } from '#tests/test-bot';
import { createTestServer, openTestDatabase } from '#tests/test-server';

const logId = -1_009_000_000_001;

/** Olga manages the group of the bot in Nori; it has a log channel. */
async function startManagedGroup(options: Parameters<typeof startGroup>[0] = {}) {
  const group = await startGroup(options);
  const { api } = group;
  const manager = await signIn(group.server, olga);
  api.addChat({ id: logId, type: 'channel', title: 'Otter log', creator: olga });
  await giveChats(group.server, olga, [{ id: groupId, name: 'Otters', isDemo: false }]);
  await group.set({
    log_channel: { id: logId, title: 'Otter log' },
    log_categories: ['members'],
  });
  // The bot has to know how all are called.
  await group.hears(moved(left, administrator, personWith(olga)));
  await group.says(olga, 'Hello');
  await group.says(ann, 'Hello');
  const readActions = async () => {
    const reply = await group.server.call(listActions, { chat_id: groupId }, manager);
    return v.parse(listActions.output, reply.body).actions;
  };
  const undoLast = async (on = group.server) => {
    const last = (await readActions()).find(({ can_undo }) => can_undo);
    const input = { chat_id: groupId, action_id: last?.action_id ?? '' };
    return on.call(undoAction, input, manager);
  };
  const textsTo = (to: number) =>
    api.messages.filter((one) => one.to === to).map(({ text }) => text);
  const runDue = () => group.server.services.dueJobs.runDue();
  return { ...group, readActions, undoLast, textsTo, runDue };
}

test.each([
  {
    typed: '/mute 1h',
    call: {
      method: 'restrictChatMember',
      body: {
        chat_id: groupId,
        user_id: ann,
        use_independent_chat_permissions: true,
        permissions: { can_send_messages: true, can_react_to_messages: true },
      },
    },
    said: 'Ann may write again: Olga has undone the mute.',
    line: 'Unmute: Ann (444444) by Olga.',
    kind: 'unmute',
    status: 'member',
  },
  {
    typed: '/ban',
    call: {
      method: 'unbanChatMember',
      body: { chat_id: groupId, user_id: ann, only_if_banned: true },
    },
    said: 'Ann may join again: Olga has undone the ban.',
    line: 'Unban: Ann (444444) by Olga.',
    kind: 'unban',
    status: 'left',
  },
])('$typed is lifted at Telegram, recorded, logged and told', async (expected) => {
  const group = await startManagedGroup();
  const { api, readActions, undoLast, textsTo, runDue } = group;
  await group.says(bo, expected.typed, { to: ann });
  await runDue();
  api.forgetCalls();
  group.server.wait(1000);

  expect(await undoLast()).toMatchObject({
    status: 200,
    body: { action: { undone_at: group.server.now(), can_undo: false } },
  });
  await runDue();

  expect(api.calls.filter(({ method }) => /^(?:un)?ban|^restrict/.test(method))).toMatchObject([
    expected.call,
  ]);
  expect(api.members.read(groupId, ann).status).toBe(expected.status);
  expect(textsTo(groupId).slice(-1)).toEqual([expected.said]);
  expect(textsTo(logId).slice(-1)).toEqual([`Otters – ${expected.line}`]);
  expect((await readActions())[0]).toMatchObject({
    kind: expected.kind,
    by: { telegram_id: String(olga) },
    target: { telegram_id: String(ann) },
  });
});

test('a warning is taken back, logged and told', async () => {
  const group = await startManagedGroup();
  const { says, undoLast, runDue, textsTo } = group;
  await says(bo, '/warn spam', { to: ann });
  expect((await undoLast()).status).toBe(200);
  await runDue();

  expect(textsTo(groupId).at(-1)).toBe('Olga has taken back a warning of Ann.');
  expect(textsTo(logId).at(-1)).toBe('Otters – Warning taken back: Ann (444444) by Olga.');
  const { warnings } = group.server.services.memberCommands;
  expect(await warnings.listOpen(groupId, ann)).toEqual([]);
});

test.each(['/mute', '/ban', '/warn'])(
  '%s is lifted without a word in a group whose actions are quiet',
  async (typed) => {
    const group = await startManagedGroup();
    await group.set({ quiet_actions: true });
    await group.says(bo, typed, { to: ann });
    await group.runDue();
    const count = group.textsTo(groupId).length;
    const lines = group.textsTo(logId).length;
    expect((await group.undoLast()).status).toBe(200);
    await group.runDue();

    expect(group.textsTo(groupId)).toHaveLength(count);
    expect(group.textsTo(logId)).toHaveLength(lines + 1);
  },
);

test.each([
  ['/mute', ['mute', 'unmute']],
  ['/warn', ['unwarn', 'warn']],
])('what cannot be saved of it leaves nothing of it (%s)', async (typed, kinds) => {
  const group = await startManagedGroup();
  await group.says(bo, typed, { to: ann });
  const [action] = await group.readActions();
  const undoing = group.server.services.memberCommands.undo({
    chatId: groupId,
    actionId: action?.action_id ?? '',
    by: { telegramId: olga, name: '' },
    key: 'killed',
    alsoSave: () => Promise.reject(new Error('killed')),
  });
  await expect(undoing).rejects.toThrow('killed');
  expect(await group.readActions()).toMatchObject([{ undone_at: null, can_undo: true }]);

  expect((await group.undoLast()).status).toBe(200);
  await group.runDue();
  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual(kinds);
  expect(group.textsTo(groupId).filter((text) => text.includes('Olga has'))).toHaveLength(1);
});

test('after a kill between Telegram and the database it is finished once, however often it is tried', async () => {
  const database = await openTestDatabase();
  const kept = { ...database, close: () => Promise.resolve() };
  const group = await startManagedGroup({ database: kept });
  const { api, undoLast, textsTo } = group;
  await group.says(bo, '/mute', { to: ann });
  await group.runDue();
  const answered = Promise.withResolvers<void>();
  api.hold('restrictChatMember', answered.promise);
  api.forgetCalls();
  const killed = undoLast();
  await expect.poll(() => api.callsTo('restrictChatMember')).toHaveLength(1);
  expect(await group.listActions()).toHaveLength(1);

  const next = await createTestServer({ bot: { api }, database: kept });
  expect((await undoLast(next)).status).toBe(200);
  await next.services.dueJobs.runDue();
  await next.close();
  answered.resolve();
  expect((await killed).status).toBe(200);
  await group.runDue();

  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual([
    'mute',
    'unmute',
  ]);
  expect(textsTo(groupId).filter((text) => text.includes('Olga has'))).toHaveLength(1);
  expect(textsTo(logId).filter((text) => text.includes('Unmute'))).toHaveLength(1);
});

test('of a button and the dashboard at once, one has done it', async () => {
  const group = await startManagedGroup();
  await group.says(bo, '/mute', { to: ann });
  const [reply, { answers }] = await Promise.all([group.undoLast(), group.press([bo, 'Undo'])]);
  await group.runDue();

  const isByDashboard = reply.status === 200;
  expect([reply.status, answers]).toEqual(
    isByDashboard ? [200, ['This cannot be undone, or was undone already.']] : [409, ['Undone.']],
  );
  const told = group.textsTo(groupId).filter((text) => text.includes('Olga has'));
  expect(told).toHaveLength(isByDashboard ? 1 : 0);
  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual([
    'mute',
    'unmute',
  ]);
});

test('an older ban cannot be undone while a newer one is in force', async () => {
  const group = await startManagedGroup();
  await group.says(bo, '/ban 1h', { to: ann });
  group.server.wait(1000);
  await group.says(bo, '/ban', { to: ann });

  const [newer, older] = await group.readActions();
  expect([newer?.can_undo, older?.can_undo]).toEqual([true, false]);
  expect(newer?.until).toBeNull();
  expect((await group.undoLast()).status).toBe(200);
  expect(group.api.members.read(groupId, ann).status).toBe('left');
});

test('a right that the bot lacks is named, and nothing is undone', async () => {
  const group = await startManagedGroup();
  await group.says(bo, '/mute', { to: ann });
  group.group.botRights = ['delete'];

  expect(await group.undoLast()).toMatchObject({
    body: {
      code: 'telegram_refused',
      detail: 'I need the right “Ban users” for this. Give it to me in the list of administrators.',
    },
  });
  expect(await group.readActions()).toMatchObject([{ undone_at: null }]);
});
