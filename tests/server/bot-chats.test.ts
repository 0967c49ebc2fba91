/** What updates say about chats: whether the bot is in them, and the names of chats and topics. */
import { expect, test } from 'vitest';

import { settingName } from '#contract/chats/message-types';
import { readChatHealth } from '#contract/endpoints/chat-activity';
import { listChats, setSetting } from '#contract/endpoints/chats';
import { signIn } from '#tests/chats';
import {
  administrator,
  botUser,
  chat,
  collectEvents,
  left,
  member,
  moved,
  owner,
  readBotPlace,
  service,
  startManaged,
  ada,
  groupId,
  startBot,
} from '#tests/test-bot';

test('a user who adds the bot to a group finds the group in Nori, to be verified', async () => {
  const bot = await startBot();
  const events = collectEvents(bot);
  const me = await signIn(bot.server, ada.id);

  await bot.hears(moved(left, administrator));

  expect((await bot.server.call(listChats, {}, me)).body).toMatchObject({
    unverified: [{ chat_id: String(groupId), chat_name: 'Otters' }],
  });
  expect(await readBotPlace(bot)).toMatchObject({ is_in: 1, may_delete: 1, is_forum: 1 });
  expect(events).toEqual([{ kind: 'health' }]);
  expect(bot.api.messages).toEqual([]);
});

/** Lets the time pass that hints wait. */
async function waitForHints({ server }: Awaited<ReturnType<typeof startBot>>): Promise<void> {
  server.wait(3000);
  await server.services.arrivalHints.sendDue();
}

test('a user who adds the bot without the right to delete is told once, and a later promotion is stored', async () => {
  const bot = await startBot({ variables: { PUBLIC_URL: 'https://nori.example.org' } });

  await bot.hears(moved(left, member));
  await waitForHints(bot);
  await bot.hears(moved(member, left));
  await bot.hears(moved(left, member));
  await waitForHints(bot);
  expect(bot.api.messages.map(({ to, text }) => [to, text])).toEqual([
    [ada.id, expect.stringContaining('You have added me to “Otters”, but I may not delete')],
  ]);
  expect(bot.api.messages[0]?.body['reply_markup']).toEqual(setUpButton);

  await bot.hears(moved(member, administrator, { ...ada, id: owner }));
  expect(await readBotPlace(bot)).toMatchObject({ may_delete: 1, added_by: ada.id });
});

const setUpButton = {
  inline_keyboard: [
    [
      {
        text: 'Set up this group',
        web_app: { url: `https://nori.example.org/dashboard?chat=${groupId}` },
      },
    ],
  ],
};

test('a user who adds the bot with its right is led on once, however often rights change', async () => {
  const bot = await startBot({ variables: { PUBLIC_URL: 'https://nori.example.org' } });

  await bot.hears(moved(left, administrator));
  await waitForHints(bot);
  await bot.hears(moved(administrator, { ...administrator, can_pin_messages: true }));
  await bot.hears(moved(administrator, left));
  await bot.hears(moved(left, administrator));
  await waitForHints(bot);

  expect(bot.api.messages.map(({ to, text }) => [to, text])).toEqual([
    [ada.id, expect.stringContaining('I am in “Otters” now, and may delete messages there.')],
  ]);
  expect(bot.api.messages[0]?.body['reply_markup']).toEqual(setUpButton);
});

test('a user who manages the chat already is told only that the right is missing', async () => {
  const bot = await startManaged();
  const by = { ...ada, id: owner };
  const before = bot.api.messages.length;
  const texts = () => bot.api.messages.slice(before).map(({ text }) => text);

  await bot.hears(moved(left, administrator, by));
  await waitForHints(bot);
  expect(texts()).toEqual([]);
  await bot.hears(moved(administrator, left, by));
  await bot.hears(moved(left, member, by));
  await waitForHints(bot);

  expect(texts()).toEqual([expect.stringContaining('I may not delete messages there')]);
});

test.each([
  ['with its right', administrator, 'Hello! I delete what this group does not want.'],
  ['without it', member, 'I may not delete messages here yet'],
])('where the user cannot be written to, the group is told once, %s', async (_, place, text) => {
  const bot = await startBot();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  bot.api.setReach(ada.id, 'never started');
  const by = { ...ada, id: 43 };
  bot.api.setReach(43, 'never started');

  await bot.hears(moved(left, place));
  await waitForHints(bot);
  await bot.hears(moved(place, left));
  await bot.hears(moved(left, place, by));
  await waitForHints(bot);

  expect(bot.api.messages.map(({ to }) => to)).toEqual([groupId]);
  expect(bot.api.messages[0]?.text).toContain(text);
  expect(bot.api.messages[0]?.body['reply_markup']).toEqual({
    inline_keyboard: [
      [
        {
          text: 'Set up this group',
          url: `https://t.me/nori_test_bot?startapp=chat_${groupId}`,
        },
      ],
    ],
  });
});

