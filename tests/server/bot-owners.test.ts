/** What updates say about the owners of chats and about the IDs of chats. */
import { assert, expect, test } from 'vitest';

import { addChat, readChat, setSetting, verifyChat } from '#contract/endpoints/chats';
import { createManagerRepository } from '#server/db/managers';
import { follow } from '#tests/chat-stream';
import { giveChats, signIn } from '#tests/chats';
import { dan, startGroup } from '#tests/command-group';
import {
  administrator,
  chat,
  collectEvents,
  left,
  moved,
  owner,
  readBotPlace,
  service,
  startManaged,
  ada,
  groupId,
  startBot,
} from '#tests/test-bot';

const newId = -1_009_999_999_999;

test.each([
  ['migrate_to_chat_id', { id: groupId, type: 'group', title: 'Otters' }, newId],
  ['migrate_from_chat_id', { id: newId, type: 'supergroup', title: 'Otters' }, groupId],
])('a group that becomes a supergroup (%s) keeps all stored data', async (...told) => {
  const [field, inChat, otherId] = told;
  const bot = await startManaged();
  const { server, me } = bot;
  await bot.hears(moved(left, administrator));
  await server.call(
    setSetting,
    { chat_id: groupId, topic_id: 0, setting_name: 'photo_blocked', value: true },
    me,
  );
  const at = server.now();
  await server.db
    .insertInto('deletions')
    .values([
      { chat_id: groupId, name: 'photo_blocked', hour: 0, total: 2, uncertain: 2 },
      { chat_id: newId, name: 'photo_blocked', hour: 0, total: 3, uncertain: 0 },
    ])
    .execute();
  await server.db
    .insertInto('topic_names')
    .values({ chat_id: groupId, topic_id: 5, name: 'Rules', updated_at: at })
    .execute();
  await server.services.deletions.deleteLater(groupId, [77], 60_000);
  const events = collectEvents(bot);
  bot.api.upgrade(groupId, newId);

  await bot.hears(service({ [field]: otherId }, inChat));
  await bot.hears(service({ [field]: otherId }, inChat));

  const { body } = await server.call(readChat, { chat_id: groupId }, me);
  expect(body).toMatchObject({
    chat_id: String(newId),
    topics: { 0: { photo_blocked: true } },
  });
  expect(await readBotPlace(bot, newId)).toMatchObject({ is_in: 1, added_by: ada.id });
  const stored = (table: 'deletions' | 'topic_names' | 'setting_changes' | 'due_deletions') =>
    server.db.selectFrom(table).selectAll().execute();
  expect(await stored('deletions')).toEqual([
    { chat_id: newId, name: 'photo_blocked', hour: 0, total: 5, uncertain: 2 },
  ]);
  expect(await stored('topic_names')).toMatchObject([{ chat_id: newId, name: 'Rules' }]);
  expect(await stored('setting_changes')).toMatchObject([{ chat_id: newId, changed_by: owner }]);
  // In the supergroup the message IDs belong to other messages.
  expect(await stored('due_deletions')).toEqual([]);
  expect(await readBotPlace(bot, groupId)).toBeUndefined();
  expect(events[0]).toEqual({ kind: 'upgraded', chat_id: String(newId) });
});

test('a code that was sent before the group became a supergroup still verifies it', async () => {
  const bot = await startBot();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  const me = await signIn(bot.server, owner);
  await bot.server.call(addChat, { chat_id: groupId }, me);
  const otp = bot.api.lastCode(owner);
  bot.api.upgrade(groupId, newId);
  await bot.hears(service({ migrate_to_chat_id: newId }));

  const wrong = otp === '123456' ? '654321' : '123456';
  const refused = await bot.server.call(verifyChat, { chat_id: groupId, otp: wrong }, me);
  expect(refused.body).toMatchObject({ code: 'invalid_code' });
  expect((await bot.server.call(verifyChat, { chat_id: groupId, otp }, me)).status).toBe(200);
  const again = await bot.server.call(verifyChat, { chat_id: groupId, otp }, me);
  expect(again.body).toMatchObject({ code: 'invalid_code' });

  const { body } = await bot.server.call(readChat, { chat_id: newId }, me);
  expect(body).toMatchObject({ chat_id: String(newId) });
});

