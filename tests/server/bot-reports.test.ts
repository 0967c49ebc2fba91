/** Members report messages, and administrators deal with them by a button. */
import { expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { startBotApi } from '#tests/bot-api-server';
import { standInLanguages } from '#tests/stand-in-languages';
import { administrator, groupId, left, moved, startBot, type TestBot } from '#tests/test-bot';
import { createTestServer, minute } from '#tests/test-server';

const [olga, bo, cy, ann, dan] = [111, 222, 333, 444, 555];
const people = [
  { id: olga, first_name: 'Olga' },
  { id: bo, first_name: 'Bo' },
  { id: cy, first_name: 'Cy' },
  { id: ann, first_name: 'Ann', username: 'ann' },
  { id: dan, first_name: 'Dan' },
];
const channelId = -1_009_000_000_001;
const reportedId = 500;
const hour = 60 * minute;
const link = `https://t.me/c/1234567890/${reportedId}`;

type Fields = Readonly<Record<string, unknown>>;

const personWith = (id: number) => ({
  is_bot: false,
  ...(people.find((one) => one.id === id) ?? { id, first_name: `Person ${id}` }),
});

/** Cy may delete messages, but ban no one. */
async function startGroup({ withLog = false, languages = standInLanguages() } = {}) {
  const api = await startBotApi({ people });
  const bot = await startBot({ api, bot: { api }, languages });
  const group = api.addChat({
    id: groupId,
    title: 'Otters',
    creator: olga,
    administrators: [bo, cy],
    members: [ann, dan],
    administratorRights: { [cy]: ['delete'] },
  });
  const log = api.addChat({ id: channelId, type: 'channel', title: 'Log', creator: olga });
  const set = (values: Fields) =>
    bot.server.services.chatValues.changeByCommand(
      { chatId: groupId, chatName: 'Otters', by: olga, kind: 'values' },
      new Map([[wholeChatId, values]]),
    );
  if (withLog) {
    await set({ log_channel: { id: channelId, title: 'Log' }, log_categories: ['reports'] });
  }

  const toReply = (from: number, fields: Fields = {}) => ({
    message_id: reportedId,
    date: Math.floor(bot.server.now() / 1000),
    chat: { id: groupId, type: 'supergroup', title: 'Otters' },
    from: personWith(from),
    text: 'Buy now',
    ...fields,
  });

  /** Dan reports a message of Ann. */
  const reports = (text = '/report', fields: Fields = {}) =>
    bot.writes(text, {
      chatId: groupId,
      from: dan,
      fields: { from: personWith(dan), reply_to_message: toReply(ann), ...fields },
    });

  /** What the report to one administrator looks like now. */
  const showTo = (id: number) => {
    const message = api.messages.find(({ ephemeral }) => ephemeral?.to === id);
    return message && api.show(message);
  };

  const press = async (presses: readonly (readonly [from: number, label: string])[]) => {
    const ids = presses.map(([from, label]) => {
      const message = api.messages.find(
        ({ to, ephemeral, body }) =>
          body['reply_markup'] !== undefined &&
          (withLog ? to === channelId : ephemeral === undefined || ephemeral.to === from),
      );
      if (message === undefined) {
        throw new Error(`${from} has no report`);
      }
      return api.presses.press(message, from, label);
    });
    await api.updates.confirmed();
    await bot.server.handled();
    return ids.map((id) => api.presses.answers.find(({ pressId }) => pressId === id)?.text);
  };

  return { ...bot, group, log, set, toReply, reports, showTo, press };
}

const lastText = ({ api }: Pick<TestBot, 'api'>) => api.messages.at(-1)?.text;

const listActions = ({ server }: Pick<TestBot, 'server'>) =>
  server.db.selectFrom('actions').select(['kind', 'by_id', 'target_id']).orderBy('at').execute();

test.each([
  ['/report spam', {}, '\nspam'],
  ['@admin', { entities: [{ type: 'mention', offset: 0, length: 6 }] }, ''],
])('%s as a reply tells each administrator alone, at most ten', async (text, fields, reason) => {
  const bot = await startGroup();
  bot.group.administrators = Array.from({ length: 12 }, (_one, index) => 1000 + index);

  const commandId = await bot.reports(text, fields);

  const sent = bot.api.messages;
  const told = sent.slice(0, -1);
  expect(told).toHaveLength(10);
  expect(told.map(({ ephemeral }) => ephemeral?.to)).toEqual([
    olga,
    ...bot.group.administrators.slice(0, 9),
  ]);
  expect(new Set(told.map((message) => message.text))).toEqual(
    new Set([`Dan reports Ann: ${link}${reason}`]),
  );
  expect(told.map((message) => bot.api.show(message)?.buttons)[0]).toEqual([
    ['Delete', 'Warn'],
    ['Mute', 'Ban'],
    ['Dismiss'],
  ]);
  expect(told[0]?.body['entities']).toMatchObject([
    { type: 'text_mention', offset: 0, length: 3, user: { id: dan } },
    { type: 'text_mention', offset: 12, length: 3, user: { id: ann } },
  ]);
  expect(sent.at(-1)).toMatchObject({
    text: 'The administrators were told.',
    ephemeral: { to: dan },
  });
  expect(await listActions(bot)).toEqual([{ kind: 'report', by_id: dan, target_id: ann }]);

  bot.server.wait(minute);
  await bot.server.services.deletions.deleteDue();
  // A sentence with @admin is no command.
  expect(bot.api.deletions.of(groupId)).toEqual(text.startsWith('/') ? [commandId] : []);
});

test('a report in a topic stays in it, and leads to a public group by its name', async () => {
  const bot = await startGroup();
  const chat = {
    id: groupId,
    type: 'supergroup',
    title: 'Otters',
    is_forum: true,
    username: 'otters',
  };

  await bot.reports('/report', { chat, is_topic_message: true, message_thread_id: 77 });

  expect(bot.api.messages[0]).toMatchObject({
    text: `Dan reports Ann: https://t.me/otters/${reportedId}`,
    body: { message_thread_id: 77 },
  });
});

test('with a log channel a report is written there, once', async () => {
  const bot = await startGroup({ withLog: true });

  await bot.reports('/report spam');
  await bot.server.services.dueJobs.runDue();

  expect(bot.api.messages.map(({ to, text }) => [to, text])).toEqual([
    [channelId, `Otters – Dan reports Ann: ${link}\nspam`],
    [groupId, 'The administrators were told.'],
  ]);
});

test.each([
  ['does not take reports', { withoutReports: true, mayPost: true }],
  ['may not be written to', { withoutReports: false, mayPost: false }],
])('when the log channel %s, the administrators are told', async (_why, how) => {
  const bot = await startGroup({ withLog: true });
  bot.log.botMayPost = how.mayPost;
  if (how.withoutReports) {
    await bot.set({ log_categories: ['members', 'settings', 'messages'] });
  }

  await bot.reports();

  const told = bot.api.messages.filter(({ text }) => text.startsWith('Dan reports'));
  expect(told.map(({ ephemeral }) => ephemeral?.to)).toEqual([olga, bo, cy]);
});

test.each([
  ['on a server without ephemeral messages', { knowsEphemeral: false }],
  ['of a bot that is no administrator', { bot: 'member' as const }],
])('a report %s is one message for all', async (_where, differences) => {
  const bot = await startGroup();
  Object.assign(bot.group, differences);

  await bot.reports();

  const [told, ...answers] = bot.api.messages;
  expect(told).toMatchObject({ to: groupId, text: `Dan reports Ann: ${link}` });
  expect(told?.ephemeral).toBeUndefined();
  expect(answers.map(({ text }) => text)).toEqual(['The administrators were told.']);
});

test('an administrator whom Telegram does not know is left out', async () => {
  const bot = await startGroup();
  bot.api.fail('sendMessage', { error_code: 400, description: 'Bad Request: USER_ID_INVALID' });

  await bot.reports();

  expect(bot.api.messages.map(({ ephemeral }) => ephemeral?.to)).toEqual([bo, cy, dan]);
});

test('while Telegram does not answer, no administrator was told', async () => {
  const bot = await startGroup();
  bot.api.fail('sendMessage', { error_code: 500, description: 'Internal Server Error' });

  await bot.reports();

  expect(bot.api.messages.map(({ text }) => text)).toEqual([
    'No administrator can be told right now.',
  ]);
});

const anonymous = {
  from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
  sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' },
};

test.each<[string, number, Fields, string]>([
  ['an administrator', bo, {}, 'Bo is an administrator. I leave administrators alone.'],
  ['an anonymous one', 0, anonymous, 'Otters is an administrator. I leave administrators alone.'],
  ['the bot', 123_456_789, {}, 'That would be me.'],
  ['the one who reports', dan, {}, 'That would be you.'],
])('a report of %s is refused', async (...[, id, fields, expected]) => {
  const bot = await startGroup();

  await bot.reports('/report', {
    reply_to_message: bot.toReply(id, { ...fields }),
  });

  expect(bot.api.messages.map(({ text, ephemeral }) => [text, ephemeral?.to])).toEqual([
    [expected, dan],
  ]);
  expect(await listActions(bot)).toEqual([]);
});

test('a report needs a message; @admin without one is left alone', async () => {
  const bot = await startGroup();

  await bot.reports('@admin', {
    reply_to_message: undefined,
    entities: [{ type: 'mention', offset: 0, length: 6 }],
  });
  expect(bot.api.messages).toEqual([]);
  await bot.reports('/report', { reply_to_message: undefined });

  expect(lastText(bot)).toBe('Reply to the message that the administrators should see.');
});

test('a member reports three messages in ten minutes', async () => {
  const bot = await startGroup();
  for (let count = 0; count < 3; count += 1) {
    await bot.reports();
    expect(lastText(bot)).toBe('The administrators were told.');
  }
  await bot.reports();
  expect(lastText(bot)).toBe('At most 3 reports in 10 minutes.');
  expect(await listActions(bot)).toHaveLength(3);

  bot.server.wait(10 * minute);
  await bot.reports();
  expect(lastText(bot)).toBe('The administrators were told.');
});

test('a report that the next server handles once more counts once', async () => {
  const bot = await startGroup();
  const { api, server } = bot;
  await bot.reports();
  await bot.reports();
  api.fail('sendMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 600',
    parameters: { retry_after: 600 },
  });
  const before = api.callsTo('sendMessage').length;
  void bot.reports().catch(() => undefined);
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(before + 1);
  await server.stopBot();

  const database = { ...server.database, close: () => Promise.resolve() };
  const next = await createTestServer({ bot: { api }, database });
  await next.handled();

  expect(lastText(bot)).toBe('The administrators were told.');
  expect(await listActions(bot)).toHaveLength(3);
  await next.close();
});

