/** The log channel of a group: how it is set, what is written there, and what happens when it is lost. */
import * as v from 'valibot';
import { expect, test } from 'vitest';

import { logCategories } from '#contract/chats/values';
import { listChanges } from '#contract/endpoints/chat-changes';
import { pickLogChannel } from '#contract/endpoints/chat-values';
import { listChats } from '#contract/endpoints/chats';
import { wholeChatId } from '#server/db/chat-values';
import { startBotApi } from '#tests/bot-api-server';
import { giveChats, signIn } from '#tests/chats';
import { standInLanguages } from '#tests/stand-in-languages';
import { administrator, groupId, left, moved, startBot, type TestBot } from '#tests/test-bot';
import { createTestServer, minute } from '#tests/test-server';

const [olga, bo, ann] = [111, 222, 444];
const people = [
  { id: olga, first_name: 'Olga' },
  { id: bo, first_name: 'Bo' },
  { id: ann, first_name: 'Ann', username: 'annie' },
];
const channelId = -1_009_000_000_001;
const channel = { id: channelId, type: 'channel', title: 'Otter log' } as const;
const log = { id: channelId, title: 'Otter log' };

type Fields = Readonly<Record<string, unknown>>;

const personWith = (id: number) => ({ is_bot: false, ...people.find((one) => one.id === id) });

/** Olga owns the group and the channel, Bo is an administrator of both, and Ann has written something. */
async function startGroup({ languages = standInLanguages() } = {}) {
  const api = await startBotApi({ people, kickMs: 0 });
  const bot = await startBot({ api, bot: { api }, languages });
  const group = api.addChat({
    id: groupId,
    title: 'Otters',
    creator: olga,
    administrators: [bo],
    members: [ann],
  });
  const inChannel = api.addChat({ ...channel, creator: olga, administrators: [bo] });
  await bot.hears(moved(left, administrator, { ...personWith(olga), language_code: 'de' }));
  const write = (text: string, from = bo, fields: Fields = {}) =>
    bot.writes(text, { chatId: groupId, from, fields: { from: personWith(from), ...fields } });
  await write('Hello', ann);
  const set = (values: Fields) =>
    bot.server.services.chatValues.changeByCommand(
      { chatId: groupId, chatName: 'Otters', by: olga, kind: 'values' },
      new Map([[wholeChatId, values]]),
    );
  /** Sets the channel without a line that says so. */
  const setQuietly = (...categories: readonly string[]) =>
    set({ log_channel: log, log_categories: categories });
  return { ...bot, group, inChannel, write, set, setQuietly };
}

const textsTo = ({ api }: Pick<TestBot, 'api'>, chatId: number) =>
  api.messages.filter(({ to }) => to === chatId).map(({ text }) => text);

const runDue = ({ server }: Pick<TestBot, 'server'>) => server.services.dueJobs.runDue();

const readLog = async ({ server }: Pick<TestBot, 'server'>) =>
  (await server.services.chatValues.readForBot(groupId)).get(wholeChatId)?.get('log_channel');

const forwarded = (
  origin: object = { type: 'channel', chat: channel, message_id: 7, date: 0 },
) => ({
  forward_origin: origin,
});

const inChannelPost = (text: string, fields: Fields = {}) => ({
  channel_post: {
    message_id: 7,
    date: 0,
    chat: channel,
    sender_chat: channel,
    text,
    entities: [{ type: 'bot_command', offset: 0, length: text.length }],
    ...fields,
  },
});

test('/setlog in the channel, forwarded to the group, sets it; /unsetlog ends it', async () => {
  const bot = await startGroup();

  await bot.hears(inChannelPost('/setlog'));
  expect(textsTo(bot, channelId)).toEqual([
    'Now forward your message to the group whose log this channel is to be.',
  ]);
  expect(bot.api.messages.at(-1)?.body['reply_parameters']).toMatchObject({ message_id: 7 });

  await bot.write('/logchannel');
  await bot.write('/setlog', bo, forwarded());
  await bot.write('/logchannel');
  expect(await readLog(bot)).toEqual(log);
  await runDue(bot);
  await bot.write('/unsetlog');
  await bot.write('/logchannel');
  await runDue(bot);

  const none =
    'This group has no log channel. Write /setlog in your channel, then forward that message to this group.';
  expect(textsTo(bot, groupId)).toEqual([
    none,
    'From now on, what is done here is written to “Otter log”.',
    'What is done here is written to “Otter log”. /unsetlog ends it.',
    'There is no log channel any more.',
    none,
  ]);
  expect(textsTo(bot, channelId).slice(1)).toEqual(['Otters – Settings: 1 change by Bo.']);
  expect(await readLog(bot)).toBeUndefined();
});

