/** Topics and pinned messages by command. */
import { expect, test } from 'vitest';

import { type Right } from '#contract/commands/command';
import { readChat } from '#contract/endpoints/chats';
import { inboxRules } from '#server/lib/limits';
import { giveChats, signIn } from '#tests/chats';
import { ann, bo, type CommandGroup, cy, dan, olga, startGroup } from '#tests/command-group';
import { collectEvents, groupId } from '#tests/test-bot';
import { createTestServer, openTestDatabase } from '#tests/test-server';

const rights: readonly Right[] = ['delete', 'pin', 'topics'];
const startForum = () => startGroup({ group: { isForum: true } });

const readTopic = ({ api }: CommandGroup, topicId: number) =>
  api.topics(groupId).find(({ id }) => id === topicId);

test('a topic is opened, renamed, closed and opened again; Nori and its open pages know the names', async () => {
  const group = await startForum();
  const { api, says, server } = group;
  const me = await signIn(server, olga);
  await giveChats(server, olga, [
    { id: groupId, name: 'Otters', topics: [0, 50_001], isDemo: false },
  ]);
  const events = collectEvents(group);

  await says(bo, '/newtopic Off-topic');
  expect(api.messages.at(-1)).toMatchObject({
    text: 'The topic “Off-topic” is open.',
    ephemeral: { to: bo },
  });
  const topic = api.topics(groupId).find(({ id }) => id > 0);
  expect(topic).toMatchObject({ id: 50_001, name: 'Off-topic', isClosed: false });

  await says(bo, '/renametopic Chit-chat', { topicId: 50_001 });
  expect(group.lastText()).toBe('This topic is called “Chit-chat” now.');
  expect(api.messages.at(-1)?.body).toMatchObject({ message_thread_id: 50_001 });
  expect(readTopic(group, 50_001)?.name).toBe('Chit-chat');
  expect(events.map(({ kind }) => kind)).toEqual(['topics', 'topics']);
  const { body } = await server.call(readChat, { chat_id: groupId }, me);
  expect(JSON.stringify(body)).toContain('Chit-chat');

  await says(bo, '/closetopic', { topicId: 50_001 });
  expect(group.lastText()).toBe('This topic is closed.');
  expect(readTopic(group, 50_001)?.isClosed).toBe(true);
  await says(bo, '/closetopic', { topicId: 50_001 });
  expect(group.lastText()).toBe('It is so already.');
  await says(bo, '/reopentopic', { topicId: 50_001 });
  expect(group.lastText()).toBe('This topic is open again.');
  expect(readTopic(group, 50_001)?.isClosed).toBe(false);

  await says(bo, '/topics');
  expect(group.lastText()).toBe(
    'Topics that I know: Chit-chat.\n\n/newtopic name opens a topic. In a topic, /renametopic name, /closetopic and /reopentopic change it.',
  );
});

test.each([
  [
    '/renametopic Lobby',
    'editGeneralForumTopic',
    { name: 'Lobby' },
    'This topic is called “Lobby” now.',
  ],
  ['/closetopic', 'closeGeneralForumTopic', {}, 'This topic is closed.'],
  ['/reopentopic', 'reopenGeneralForumTopic', {}, 'It is so already.'],
  ['/renametopic General', 'editGeneralForumTopic', { name: 'General' }, 'It is so already.'],
])('%s in General', async (...[text, method, fields, said]) => {
  const { api, says, lastText } = await startForum();
  await says(bo, text);

  expect(api.callsTo(method).map(({ body }) => body)).toEqual([{ chat_id: groupId, ...fields }]);
  expect(lastText()).toBe(said);
});

const longest = `${'🦦'.repeat(64)}${'x'.repeat(64)}`;

test.each([
  { name: '', length: 0, opened: 'Which name? Write it after the command.' },
  { name: longest, length: 128, opened: `The topic “${longest}” is open.` },
  { name: `${longest}y`, length: 129, opened: 'At most 128 characters.' },
])('a name of $length characters', async ({ name, opened }) => {
  const { says, lastText } = await startForum();
  await says(bo, `/newtopic ${name}`);
  expect(lastText()).toBe(opened);

  await says(bo, `/renametopic ${name}`, { topicId: 7 });
  expect(lastText()).toBe(
    opened.replace(`The topic “${longest}” is open.`, `This topic is called “${longest}” now.`),
  );
});

