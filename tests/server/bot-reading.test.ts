/** How the bot reads a command: that it is one, whom it is about, for how long, and why. */
import * as fc from 'fast-check';
import { type Message } from 'grammy/types';
import { expect, test } from 'vitest';

import {
  getReply,
  readCommand,
  readPhrases,
  readTarget,
  readTimeAndReason,
} from '#server/bot/reading';
import { writeWithPeople } from '#server/bot/rich-text';
import { AppError } from '#server/lib/errors';
import { isUpdate } from '#server/upstream/telegram/bot';
import { fullName } from '#services/members';
import { writtenMessage } from '#tests/bot-api-world';
import {
  ann,
  asChannel,
  bo,
  channelId,
  cy,
  dan,
  olga,
  personWith,
  startGroup,
} from '#tests/command-group';
import { ada, groupId } from '#tests/test-bot';

const username = 'nori_test_bot';
const bot = { id: 555, is_bot: true, first_name: 'Echo' };
const channel = { id: channelId, type: 'channel', title: 'News' };

/** A message as an update brings it. */
function toMessage(text: string, fields: object = {}): Message {
  const written = writtenMessage({ text, chatId: groupId, from: bo, messageId: 1 });
  const update: unknown = { update_id: 1, message: { ...written, ...fields } };
  if (!isUpdate(update) || update.message === undefined) {
    throw new Error('There is no message');
  }
  return update.message;
}

const readName = (text: string, fields?: object) =>
  readCommand(toMessage(text, fields), username)?.name;

test.each<[string, string, string | undefined, object?]>([
  ['a command', '/ban @ann', 'ban'],
  ['one in upper case', '/BAN @ann', 'ban'],
  ['one for this bot', '/ban@Nori_Test_Bot @ann', 'ban'],
  ['one for another bot', '/ban@other_bot @ann', undefined],
  ['an unknown one', '/bananas', undefined],
  ['a verb of another command', '/dban', 'dban'],
  ['one that is not at the beginning', 'Try /ban', undefined],
  ['a text that only looks like one', '/ban', undefined, { entities: [] }],
  [
    'one with another sign before it',
    '!ban',
    undefined,
    { entities: [{ type: 'bot_command', offset: 0, length: 4 }] },
  ],
  [
    'one below a photo',
    '',
    'ban',
    {
      text: undefined,
      entities: undefined,
      caption: '/ban @ann',
      caption_entities: [{ type: 'bot_command', offset: 0, length: 4 }],
    },
  ],
  ['a forwarded one', '/ban', undefined, { forward_origin: { type: 'user', date: 0 } }],
  ['a forwarded /setlog', '/setlog', 'setlog', { forward_origin: { type: 'channel' } }],
  [
    'a /setlog that the linked channel has posted',
    '/setlog',
    undefined,
    { forward_origin: { type: 'channel' }, is_automatic_forward: true, sender_chat: channel },
  ],
  ['one of a bot', '/ban', undefined, { from: bot }],
  ['one that an inline bot has written', '/ban', undefined, { via_bot: bot }],
  ['one of a guest bot', '/ban', undefined, { from: bot, guest_bot_caller_user: ada }],
  ['one of a channel', '/ban', 'ban', asChannel],
])('%s', (...[, text, name, fields]) => {
  expect(readName(text, fields)).toBe(name);
});

/** Whom, how long and why, or the refusal. */
function read(text: string, fields: object = {}) {
  const message = toMessage(text, fields);
  const command = readCommand(message, username);
  if (command === undefined) {
    throw new Error('That is no command');
  }
  const { target, rest } = readTarget(message, command.args);
  try {
    return { target, ...readTimeAndReason(rest) };
  } catch (error) {
    return error instanceof AppError ? error.detail : error;
  }
}

const annAsPerson = { kind: 'person', person: { telegramId: ann, name: 'Ann' } };
const toAnn = { reply_to_message: { ...toMessage('Hi'), from: personWith(ann) } };

/** The entities of `/ban 😀 Ann …`, where a name without a @name is tapped. */
const tapped = (offset: number, length: number) => ({
  entities: [
    { type: 'bot_command', offset: 0, length: 4 },
    { type: 'text_mention', offset, length, user: personWith(ann) },
  ],
});