test('other posts in a channel, and a forwarded /setlog there, are left alone', async () => {
  const bot = await startGroup();

  await bot.hears(inChannelPost('/ban'));
  await bot.hears(inChannelPost('/setlog@other_bot'));
  await bot.hears(inChannelPost('/setlog', forwarded()));
  bot.inChannel.botMayPost = false;
  await bot.hears(inChannelPost('/setlog'));

  expect(textsTo(bot, channelId)).toEqual([]);
});

const mayNotPost =
  'I may not write in that channel. Make me an administrator there who may post messages.';
const hidden =
  'That message says nothing of its channel. Forward it from the channel itself, with its sender shown.';

test.each<[string, string, Fields, object?]>([
  [
    'by someone who is no administrator of the channel',
    'You are not an administrator of that channel.',
    { administrators: [] },
  ],
  ['from a channel that the bot is not in', mayNotPost, { bot: 'absent' }],
  ['from a channel that has removed the bot', mayNotPost, { bot: 'kicked' }],
  ['from a channel in which the bot may not post', mayNotPost, { botMayPost: false }],
  ['from a channel in which the bot is no administrator', mayNotPost, { bot: 'member' }],
  ['with a hidden sender', hidden, {}, { type: 'hidden_user', sender_user_name: 'Bo', date: 0 }],
  ['from a user', hidden, {}, { type: 'user', sender_user: personWith(ann), date: 0 }],
])('/setlog %s is refused', async (...[, expected, differences, origin]) => {
  const bot = await startGroup();
  Object.assign(bot.inChannel, differences);

  await bot.write('/setlog', bo, forwarded(origin));

  expect(textsTo(bot, groupId)).toEqual([expected]);
  expect(await readLog(bot)).toBeUndefined();
});

test('members may not set the log; an anonymous administrator shows who they are first', async () => {
  const bot = await startGroup();
  bot.inChannel.administrators = [bo, ann];
  await bot.write('/setlog', ann, forwarded());
  expect(textsTo(bot, groupId)).toEqual([
    'Only administrators with the right “Change group info” can do this.',
  ]);

  const anonymous = {
    from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
    sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' },
  };
  await bot.write('/setlog', bo, { ...anonymous, ...forwarded() });
  const asked = bot.api.messages.at(-1);
  expect(await readLog(bot)).toBeUndefined();
  if (asked !== undefined) {
    bot.api.presses.press(asked, bo, 'Confirm: I am an administrator');
    await bot.api.updates.confirmed();
    await bot.server.handled();
  }

  expect(await readLog(bot)).toEqual(log);
});

test('what is done to members is written there, with names, times and reasons', async () => {
  const bot = await startGroup();
  await bot.setQuietly('members');

  await bot.write('/ban @annie 2d spam');
  await bot.write('/unban @annie');
  bot.group.members = [ann];
  await bot.write('/mute @annie');
  await bot.write('/unmute @annie');
  await bot.write('/warn @annie "be nice"');
  await bot.write('/unwarn @annie');
  await bot.write('/kick @annie', olga);
  await bot.write('/ban 98765', olga);
  await runDue(bot);

  expect(textsTo(bot, channelId)).toEqual([
    'Otters – Ban: Ann (444) by Bo. For 2 days. spam',
    'Otters – Unban: Ann (444) by Bo.',
    'Otters – Mute: Ann (444) by Bo.',
    'Otters – Unmute: Ann (444) by Bo.',
    'Otters – Warning: Ann (444) by Bo. be nice',
    'Otters – Warning taken back: Ann (444) by Bo.',
    'Otters – Kick: Ann (444) by Olga.',
    'Otters – Ban: 98765 by Olga.',
  ]);
  expect(bot.api.messages.at(-1)?.body).not.toHaveProperty('parse_mode');
});

test('who acted anonymously is not named', async () => {
  const bot = await startGroup();
  await bot.set({ log_channel: log, log_categories: ['members'], trust_anonymous: true });
  await bot.write('/ban @annie', bo, {
    from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
    sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' },
  });
  await runDue(bot);

  expect(textsTo(bot, channelId)).toEqual([
    'Otters – Ban: Ann (444) by an anonymous administrator.',
  ]);
});

test.each<
  [
    category: string,
    does: (bot: Awaited<ReturnType<typeof startGroup>>) => Promise<unknown>,
    line: RegExp,
  ]