test.each(['/topics', '/newtopic Tea', '/renametopic Tea', '/closetopic', '/reopentopic'])(
  '%s needs a group with topics, and the rights',
  async (text) => {
    const { api, says, lastText, server, group } = await startGroup({
      group: { administratorRights: { [cy]: ['delete'] } },
    });
    await says(bo, text);
    expect(lastText()).toBe('This group has no topics.');
    for (const from of [cy, dan]) {
      await says(from, text);
      expect(lastText()).toBe('Only administrators with the right “Manage topics” can do this.');
    }

    group.isForum = true;
    group.botRights = ['delete'];
    server.services.memberCommands.rights.forget(groupId);
    await says(bo, text);
    expect(lastText()).toMatch(
      text === '/topics' ? /^\/newtopic name/ : /^I need the right “Manage topics” for this\./,
    );
    expect(api.topics(groupId).every(({ id, isClosed }) => id === 0 && !isClosed)).toBe(true);
  },
);

const away = { error_code: 500, description: 'Internal Server Error' };
const telegramAway = 'Telegram does not answer right now. Try again in 30 seconds.';

test('while Telegram does not answer, a topic is not renamed in Nori either', async () => {
  const { api, says, lastText, server } = await startForum();
  api.fail('editForumTopic', away);
  await says(bo, '/renametopic Tea', { topicId: 7 });

  expect(lastText()).toBe(telegramAway);
  expect(await server.db.selectFrom('topic_names').selectAll().execute()).toEqual([]);
});

test.each([
  ['/newtopic Tea', 'createForumTopic'],
  ['/closetopic', 'closeForumTopic'],
  ['/reopentopic', 'reopenForumTopic'],
  ['/pin', 'pinChatMessage'],
  ['/unpin', 'unpinChatMessage'],
])(
  '%s says it when Telegram does not answer, and works with the next command',
  async (...given) => {
    const [text, method] = given;
    const group = await startForum();
    const { api, says, toMessage } = group;
    const reply_to_message = toMessage(ann);
    const command = { topicId: 7, fields: { reply_to_message } };
    if (text === '/unpin') {
      await says(bo, '/pin', command);
    } else if (text === '/reopentopic') {
      await says(bo, '/closetopic', command);
    }
    api.fail(method, away);
    await says(bo, text, command);
    expect(group.lastText()).toBe(telegramAway);

    await says(bo, text, command);
    expect(group.lastText()).toMatch(/^(The topic “Tea” is open|.*closed|.*again|.*inned)\.$/);
    expect(api.callsTo(method)).toHaveLength(2);
  },
);

test.each([
  ['/newtopic Tea', 'The topic “Tea” is open.'],
  ['/renametopic Tea', 'This topic is called “Tea” now.'],
  ['/closetopic', 'This topic is closed.'],
])('%s that is handled again is done once, and answered as before', async (...[text, said]) => {
  const group = await startForum();
  await group.says(bo, text, { topicId: 7 });
  const topics = group.api.topics(groupId);
  await group.hearsAgain();

  expect(group.api.messages.map((message) => message.text)).toEqual([said, said]);
  expect(group.api.topics(groupId)).toEqual(topics);
});