test.each<[string, string, object, object]>([
  ['a name that was tapped', '/ban Ann Otter 2d spam', tapped(5, 9), annAsPerson],
  ['… with an emoji', '/ban  😀 Ann 2d spam', tapped(6, 6), annAsPerson],
  ['a @name', '/ban @ann_otter 2d spam', {}, { kind: 'username', username: 'ann_otter' }],
  ['an ID', `/ban ${ann} 2d spam`, {}, { kind: 'id', telegramId: ann }],
  ['the ID of a channel', `/ban ${channelId} 2d spam`, {}, { kind: 'id', telegramId: channelId }],
  ['a reply', '/ban 2d spam', toAnn, annAsPerson],
  ['a @name before the reply', '/ban @danny 2d spam', toAnn, { kind: 'username' }],
  [
    'a reply to a channel',
    '/ban 2d spam',
    { reply_to_message: { ...toMessage('Hi'), ...asChannel } },
    { kind: 'person', person: { telegramId: channelId, name: 'News' } },
  ],
  ['line breaks', `/ban\n${ann}\n2d\nspam`, {}, { kind: 'id', telegramId: ann }],
])('the target is %s', (...[, text, fields, target]) => {
  expect(read(text, fields)).toMatchObject({ target, seconds: 2 * 86_400, reason: 'spam' });
});

test('a name that is tapped later in the text is part of the reason', () => {
  expect(read('/ban @danny annoys Ann', tapped(19, 3))).toMatchObject({
    target: { username: 'danny' },
    reason: 'annoys Ann',
  });
});

test.each<[string, object]>([
  ['the beginning of a topic', { forum_topic_created: { name: 'News', icon_color: 0 } }],
  ['a post of the linked channel', { is_automatic_forward: true, sender_chat: channel }],
  ['a message of Telegram itself', { from: { id: 777_000, is_bot: false, first_name: 'Tg' } }],
])('a reply to %s is none that was chosen', (_what, fields) => {
  const message = toMessage('/ban', { reply_to_message: { ...toMessage('Hi'), ...fields } });
  expect(getReply(message)).toBeUndefined();
  expect(read('/ban', { reply_to_message: { ...toMessage('Hi'), ...fields } })).toMatchObject({
    target: undefined,
  });
});

const outside = 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.';

test.each([
  ['29s', outside],
  ['30s', 30],
  ['366d', 366 * 86_400],
  ['367d', outside],
  ['366d1s', outside],
  ['0m', outside],
  ['999999999w', outside],
  ['1d12h', 36 * 3600],
  ['2W', 14 * 86_400],
  ['90m', 5400],
])('the time %s', (word, expected) => {
  const { seconds } = Object(read(`/ban @anna ${word} spam`));
  expect(seconds ?? read(`/ban @anna ${word} spam`)).toBe(expected);
});

test.each([
  ['2 days', '2 days'],
  ['1.5h', '1.5h'],
  ['d2', 'd2'],
  ['spam 2d', 'spam 2d'],
  ['', ''],
  ['two\n lines ', 'two\n lines'],
  ['"in quotation marks"', 'in quotation marks'],
  ['“in curly ones”', 'in curly ones'],
  ["'in single ones'", 'in single ones'],
  [String.raw`"with \"marks\" and \\"`, String.raw`with "marks" and \ `.trim()],
  ['"one" and more', '"one" and more'],
  ['"not closed', '"not closed'],
  ["don't", "don't"],
  ['""', ''],
])('%j is the reason %j', (typed, reason) => {
  expect(read(`/ban @anna ${typed}`)).toMatchObject({ seconds: undefined, reason });
});

test('a reason has at most 300 characters', () => {
  expect(read(`/ban @anna ${'x'.repeat(300)}`)).toMatchObject({ reason: 'x'.repeat(300) });
  expect(read(`/ban @anna ${'x'.repeat(301)}`)).toBe('At most 300 characters.');
  expect(read(`/ban @anna ${'😀'.repeat(300)}`)).toMatchObject({ reason: '😀'.repeat(300) });
  expect(read(`/ban @anna ${'😀'.repeat(301)}`)).toBe('At most 300 characters.');
});

const word = fc.stringMatching(/^[a-zа-я0-9😀'"“”\\ \n]{1,12}$/u);

test('phrases are read as they were meant, whatever is in them', () => {
  const quote = (text: string, [open, close]: readonly [string, string]) =>
    `${open}${text.replaceAll(new RegExp(`[${close}\\\\]`, 'g'), String.raw`\$&`)}${close}`;
  fc.assert(
    fc.property(
      fc.array(fc.tuple(word, fc.constantFrom(['"', '"'], ['“', '”'], ["'", "'"]))),
      (words) => {
        const typed = words.map(([text, marks]) => quote(text, marks)).join(' ');
        expect(readPhrases(typed)).toEqual(words.map(([text]) => text));
      },
    ),
  );
});

const signs = [
  '"',
  "'",
  '“',
  '”',
  '\\',
  ' ',
  '\n',
  '@',
  '-',
  '1',
  '00',
  'd',
  'm',
  'é',
  '😀',
  '\uD83D',
];

test('whatever is typed is read without an error', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...signs), maxLength: 60 }), (text) => {
      expect(readPhrases(text)).not.toContain('');
      expect(read(`/ban ${text}`)).not.toBeInstanceOf(Error);
    }),
  );
});