test('reports can be switched off by those who manage the group', async () => {
  const bot = await startGroup();
  const write = (text: string, from: number) =>
    bot.writes(text, { chatId: groupId, from, fields: { from: personWith(from) } });

  await write('/reports off', dan);
  expect(lastText(bot)).toBe('Only administrators with the right “Change group info” can do this.');
  await write('/reports maybe', olga);
  expect(lastText(bot)).toBe('/reports on or /reports off');
  await write('/reports off', olga);
  expect(lastText(bot)).toBe('Members may no longer report messages.');
  await bot.reports();
  expect(lastText(bot)).toBe('Reports are switched off in this group.');
  await write('/reports on', olga);
  expect(lastText(bot)).toBe('Members may report messages with /report or @admin.');
  await bot.reports();

  expect(lastText(bot)).toBe('The administrators were told.');
});

test.each<
  [label: string, said: string, expected: { status: string; kinds: string[]; deleted: number[] }]
>([
  [
    'Delete',
    'The message of Ann was deleted by Bo.',
    { status: 'member', kinds: [], deleted: [reportedId] },
  ],
  ['Warn', 'Ann was warned by Bo.', { status: 'member', kinds: ['warn'], deleted: [reportedId] }],
  [
    'Mute',
    'Ann was muted for a day by Bo.',
    { status: 'restricted', kinds: ['mute'], deleted: [reportedId] },
  ],
  ['Ban', 'Ann was banned by Bo.', { status: 'kicked', kinds: ['ban'], deleted: [reportedId] }],
  [
    'Dismiss',
    'The report of Ann was dismissed by Bo.',
    { status: 'member', kinds: [], deleted: [] },
  ],
])('%s in the log channel deals with the report in the group', async (label, said, expected) => {
  const bot = await startGroup({ withLog: true });
  await bot.reports();
  const [reported] = bot.api.messages;

  expect(await bot.press([[bo, label]])).toEqual(['']);

  expect(reported && bot.api.show(reported)).toMatchObject({ text: said, buttons: [] });
  expect(bot.api.members.read(groupId, ann).status).toBe(expected.status);
  const actions = await listActions(bot);
  expect(actions.map(({ kind }) => kind)).toEqual(['report', ...expected.kinds]);
  expect(bot.api.deletions.of(groupId)).toEqual(expected.deleted);
});