/** The first server is killed after Telegram has done it, before it hears so; the next one handles the command. */
async function killDuring(
  method: string,
  text: string,
  prepare?: (group: CommandGroup) => unknown,
) {
  const database = await openTestDatabase();
  const kept = { ...database, close: () => Promise.resolve() };
  const group = await startGroup({ database: kept, group: { isForum: text.includes('topic') } });
  const { api } = group;
  await prepare?.(group);
  const before = api.messages.length;
  const { promise, resolve } = Promise.withResolvers<undefined>();
  api.hold(method, promise);
  const saying = group.says(bo, text, { topicId: text.includes('topic') ? 7 : undefined });
  const count = api.callsTo(method).length + 1;
  await expect.poll(() => api.callsTo(method)).toHaveLength(count);
  const next = await createTestServer({ bot: { api }, database: kept });
  next.wait(inboxRules.leaseMs);
  return {
    group,
    /** What the next server answers. */
    readAnswer: async () => {
      await expect.poll(() => api.messages.length).toBeGreaterThan(before);
      return api.messages[before]?.text;
    },
    end: async () => {
      resolve(undefined);
      await saying;
      await next.close();
    },
  };
}

test('of a topic that a killed server may have opened, the next one opens no second', async () => {
  const { group, readAnswer, end } = await killDuring('createForumTopic', '/newtopic Tea');
  expect(await readAnswer()).toBe(telegramAway);
  await end();

  expect(group.api.topics(groupId).filter(({ name }) => name === 'Tea')).toHaveLength(1);
});

test('a topic that a killed server has closed is closed, says the next one', async () => {
  const { group, readAnswer, end } = await killDuring('closeForumTopic', '/closetopic');
  // Telegram answers it that nothing changes.
  group.api.hold('closeForumTopic', Promise.resolve(undefined));
  expect(await readAnswer()).toBe('This topic is closed.');
  await end();
});

test('after a killed server has unpinned the newest message, the next newest stays', async () => {
  const { group, readAnswer, end } = await killDuring('unpinChatMessage', '/unpin', (given) =>
    pinIn(given, [undefined, undefined]),
  );
  expect(await readAnswer()).toBe(telegramAway);
  await end();

  expect(group.api.pins(groupId)).toHaveLength(1);
});

test.each([
  ['/pin', true],
  ['/pin loud', false],
  ['/pin LOUD', false],
])('%s pins the replied message', async (text, disable_notification) => {
  const { api, says, toMessage } = await startGroup();
  const reply_to_message = toMessage(ann);
  await says(bo, text, { fields: { reply_to_message } });

  expect(api.messages.at(-1)).toMatchObject({ text: 'Pinned.', ephemeral: { to: bo } });
  expect(api.callsTo('pinChatMessage').map(({ body }) => body)).toEqual([
    { chat_id: groupId, message_id: reply_to_message.message_id, disable_notification },
  ]);
  expect(api.pins(groupId)).toEqual([reply_to_message.message_id]);

  await says(bo, text, { fields: { reply_to_message } });
  expect(api.messages.at(-1)?.text).toBe('It is so already.');
});

test('without a reply nothing is pinned, and a message that is gone is not either', async () => {
  const { api, says, toMessage, lastText } = await startGroup();
  await says(bo, '/pin');
  expect(lastText()).toBe('Reply to the message that is to be pinned.');

  const reply_to_message = toMessage(ann);
  api.deletions.vanish(groupId, reply_to_message.message_id);
  await says(bo, '/pin', { fields: { reply_to_message } });
  expect(lastText()).toBe('That message is gone.');
  expect(api.pins(groupId)).toEqual([]);
});

/** Pins messages that Ann has just written in these topics; returns their IDs. */
async function pinIn(group: CommandGroup, topicIds: readonly (number | undefined)[]) {
  const ids: number[] = [];
  for (const topicId of topicIds) {
    const reply_to_message = group.toMessage(ann);
    await group.says(bo, '/pin', { topicId, fields: { reply_to_message } });
    ids.push(reply_to_message.message_id);
  }
  return ids;
}

test('the newest pinned message is unpinned, or the replied one', async () => {
  const group = await startGroup();
  const { api, says, toMessage, lastText } = group;
  const [first = 0, second = 0] = await pinIn(group, [undefined, undefined, undefined]);

  await says(bo, '/unpin');
  expect(lastText()).toBe('No longer pinned.');
  expect(api.pins(groupId)).toEqual([first, second]);

  const reply_to_message = toMessage(ann, { message_id: first });
  await says(bo, '/unpin', { fields: { reply_to_message } });
  expect(api.pins(groupId)).toEqual([second]);
  await says(bo, '/unpin', { fields: { reply_to_message } });
  expect(lastText()).toBe('It is so already.');

  await says(bo, '/unpin');
  await says(bo, '/unpin');
  expect(lastText()).toBe('Nothing is pinned here.');
});