test.each([
  [
    'the service message about a new owner',
    service({ chat_owner_changed: { new_owner: { ...ada, id: 222 } } }),
  ],
  ['the service message about an owner who left', service({ chat_owner_left: {} })],
  [
    'the update about their own membership',
    {
      chat_member: {
        chat,
        from: ada,
        date: 0,
        old_chat_member: { status: 'creator', user: { ...ada, id: owner }, is_anonymous: false },
        new_chat_member: { status: 'left', user: { ...ada, id: owner } },
      },
    },
  ],
])('%s ends the access of the former owner at once', async (_, update) => {
  const bot = await startManaged();
  const events = collectEvents(bot);
  bot.api.addChat({ id: groupId, title: 'Otters', creator: 222, members: [owner] });
  const before = await bot.server.call(readChat, { chat_id: groupId }, bot.me);

  await bot.hears(update);

  const after = await bot.server.call(readChat, { chat_id: groupId }, bot.me);
  expect([before.status, after.status]).toEqual([200, 403]);
  expect(events).toEqual([{ kind: 'health' }]);
});

test('the event stream of an owner who lost the chat reports the loss and ends', async () => {
  const bot = await startManaged();
  const page = await follow(bot.server, groupId, bot.me);
  bot.api.addChat({ id: groupId, title: 'Otters', creator: 222 });

  await bot.hears(service({ chat_owner_changed: { new_owner: { ...ada, id: 222 } } }));

  expect(await page.next()).toEqual({ kind: 'health' });
  expect(await page.next()).toEqual({ kind: 'lost' });
  expect(await page.next()).toBeUndefined();
});

test('a check that began before the owner changed confirms nothing', async () => {
  const { server } = await startManaged();
  const managers = createManagerRepository(server.db);
  const begun = await managers.find(groupId, owner);
  assert(begun);

  await managers.forgetChecks(groupId);
  await managers.markChecked(begun, server.now());

  expect((await managers.find(groupId, owner))?.checkedAt).toBe(0);
});

test('the messages of a demoted administrator are no longer exempt', async () => {
  const bot = await startManaged();
  const { api, server, me } = bot;
  const world = { id: groupId, title: 'Otters', creator: owner };
  api.addChat({ ...world, administrators: [ada.id] });
  await server.call(
    setSetting,
    { chat_id: groupId, topic_id: 0, setting_name: 'text_blocked', value: true },
    me,
  );
  await bot.writes('As an administrator', { chatId: groupId });
  expect(api.deletions.of(groupId)).toEqual([]);

  api.addChat({ ...world, members: [ada.id] });
  await bot.hears({
    chat_member: {
      chat,
      from: { ...ada, id: owner },
      date: 0,
      old_chat_member: { status: 'administrator', user: ada, can_delete_messages: true },
      new_chat_member: { status: 'member', user: ada },
    },
  });
  const written = await bot.writes('As a member', { chatId: groupId });

  expect(api.deletions.of(groupId)).toEqual([written]);
});

test('when other members join or leave, Telegram is not called', async () => {
  const bot = await startManaged();
  const events = collectEvents(bot);
  bot.api.forgetCalls();

  await bot.hears({
    chat_member: {
      chat,
      from: ada,
      date: 0,
      old_chat_member: { status: 'left', user: ada },
      new_chat_member: { status: 'member', user: ada },
    },
  });
  await bot.server.call(readChat, { chat_id: groupId }, bot.me);

  expect(events).toEqual([]);
  expect(bot.api.callsTo('getChatAdministrators')).toEqual([]);
});

test.each([
  ['whom Telegram no longer calls an administrator', false],
  ['of a chat that was added without a bot', true],
])('a manager %s may not change the rules by command', async (_who, isDemo) => {
  const { server, says, lastText } = await startGroup();
  await signIn(server, dan);
  await giveChats(server, dan, [{ id: groupId, name: 'Otters', isDemo }]);
  await createManagerRepository(server.db).forgetChecks(groupId);

  await says(dan, '/warnlimit 5');

  expect(lastText()).toBe('Only administrators with the right “Change group info” can do this.');
  expect(await server.db.selectFrom('chat_values').selectAll().execute()).toEqual([]);
});

test('what waits for a press about a message of the old group does not move to the new one', async () => {
  const { server } = await startManaged();
  const due = (kind: string) => ({
    id: kind,
    kind,
    chat_id: groupId,
    telegram_id: null,
    due_at: 0,
    body: '{}',
  });
  await server.db.insertInto('due_jobs').values(['report', 'confirm', 'log'].map(due)).execute();

  await server.services.chatUpgrades.upgrade(groupId, newId);

  const jobs = server.db
    .selectFrom('due_jobs')
    .select(['id', 'chat_id'])
    .where('kind', '!=', 'menu');
  expect(await jobs.execute()).toEqual([{ id: 'log', chat_id: newId }]);
});

test('a command that needs the administrators says how long Telegram wants no calls', async () => {
  const { api, says, lastText } = await startGroup();
  api.fail('getChatAdministrators', {
    error_code: 429,
    description: 'Too Many Requests: retry after 300',
    parameters: { retry_after: 300 },
  });

  await says(dan, '/warnlimit 5');

  expect(lastText()).toBe('Telegram does not answer right now. Try again in 5 minutes.');
});