test('a warning by a report is told in the group, in its topic; not where actions are quiet', async () => {
  const bot = await startGroup();
  const topic = { is_topic_message: true, message_thread_id: 77 };
  await bot.reports('/report', topic);
  await bot.press([[bo, 'Warn']]);

  const told = () => bot.api.messages.filter(({ text }) => text.startsWith('Ann: warning'));
  expect(told()).toMatchObject([
    { to: groupId, text: 'Ann: warning 1 of 3.', body: { message_thread_id: 77 } },
  ]);
  expect(told()[0]?.ephemeral).toBeUndefined();
  expect(bot.showTo(bo)?.text).toBe('Ann was warned by Bo.');

  const quiet = await startGroup();
  await quiet.set({ quiet_actions: true });
  await quiet.reports();
  await quiet.press([[bo, 'Warn']]);
  expect(quiet.showTo(bo)?.text).toBe('Ann was warned by Bo.');
  expect(quiet.api.messages.filter(({ text }) => text.startsWith('Ann: warning'))).toEqual([]);
});

test('a button that only one administrator sees answers them alone', async () => {
  const bot = await startGroup();
  await bot.reports();

  expect(await bot.press([[bo, 'Ban']])).toEqual(['']);
  expect(bot.showTo(bo)).toMatchObject({ text: 'Ann was banned by Bo.', buttons: [] });
  expect(bot.showTo(olga)?.text).toContain('Dan reports Ann');

  const closed =
    'This report is closed: an administrator has dealt with it, or it is older than two days.';
  expect(await bot.press([[olga, 'Delete']])).toEqual([closed]);
  expect(await listActions(bot)).toHaveLength(2);
});