test('a whole message of quotation marks is read at once', () => {
  const began = performance.now();
  for (const repeated of ['"', '“', ' “', ' "', "'", " '", '\\"']) {
    readPhrases(repeated.repeat(4096 / repeated.length));
  }
  expect(performance.now() - began).toBeLessThan(2000);
});

const nameSigns = [
  'A',
  'é',
  ' ',
  '😀',
  '👨‍👩‍👧',
  '<b>',
  '*',
  '_',
  '[',
  '](',
  '`',
  '&',
  '@',
  '\uE000',
  '\uE001',
];

test('names are linked where they stand, and are never anything else', () => {
  const people = fc.array(
    fc.record({
      telegramId: fc.integer({ min: 1, max: 10 ** 12 }),
      name: fc.string({ unit: fc.constantFrom(...nameSigns), minLength: 1, maxLength: 20 }),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(people, fc.constantFrom('', ' und ', '😀', '<i>'), (named, between) => {
      const { text, entities } = writeWithPeople((name) => named.map(name).join(between));
      expect(text).toBe(named.map(({ name }) => name).join(between));
      expect(
        entities.map(({ offset, length, ...entity }) => ({
          name: text.slice(offset, offset + length),
          telegramId: 'user' in entity ? entity.user.id : undefined,
        })),
      ).toEqual(named);
    }),
  );
});

test('a long name is cut between its signs, as Telegram takes no half emoji', () => {
  expect(fullName({ first_name: '😀'.repeat(64), last_name: 'x' })).toBe('😀'.repeat(64));
  expect(fullName({ first_name: 'x'.repeat(63), last_name: '😀😀' })).toBe('x'.repeat(63));
});

test('an account without a name, as deleted ones are, is called by its ID', () => {
  const deleted = { id: ann, is_bot: false, first_name: '' };
  expect(read('/ban', { reply_to_message: { ...toMessage('Hi'), from: deleted } })).toMatchObject({
    target: { person: { telegramId: ann, name: String(ann) } },
  });
});

test('a person is known by the @name with which they were seen last', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, '/ban');
  expect(group.lastText()).toBe('Whom? Reply to a message, or write @name or an ID.');
  await says(bo, '/ban @ANN_otter');
  expect(group.lastText()).toBe(
    'I have not seen @ANN_otter yet. Reply to one of their messages, or use their ID.',
  );
  expect(api.callsTo('banChatMember')).toEqual([]);

  await says(ann, 'Hello');
  await says(bo, '/ban @ANN_otter');
  expect(group.lastText()).toBe('Ann is banned.');

  // Another person has the name now.
  await says(dan, 'Hello', { fields: { from: { ...personWith(dan), username: 'ann_otter' } } });
  await says(bo, '/mute @ann_otter');
  expect(group.lastText()).toBe('Dan is muted.');
});

test('people are also known from replies to them and from names that were tapped, below photos, too', async () => {
  const group = await startGroup();
  const seen = { id: 777_111, is_bot: false, first_name: 'Eve', username: 'eve_otter' };
  await group.says(ann, 'Who is that?', {
    fields: {
      text: undefined,
      entities: undefined,
      caption: 'Eve',
      caption_entities: [{ type: 'text_mention', offset: 0, length: 3, user: seen }],
    },
  });
  await group.says(ann, 'And this is Cy', { to: cy });
  await group.says(bo, '/ban @eve_otter');
  expect(group.lastText()).toBe('Eve is banned.');
});

test('commands are not heard in edited messages, and a locked command of a member has no answer', async () => {
  const group = await startGroup();
  const { api, says, toMessage: write } = group;
  const text = `/ban ${ann}`;
  const entities = [{ type: 'bot_command', offset: 0, length: 4 }];
  await group.hears({ edited_message: { ...write(bo), edit_date: 0, text, entities } });
  expect(api.messages).toEqual([]);

  await says(olga, '/lock bot_command');
  const count = api.messages.length;
  await says(ann, '/help');
  expect(api.messages).toHaveLength(count);
});

test('a channel that writes in the group gives no commands for administrators', async () => {
  const group = await startGroup();
  await group.says(bo, '/ban', { to: ann, fields: asChannel });

  expect(group.lastText()).toBe('Only administrators with the right “Ban users” can do this.');
  expect(group.api.messages[0]?.ephemeral).toBeUndefined();
  expect(group.api.callsTo('banChatMember')).toEqual([]);
});

test('in private, a command for groups says so', async () => {
  const { api, writes } = await startGroup();
  await writes(`/ban ${ann}`);

  expect(api.messages[0]?.text).toBe('This works in groups only.');
});