>([
  ['members', (bot) => bot.write('/ban @annie'), /^Otters – Ban: Ann \(444\) by Bo\.$/],
  ['reports', (bot) => bot.write('/report', olga, reportOfAnn), /^Otters – Olga reports Ann: /],
  ['settings', (bot) => bot.write(nextLimit()), /^Otters – Settings: 1 change by Bo\.$/],
  ['messages', (bot) => bot.write('/purge 5'), /^Otters – Purge: \d messages? by Bo\.$/],
])('the category %s is written, and not when it is switched off', async (category, does, line) => {
  const bot = await startGroup();
  const listLines = async () => {
    await runDue(bot);
    return textsTo(bot, channelId).filter((text) => line.test(text));
  };
  await bot.setQuietly(...logCategories.filter((one) => one !== category));
  await does(bot);
  expect(await listLines()).toEqual([]);

  await bot.setQuietly(category);
  await does(bot);
  await expect.poll(listLines).toHaveLength(1);
});

let limit = 3;
const nextLimit = () => `/warnlimit ${(limit += 1)}`;

const reportOfAnn = {
  reply_to_message: {
    message_id: 500,
    date: 0,
    chat: { id: groupId, type: 'supergroup', title: 'Otters' },
    from: personWith(ann),
    text: 'Buy now',
  },
};

test('the lines are in the language of the group, with names where it wants them', async () => {
  const bot = await startGroup({ languages: standInLanguages('de') });
  await bot.setQuietly('members');

  await bot.write('/ban @annie 2d spam');
  await runDue(bot);

  expect(textsTo(bot, channelId)).toEqual([
    '<de>log.inGroup Otters <de>log.withReason ' +
      '<de>log.forTime <de>log.ban <de>log.person Ann 444</de> Bo</de> <de>durationTexts.days 2</de></de> ' +
      'spam</de></de>',
  ]);
});

test('a channel that is lost is no log any more: the group is told once, and the history has it', async () => {
  const bot = await startGroup();
  await bot.setQuietly('members');
  bot.inChannel.bot = 'kicked';

  await bot.write('/mute @annie');
  await bot.write('/unmute @annie');
  await runDue(bot);
  await runDue(bot);

  const lost =
    'I can no longer write to the log channel “Otter log”, so this group has none now. /setlog sets another.';
  expect(textsTo(bot, groupId).filter((text) => text === lost)).toHaveLength(1);
  expect(await readLog(bot)).toBeUndefined();
  const me = await signIn(bot.server, olga);
  await bot.server.db
    .insertInto('chat_managers')
    .values({
      chat_id: groupId,
      telegram_id: olga,
      owner_id: olga,
      role: 'creator',
      verified_at: 0,
      checked_at: 0,
    })
    .execute();
  const { body } = await bot.server.call(listChanges, { chat_id: groupId }, me);
  expect(v.parse(listChanges.output, body).changes[0]).toMatchObject({
    changed_by: { telegram_id: '123456789' },
    values: [{ name: 'log_channel', was: log, becomes: null }],
  });
});

/** Without an answer of the bot, so that its line is the next message. */
function recordAction({ server }: Pick<TestBot, 'server'>, kind: 'ban' | 'mute'): Promise<unknown> {
  const { record, toAction } = server.services.memberCommands;
  const by = { telegramId: bo, name: 'Bo' };
  const target = { telegramId: ann, name: 'Ann' };
  const order = { chatId: groupId, by, target, reason: '', key: 'update', isBasicGroup: false };
  return record(toAction(order, kind));
}

test('a line that Telegram refuses for itself is dropped, and the log stays', async () => {
  const bot = await startGroup();
  await bot.setQuietly('members');
  bot.api.fail('sendMessage', { error_code: 400, description: 'Bad Request: SOMETHING_NEW' });
  await recordAction(bot, 'mute');
  await runDue(bot);
  await bot.write('/unmute @annie');
  await runDue(bot);

  expect(textsTo(bot, channelId)).toEqual(['Otters – Unmute: Ann (444) by Bo.']);
});

test('while Telegram fails, a line is tried after 1, 5, 30 and 180 minutes, and given up', async () => {
  const bot = await startGroup();
  await bot.setQuietly('members');
  const isLine = () =>
    bot.api.callsTo('sendMessage').filter(({ body }) => body['chat_id'] === channelId).length;
  bot.api.fail('sendMessage', { error_code: 500, description: 'Internal Server Error' }, 5);
  await recordAction(bot, 'mute');

  await runDue(bot);
  expect(isLine()).toBe(1);
  for (const [index, minutes] of [1, 5, 30, 180].entries()) {
    bot.server.wait(minutes * minute - 1);
    await runDue(bot);
    expect(isLine()).toBe(index + 1);
    bot.server.wait(1);
    await runDue(bot);
    expect(isLine()).toBe(index + 2);
  }

  bot.server.wait(1000 * minute);
  await runDue(bot);
  expect(textsTo(bot, channelId)).toEqual([]);
  expect(bot.server.logLines.filter((line) => line.includes('a job was given up'))).toHaveLength(1);
});

