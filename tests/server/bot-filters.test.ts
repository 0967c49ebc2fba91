/** Answers to words: what the bot says when they are written, where, and how often. */
import { beforeEach, describe, expect, test } from 'vitest';

import { ann, asChannel, bo, type CommandGroup, dan, olga, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup({ group: { isForum: true } });
});

/** What the group has read of the bot, in public. */
const said = () =>
  group.api.messages
    .filter(({ to, ephemeral }) => to === groupId && ephemeral === undefined)
    .map(({ text }) => text);

/** Long enough for the same answer again. */
const pause = () => group.server.wait(5001);

test('a word is answered with what was saved, with its formatting and buttons, as a reply', async () => {
  const text = '/filter hello Hi {first}!\n[Website](example.com)';
  const command = { type: 'bot_command', offset: 0, length: '/filter'.length };
  const bold = { type: 'bold', offset: text.indexOf('Hi'), length: 2 };
  await group.says(bo, text, { fields: { entities: [command, bold] } });
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'I answer to “hello” in this group from now on.',
    ephemeral: { to: bo },
  });

  await group.says(ann, 'I say othello');
  expect(said()).toEqual([]);
  const id = await group.says(ann, 'Oh HELLO, everyone');
  expect(group.api.messages.at(-1)).toMatchObject({
    to: groupId,
    text: 'Hi Ann!',
    body: {
      entities: [{ type: 'bold', offset: 0, length: 2 }],
      reply_parameters: { message_id: id },
      reply_markup: { inline_keyboard: [[{ text: 'Website', url: 'https://example.com' }]] },
    },
  });
});

test('as a reply, the answer is the message that is replied to, with its picture', async () => {
  const fileId = group.api.media.addFile('photo');
  const photo = [{ file_id: fileId, file_unique_id: 'o', width: 9, height: 9 }];
  const replied = { ...group.toMessage(dan, { photo, caption: 'An otter' }), text: undefined };
  await group.says(bo, '/filter "good morning"', { fields: { reply_to_message: replied } });
  await group.says(ann, 'good  morning');
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'An otter',
    body: { photo: fileId },
  });
});

describe('where the words stand', () => {
  test.each([
    ['hello', 'well, hello', true],
    ['exact:hello', 'Hello', true],
    ['exact:hello', 'hello you', false],
    ['"exact:good morning"', 'Good morning', true],
    ['exact:"good morning"', 'Good morning all', false],
    ['prefix:hello', 'hello you', true],
    ['prefix:hello', 'hellos', false],
    ['prefix:hello', 'oh hello', false],
    // No wildcards: these are the signs themselves.
    ['why?', 'why? tell me', true],
    ['why?', 'whys', false],
  ])('%s is answered in %j: %s', async (trigger, text, expected) => {
    await group.says(bo, `/filter ${trigger} Yes`);
    await group.says(ann, text);
    expect(said()).toEqual(expected ? ['Yes'] : []);
  });
});

test('one answer for each message, the same once in five seconds in each topic', async () => {
  await group.says(bo, '/filter hello Hi');
  await group.says(bo, '/filter otter Otters!');
  await group.says(ann, 'hello otter');
  expect(said()).toEqual(['Hi']);
  await group.says(dan, 'hello');
  expect(said()).toEqual(['Hi']);
  await group.says(dan, 'hello', { topicId: 7 });
  expect(said()).toEqual(['Hi', 'Hi']);
  expect(group.api.messages.at(-1)?.body).toMatchObject({ message_thread_id: 7 });
  pause();
  await group.says(dan, 'hello');
  expect(said()).toEqual(['Hi', 'Hi', 'Hi']);
});