test('in a group where the link of Nori has the bot say something, it says nothing more', async () => {
  const bot = await startBot();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  bot.api.setReach(ada.id, 'never started');

  await bot.hears(moved(left, administrator));
  await bot.writes('/start@nori_test_bot settings', { chatId: groupId });
  await expect.poll(() => bot.api.messages).toHaveLength(1);
  await waitForHints(bot);

  expect(bot.api.messages.map(({ to }) => to)).toEqual([groupId]);
});

test.each(['blocked', 'never started'] as const)(
  'a user who cannot receive messages (%s) can add the bot',
  async (reach) => {
    const bot = await startBot();
    bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
    bot.api.setReach(ada.id, reach);

    await bot.hears(moved(left, member));
    await waitForHints(bot);

    expect(await readBotPlace(bot)).toMatchObject({ is_in: 1, may_delete: 0, added_by: ada.id });
    expect(bot.server.logLines.join('')).not.toContain('could not');
    expect(await bot.server.db.selectFrom('due_hints').selectAll().execute()).toEqual([]);
  },
);

const smallGroup = { id: -4242, type: 'group', title: 'Otters' };

test.each([
  ['after the bot’s new place', [moved(left, member), service({ migrate_from_chat_id: -4242 })]],
  [
    'after it, in the old group',
    [moved(left, member), service({ migrate_to_chat_id: groupId }, smallGroup)],
  ],
  ['before it', [service({ migrate_to_chat_id: groupId }, smallGroup), moved(left, member)]],
])('no hint goes to the user who upgrades a group, told %s', async (_order, updates) => {
  const bot = await startBot();
  for (const update of updates) {
    await bot.hears(update);
  }

  await waitForHints(bot);

  expect(bot.api.messages).toEqual([]);
  expect(await bot.server.db.selectFrom('due_hints').selectAll().execute()).toEqual([]);
});

test('a user who gives the right within three seconds is not told that it is missing, and other updates do not wait', async () => {
  const bot = await startBot();
  await bot.hears(moved(left, member));
  await bot.writes('/help');
  await expect.poll(() => bot.api.messages).toHaveLength(1);
  // A hint about another chat may be due meanwhile.
  await bot.server.services.arrivalHints.sendDue();
  await bot.hears(moved(member, administrator));

  await waitForHints(bot);

  expect(bot.api.messages.map(({ text }) => text)).toEqual([
    expect.stringContaining('/settings'),
    expect.stringContaining('may delete messages there. Two taps are left'),
  ]);
});

test('a hint that waits is sent after a restart', async () => {
  const first = await startBot();
  await first.hears(moved(left, member));
  await first.server.stopBot();

  const next = await startBot({ database: first.server.database });
  next.server.wait(3000);
  await next.server.services.arrivalHints.sendDue();

  expect(next.api.messages.map(({ to }) => to)).toEqual([ada.id]);
});

test('the bot is removed from a group', async () => {
  const bot = await startBot();
  await bot.hears(moved(left, administrator));
  const events = collectEvents(bot);

  await bot.hears(moved(administrator, { status: 'kicked', user: botUser, until_date: 0 }));

  expect(await readBotPlace(bot)).toMatchObject({ is_in: 0, may_delete: 0, added_by: ada.id });
  expect(events).toEqual([{ kind: 'health' }]);
});

test('an anonymous administrator who adds the bot is not stored as a user', async () => {
  const bot = await startBot();
  await bot.hears(moved(left, member, { id: 1_087_968_824, is_bot: true, first_name: 'Group' }));

  expect(await readBotPlace(bot)).toMatchObject({ is_in: 1, added_by: null });
  expect(bot.api.messages).toEqual([]);
});

test('a user who blocks the bot in private is not stored as a chat', async () => {
  const bot = await startBot();
  await bot.hears({
    my_chat_member: {
      chat: { id: ada.id, type: 'private', first_name: 'Ada' },
      from: ada,
      date: 0,
      old_chat_member: member,
      new_chat_member: { status: 'kicked', user: botUser, until_date: 0 },
    },
  });

  expect(await readBotPlace(bot, ada.id)).toBeUndefined();
});