test('a line waits as long as Telegram says, and comes once', async () => {
  const bot = await startGroup();
  await bot.setQuietly('members');
  await bot.write('/mute @annie');
  bot.api.fail('sendMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 1',
    parameters: { retry_after: 1 },
  });

  const running = runDue(bot);
  await expect
    .poll(() => bot.api.callsTo('sendMessage').filter(({ body }) => body['chat_id'] === channelId))
    .toHaveLength(1);
  bot.server.wait(2 * minute);
  await Promise.all([running, runDue(bot)]);

  expect(textsTo(bot, channelId)).toEqual(['Otters – Mute: Ann (444) by Bo.']);
});

test('a line that was saved before a server was killed is written by the next', async () => {
  const bot = await startGroup();
  await bot.setQuietly('members');
  await bot.write('Hello');
  await bot.server.stopBot();
  // Its outbox is closed, so this one only records.
  await recordAction(bot, 'ban');
  // It had begun to write the line.
  await bot.server.db
    .updateTable('due_jobs')
    .set({ held_until: bot.server.now() + minute })
    .execute();

  const { api } = bot;
  const database = { ...bot.server.database, close: () => Promise.resolve() };
  const next = await createTestServer({ bot: { api }, database });

  await expect.poll(() => textsTo(bot, channelId)).toEqual(['Otters – Ban: Ann (444) by Bo.']);
  await next.close();
});

/** Olga manages the group in Nori, and is shown her channels to pick the log from. */
async function startPick() {
  const bot = await startGroup();
  const me = await signIn(bot.server, olga);
  await giveChats(bot.server, olga, [{ id: groupId, name: 'Otters', isDemo: false }]);
  const reply = await bot.server.call(pickLogChannel, { chat_id: groupId }, me);
  const { button } = Object(bot.api.callsTo('savePreparedKeyboardButton').at(-1)?.body);
  const requestId = Number(button?.request_chat?.request_id);
  const picks = (from = olga, request_id = requestId) =>
    bot.hears({
      message: {
        message_id: 50,
        date: 0,
        chat: { id: from, type: 'private', first_name: 'Olga' },
        from: personWith(from),
        chat_shared: { request_id, chat_id: channelId, title: channel.title },
      },
    });
  return { ...bot, me, reply, button, requestId, picks };
}

test('the channel can be picked on the dashboard, in Telegram’s list', async () => {
  const bot = await startPick();
  expect(bot.reply).toMatchObject({ status: 200, body: { request_id: 'prepared-button-1' } });
  expect(bot.button.request_chat).toMatchObject({ chat_is_channel: true });
  expect(bot.requestId).toBeGreaterThan(1);

  await bot.picks();

  expect(await readLog(bot)).toEqual(log);
  expect(textsTo(bot, olga).at(-1)).toBe('Your group’s log is written to “Otter log” from now on.');
  // The channel is no chat that could be managed.
  const { body } = await bot.server.call(listChats, {}, bot.me);
  expect(JSON.stringify(body)).not.toContain(String(channelId));
});

const tooLate = 'That took too long. Pick the channel in Nori once more.';

test('a pick of another user, of an unknown request, or after an hour sets nothing', async () => {
  const bot = await startPick();

  await bot.picks(bo);
  await bot.picks(olga, bot.requestId + 1);
  bot.server.wait(60 * minute);
  await bot.picks();
  await runDue(bot);
  await bot.picks();

  expect(await readLog(bot)).toBeUndefined();
  expect(textsTo(bot, bo)).toEqual([tooLate]);
  expect(textsTo(bot, olga).filter((text) => text === tooLate)).toHaveLength(3);
});

test('a picked channel in which the bot may not post is refused; picked again, it is set', async () => {
  const bot = await startPick();
  bot.inChannel.botMayPost = false;
  await bot.picks();
  expect(textsTo(bot, olga).at(-1)).toBe(mayNotPost);

  bot.inChannel.botMayPost = true;
  await bot.picks();
  expect(await readLog(bot)).toEqual(log);
});

test('who manages the group no longer cannot set its log', async () => {
  const bot = await startPick();
  await bot.server.db.deleteFrom('chat_managers').execute();

  await bot.picks();

  expect(await readLog(bot)).toBeUndefined();
  expect(textsTo(bot, olga).at(-1)).toMatch(/verif/i);
  expect(await bot.server.call(pickLogChannel, { chat_id: groupId }, bot.me)).toMatchObject({
    body: { code: 'chat_not_verified' },
  });
});