test('an answer of a topic is given there alone, one of the group in all', async () => {
  await group.says(bo, '/filter hello In topic seven', { topicId: 7 });
  expect(group.lastText()).toBe('I answer to “hello” in this topic from now on.');
  await group.says(bo, '/filter exact:otter Everywhere');
  await group.says(ann, 'hello', { topicId: 8 });
  await group.says(ann, 'hello');
  expect(said()).toEqual([]);
  await group.says(ann, 'hello', { topicId: 7 });
  await group.says(ann, 'otter', { topicId: 8 });
  expect(said()).toEqual(['In topic seven', 'Everywhere']);

  await group.says(bo, '/filters', { topicId: 7 });
  expect(group.lastText()).toBe(
    'I answer here to:\n• hello – only in this topic\n• otter – if the message is nothing else',
  );
});

test('commands, edited messages, other bots, and what is deleted are not answered', async () => {
  await group.says(bo, '/filter hello Hi');
  await group.says(bo, '/addblocklist casino');
  await group.says(ann, 'hello casino');
  await group.says(ann, '/dance hello');
  await group.says(ann, '/dance@other_bot hello');
  const bot = { id: 777_888, is_bot: true, first_name: 'Other', username: 'other_bot' };
  await group.says(ann, 'hello', { fields: { from: bot } });
  await group.hears({ edited_message: group.toMessage(ann, { text: 'hello', edit_date: 1 }) });
  expect(said()).toEqual([]);

  // Administrators and channels are answered as everyone is.
  await group.says(olga, 'hello');
  pause();
  await group.says(dan, 'hello', { fields: asChannel });
  expect(said()).toHaveLength(2);
});

test('an answer is replaced, and removed by its words', async () => {
  await group.says(bo, '/filter hello First');
  await group.says(bo, '/filter HELLO Second');
  await group.says(ann, 'hello');
  expect(said()).toEqual(['Second']);
  await group.says(bo, '/stop otter');
  expect(group.lastText()).toBe('“otter” is not on the list here.');
  await group.says(bo, '/stop Hello');
  expect(group.lastText()).toBe('I no longer answer to “hello”.');
  pause();
  await group.says(ann, 'hello');
  expect(said()).toEqual(['Second']);
});

test('all are removed by a button, which members cannot press', async () => {
  await group.says(bo, '/stopall');
  expect(group.lastText()).toBe('I answer to no words here.');
  await group.says(bo, '/filter hello Hi');
  await group.says(bo, '/filter otter Otters!');
  await group.says(bo, '/filter topic Here', { topicId: 7 });
  await group.says(bo, '/stopall');
  expect(group.lastText()).toBe('Remove all 2 answers here?');
  const { shown } = await group.press([bo, 'Remove all']);
  expect(shown?.text).toBe('All answers are removed.');
  await group.says(ann, 'hello otter');
  expect(said()).toEqual([]);
  // That of the topic stays.
  await group.says(ann, 'topic', { topicId: 7 });
  expect(said()).toEqual(['Here']);
});

test.each([
  ['/filter', '/filter hello Hi there!'],
  ['/filter hello', '/filter hello Hi there!'],
  [`/filter ${'x'.repeat(65)} Hi`, 'At most 64 characters are possible.'],
  ['/stop', '/stop hello'],
])('%s says what is missing', async (typed, answer) => {
  await group.says(bo, typed);
  expect(group.lastText()).toContain(answer);
});

test('members save no answers, and a group has at most 150', async () => {
  await group.says(ann, '/filter hello Hi');
  expect(group.lastText()).toContain('Only administrators');
  await group.says(bo, '/filter hello Hi');
  const stored = await group.server.services.chatValues.readForBot(groupId);
  const { content } = [...(stored.get(-1)?.values() ?? [])].map((value) => Object(value))[0] ?? {};
  await group.set(
    Object.fromEntries(
      Array.from({ length: 149 }, (_item, index) => [
        `filter:word ${index}`,
        { content, match: 'anywhere' },
      ]),
    ),
  );
  await group.says(bo, '/filter otter Otters!');
  expect(group.lastText()).toBe('A chat can have at most 150 answers. Remove one first.');
});