test('buttons look at the rights of who presses, and of the bot', async () => {
  const bot = await startGroup({ withLog: true });
  await bot.reports();

  const noRight = (right: string) => `Only administrators with the right “${right}” can do this.`;
  expect(await bot.press([[dan, 'Delete']])).toEqual([noRight('Delete messages')]);
  expect(await bot.press([[dan, 'Dismiss']])).toEqual([noRight('Delete messages')]);
  for (const label of ['Warn', 'Mute', 'Ban']) {
    expect(await bot.press([[cy, label]])).toEqual([noRight('Ban users')]);
  }
  bot.group.botRights = ['delete'];
  bot.server.services.memberCommands.rights.forget(groupId);
  expect(await bot.press([[bo, 'Ban']])).toEqual([
    'I need the right “Ban users” for this. Give it to me in the list of administrators.',
  ]);
  expect(await listActions(bot)).toHaveLength(1);

  // What was refused leaves the report to others.
  expect(await bot.press([[cy, 'Delete']])).toEqual(['']);
  expect(bot.api.deletions.of(groupId)).toEqual([reportedId]);
});

test('who may ban but not delete leaves the message', async () => {
  const bot = await startGroup({ withLog: true });
  bot.group.administratorRights = { [bo]: ['restrict'] };
  await bot.reports();

  expect(await bot.press([[bo, 'Ban']])).toEqual(['']);

  expect(bot.api.members.read(groupId, ann).status).toBe('kicked');
  expect(bot.api.deletions.of(groupId)).toEqual([]);
});

test('what Telegram refuses is said, and the report stays open', async () => {
  const bot = await startGroup({ withLog: true });
  await bot.reports();
  bot.api.fail('banChatMember', {
    error_code: 400,
    description: 'Bad Request: user is an administrator of the chat',
  });

  expect(await bot.press([[bo, 'Ban']])).toEqual([
    'Ann is an administrator. I leave administrators alone.',
  ]);
  bot.api.deletions.forbid(groupId, reportedId);
  expect(await bot.press([[bo, 'Delete']])).toEqual([
    'Telegram lets me delete no message that is older than 48 hours.',
  ]);

  expect(await bot.press([[bo, 'Dismiss']])).toEqual(['']);
});

test('of two who press at once, one deals with the report', async () => {
  const bot = await startGroup({ withLog: true });
  await bot.reports();
  const [reported] = bot.api.messages;

  const answers = await bot.press([
    [bo, 'Ban'],
    [olga, 'Mute'],
  ]);

  const closed = expect.stringContaining('This report is closed');
  const { status } = bot.api.members.read(groupId, ann);
  expect(['kicked', 'restricted']).toContain(status);
  expect(answers).toEqual(status === 'kicked' ? ['', closed] : [closed, '']);
  expect(await listActions(bot)).toHaveLength(2);
  expect(reported && bot.api.show(reported)?.text).toBe(
    status === 'kicked' ? 'Ann was banned by Bo.' : 'Ann was muted for a day by Olga.',
  );
});

test('the report in the log channel is written on in the language of the group', async () => {
  const bot = await startGroup({ withLog: true, languages: standInLanguages('de') });
  await bot.hears(moved(left, administrator, { ...personWith(olga), language_code: 'de' }));
  await bot.reports();
  const [reported] = bot.api.messages;

  await bot.press([[bo, '<de>Dismiss</de>']]);

  expect(reported && bot.api.show(reported)?.text).toBe('<de>report.wasDismissed Ann Bo</de>');
});

test('after 48 hours a report is closed', async () => {
  const bot = await startGroup({ withLog: true });
  await bot.reports();
  bot.server.wait(48 * hour);
  await bot.server.services.dueJobs.runDue();

  expect(await bot.press([[bo, 'Ban']])).toEqual([expect.stringContaining('older than two days')]);
  expect(bot.api.members.read(groupId, ann).status).toBe('member');
});