test('a group that was picked in Telegram waits to be verified', async () => {
  const bot = await startBot();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  const me = await signIn(bot.server, ada.id);

  await bot.hears(
    service(
      { chat_shared: { request_id: 1, chat_id: groupId, title: 'Otters' } },
      { id: ada.id, type: 'private', first_name: 'Ada' },
    ),
  );

  expect((await bot.server.call(listChats, {}, me)).body).toMatchObject({
    unverified: [{ chat_id: String(groupId), chat_name: 'Otters' }],
  });
  expect(await readBotPlace(bot)).toMatchObject({ is_in: 1, may_delete: 1 });
});

test('a group that is picked again is listed first, managed or not', async () => {
  const bot = await startManaged();
  const { server, me } = bot;
  const pick = service(
    { chat_shared: { request_id: 1, chat_id: groupId, title: 'Otters' } },
    { id: owner, type: 'private', first_name: 'Olga' },
  );
  const newest = async () => (await server.call(listChats, {}, me)).body;
  expect(await newest()).not.toHaveProperty('newest');

  await bot.hears(pick);
  const first = { chat_id: String(groupId), added_at: server.now() };
  expect(await newest()).toMatchObject({ newest: first });
  server.wait(5000);
  await server.call(readChatHealth, { chat_id: String(groupId) }, me);
  expect(await newest()).toMatchObject({ newest: first });

  await bot.hears(pick);
  expect(await newest()).toMatchObject({ newest: { ...first, added_at: server.now() } });
});

test('a picked group is shown once the bot is added', async () => {
  const bot = await startBot();
  const me = await signIn(bot.server, ada.id);
  await bot.hears(
    service(
      { chat_shared: { request_id: 1, chat_id: groupId } },
      { id: ada.id, type: 'private', first_name: 'Ada' },
    ),
  );
  expect((await bot.server.call(listChats, {}, me)).body).not.toHaveProperty('unverified.0');

  await bot.hears(moved(left, administrator));
  expect((await bot.server.call(listChats, {}, me)).body).toHaveProperty('unverified.0');
});

test('the name of a topic comes from its creation, from a change, or from a reply to its first message', async () => {
  const bot = await startBot();
  const events = collectEvents(bot);
  const inTopic = (id: number) => ({ is_topic_message: true, message_thread_id: id });

  await bot.hears(
    service({ ...inTopic(5), forum_topic_created: { name: 'Rules', icon_color: 1 } }),
  );
  await bot.hears(service({ ...inTopic(5), forum_topic_edited: { name: 'House rules' } }));
  await bot.hears(service({ ...inTopic(5), forum_topic_edited: { icon_custom_emoji_id: '1' } }));
  const old = { message_id: 9, date: 0, chat, forum_topic_created: { name: 'Photos' } };
  await bot.hears(service({ ...inTopic(9), text: 'Hello', reply_to_message: old }));
  await bot.hears(service({ ...inTopic(9), text: 'Again', reply_to_message: old }));

  const names = await bot.server.db.selectFrom('topic_names').selectAll().execute();
  expect(names.map(({ topic_id, name }) => [topic_id, name])).toEqual([
    [5, 'House rules'],
    [9, 'Photos'],
  ]);
  expect(events).toEqual([{ kind: 'topics' }, { kind: 'topics' }, { kind: 'topics' }]);
});

test('the owner of a chat sees its new name', async () => {
  const bot = await startManaged();

  await bot.hears(service({ new_chat_title: 'Sea otters' }));

  expect((await bot.server.call(listChats, {}, bot.me)).body).toMatchObject({
    chats: [{ chat_name: 'Sea otters' }],
  });
});

test('what service messages say is stored, although they are deleted', async () => {
  const bot = await startManaged();
  for (const name of ['title_change', 'topic_change'] as const) {
    const change = { chat_id: groupId, topic_id: 0, setting_name: settingName(name), value: true };
    await bot.server.call(setSetting, change, bot.me);
  }

  await bot.hears(service({ new_chat_title: 'Sea otters' }));
  await bot.hears(
    service({ message_id: 8, forum_topic_edited: { name: 'Fish' }, message_thread_id: 0 }),
  );

  await bot.api.deletions.reach(groupId, 2);
  expect(bot.api.deletions.of(groupId)).toEqual([7, 8]);
  expect((await bot.server.call(listChats, {}, bot.me)).body).toMatchObject({
    chats: [{ chat_name: 'Sea otters' }],
  });
  expect(await bot.server.db.selectFrom('topic_names').selectAll().execute()).toMatchObject([
    { topic_id: 0, name: 'Fish' },
  ]);
});