test('/pin and /unpin that are handled again are done once, and answered as before', async () => {
  const pinning = await startGroup();
  await pinIn(pinning, [undefined]);
  await pinning.hearsAgain();
  expect(pinning.api.messages.map(({ text }) => text)).toEqual(['Pinned.', 'Pinned.']);

  const group = await startGroup();
  const { api, says } = group;
  const [first, second] = await pinIn(group, [undefined, undefined, undefined]);
  await says(bo, '/unpin');
  await group.hearsAgain();

  expect(api.messages.slice(-2).map(({ text }) => text)).toEqual([
    'No longer pinned.',
    'No longer pinned.',
  ]);
  expect(api.pins(groupId)).toEqual([first, second]);
});

test('all are unpinned after a button was pressed by one who may', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['delete'] } } });
  const { api, says } = group;
  await pinIn(group, [undefined, undefined]);
  // So that others see the button.
  group.group.knowsEphemeral = false;
  await says(bo, '/unpin all');
  expect(group.lastText()).toBe('Unpin all messages here?');
  expect(api.pins(groupId)).toHaveLength(2);

  for (const from of [cy, dan]) {
    expect((await group.press([from, 'Unpin all'])).answers).toEqual([
      'Only administrators with the right “Pin messages” can do this.',
    ]);
  }
  const { answers, shown } = await group.press([olga, 'Unpin all']);

  expect(answers).toEqual(['All messages here are unpinned.']);
  expect(shown).toMatchObject({ text: 'All messages here are unpinned.', buttons: [] });
  expect(api.pins(groupId)).toEqual([]);
});

test.each([
  ['a topic', 7, 'unpinAllForumTopicMessages'],
  ['General', undefined, 'unpinAllGeneralForumTopicMessages'],
])('in %s, pinned messages of other topics stay', async (_place, topicId, method) => {
  const group = await startForum();
  const { api, says } = group;
  const [general, inTopic, other] = await pinIn(group, [undefined, 7, 8]);

  await says(bo, '/unpin', { topicId });
  expect(group.lastText()).toBe(
    'Reply to the message that is to be unpinned. /unpin all unpins all messages of this topic.',
  );
  expect(api.pins(groupId)).toHaveLength(3);

  await says(bo, '/unpin all', { topicId });
  expect((await group.press([bo, 'Unpin all'])).answers).toEqual([
    'All messages here are unpinned.',
  ]);
  expect(api.callsTo(method)).toHaveLength(1);
  expect(api.pins(groupId)).toEqual([topicId === undefined ? inTopic : general, other]);
});

test.each(['/pin', '/unpin', '/unpin all'])(
  '%s needs the right to pin on both sides',
  async (text) => {
    const { api, says, lastText, server, group } = await startGroup({
      group: { administratorRights: { [cy]: rights.filter((right) => right !== 'pin') } },
    });
    for (const from of [cy, dan]) {
      await says(from, text, { to: ann });
      expect(lastText()).toBe('Only administrators with the right “Pin messages” can do this.');
    }

    group.botRights = ['delete'];
    server.services.memberCommands.rights.forget(groupId);
    await says(bo, text, { to: ann });
    expect(lastText()).toBe(
      'I need the right “Pin messages” for this. Give it to me in the list of administrators.',
    );
    expect(api.callsTo('pinChatMessage')).toEqual([]);
  },
);

test('the button needs the right of the bot as well', async () => {
  const bot = await startGroup();
  await pinIn(bot, [undefined]);
  await bot.says(bo, '/unpin all');
  bot.group.botRights = ['delete'];

  expect((await bot.press([bo, 'Unpin all'])).answers).toEqual([
    'I need the right “Pin messages” for this. Give it to me in the list of administrators.',
  ]);
  expect(bot.api.pins(groupId)).toHaveLength(1);
});
