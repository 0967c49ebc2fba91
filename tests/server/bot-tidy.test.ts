/** Whom the bot answers in groups, and that it deletes the commands and its own answers to them. */
import { expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { startBotApi } from '#tests/bot-api-server';
import { ann, bo, cy, dan, olga, startGroup } from '#tests/command-group';
import { samples } from '#tests/sample-messages';
import { ada, type TestBot, groupId, startBot } from '#tests/test-bot';
import { minute, openTestDatabase } from '#tests/test-server';

/** In a group whose Telegram server does not know messages for one person alone. */
async function startInGroup(options: Parameters<typeof startBot>[0] = {}): Promise<TestBot> {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id, knowsEphemeral: false });
  return bot;
}

const due = ({ server }: Pick<TestBot, 'server'>) =>
  server.db.selectFrom('due_deletions').selectAll().execute();

test('an answer in a group is deleted after a minute, together with the command', async () => {
  const bot = await startInGroup();
  const asked = await bot.writes('/settings', { chatId: groupId });
  const answer = bot.api.messages.length;

  bot.server.wait(minute - 1000);
  await bot.server.services.deletions.deleteDue();
  expect(bot.api.deletions.of(groupId)).toEqual([]);

  bot.server.wait(1000);
  await bot.server.services.deletions.deleteDue();
  expect(new Set(bot.api.deletions.of(groupId))).toEqual(new Set([answer, asked]));
  expect(await due(bot)).toEqual([]);
});

test('an answer that one person alone sees is not deleted, and its command is', async () => {
  const bot = await startInGroup();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  const asked = await bot.writes('/settings', { chatId: groupId });

  expect(bot.api.messages.at(-1)).toMatchObject({ ephemeral: { to: ada.id }, messageId: 0 });
  bot.server.wait(minute);
  await bot.server.services.deletions.deleteDue();
  expect(bot.api.deletions.of(groupId)).toEqual([asked]);
});

test('a command that only the bot can see is answered the same way, in its topic', async () => {
  const bot = await startInGroup();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  const fields = { message_id: 0, ephemeral_message_id: 5 };
  await bot.writes('/help', { chatId: groupId, topicId: 77, fields });

  expect(bot.api.messages).toMatchObject([
    {
      ephemeral: { to: ada.id },
      body: { reply_parameters: { ephemeral_message_id: 5 }, message_thread_id: 77 },
    },
  ]);
  expect(await due(bot)).toEqual([]);
});

/** The next message is one that replies to something that is gone. */
function failReply({ api }: Pick<TestBot, 'api'>): void {
  const description = 'Bad Request: message to be replied not found';
  api.fail('sendMessage', { error_code: 400, description });
}

test('where such an answer comes too late, all see it for a minute', async () => {
  const bot = await startInGroup();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id, bot: 'member' });
  failReply(bot);
  const fields = { message_id: 0, ephemeral_message_id: 5 };
  await bot.writes('/help', { chatId: groupId, fields });
  expect(bot.api.messages).toMatchObject([{ messageId: 1 }]);
  expect(bot.api.messages[0]?.body).not.toHaveProperty('reply_parameters');

  bot.server.wait(minute);
  await bot.server.services.deletions.deleteDue();
  expect(bot.api.deletions.of(groupId)).toEqual([1]);
});

test('a bot that is an administrator answers one person alone also later, and when the command is gone', async () => {
  const bot = await startInGroup();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  for (const fields of [{ message_id: 0, ephemeral_message_id: 5 }, {}]) {
    failReply(bot);
    await bot.writes('/help', { chatId: groupId, topicId: 77, fields });
  }

  const alone = { messageId: 0, ephemeral: { to: ada.id }, body: { message_thread_id: 77 } };
  expect(bot.api.messages).toMatchObject([alone, alone]);
  for (const { body } of bot.api.messages) {
    expect(body).not.toHaveProperty('reply_parameters');
  }
});

/** A command that only its writer and the bot see. */
const ephemeral = { message_id: 0, ephemeral_message_id: 5 };

test('where commands are blocked, members get no answer, whether others see the command or not', async () => {
  const { api, says } = await startGroup();
  await says(bo, '/lock bot_command', { topicId: 77 });
  await says(bo, '/approve', { to: dan });
  const before = api.messages.length;

  const blocked = await says(ann, '/help', { topicId: 77 });
  await says(ann, '/help', { topicId: 77, fields: ephemeral });
  expect(api.messages).toHaveLength(before);
  expect(api.deletions.of(groupId)).toEqual([blocked]);

  await says(ann, '/help', { fields: ephemeral });
  await says(bo, '/help', { topicId: 77, fields: ephemeral });
  await says(dan, '/help', { topicId: 77, fields: ephemeral });
  expect(api.messages.slice(before).map((message) => message.ephemeral?.to)).toEqual([
    ann,
    bo,
    dan,
  ]);
  expect(api.deletions.of(groupId)).toEqual([blocked]);
});

test('while Telegram does not say who is an administrator, a blocked command for the bot alone is not answered', async () => {
  const { api, says, server } = await startGroup();
  await says(bo, '/lock bot_command');
  const before = api.messages.length;
  server.wait(minute);
  api.fail('getChatAdministrators', { error_code: 500, description: 'Internal Server Error' });
  await says(ann, '/help', { fields: ephemeral });

  expect(api.messages).toHaveLength(before);
  // Nothing waits to be deleted but the command that locks.
  expect(await due({ server })).toMatchObject([{ setting: null }]);
});

const callForAdministrators = { entities: [{ type: 'mention', offset: 0, length: 6 }] };

test.each([
  ['the whole chat', wholeChatId, undefined],
  ['a topic', 77, 77],
  ['General', 0, undefined],
])(
  'a command that is switched off in %s is silent for members there, and answers administrators',
  async (_where, place, topicId) => {
    const { api, server, says, listActions } = await startGroup({ group: { isForum: true } });
    await server.services.chatValues.changeByCommand(
      { chatId: groupId, chatName: 'Otters', by: bo, kind: 'values' },
      new Map([[place, { 'off:report': true, 'off:admins': true }]]),
    );

    await says(dan, '/admins', { topicId });
    await says(dan, '/report', { to: ann, topicId });
    await says(dan, '@admin', { to: ann, topicId, fields: callForAdministrators });
    expect(api.messages).toEqual([]);
    expect(await listActions()).toEqual([]);
    // What is not answered is not deleted, either.
    expect(await due({ server })).toEqual([]);

    await says(bo, '/admins', { topicId });
    expect(api.messages).toMatchObject([
      { text: expect.stringContaining('Olga'), ephemeral: { to: bo } },
    ]);
    await says(bo, '/report', { to: ann, topicId });
    expect(await listActions()).toMatchObject([{ kind: 'report', by_id: bo, target_id: ann }]);

    const before = api.messages.length;
    await says(dan, '/admins', { topicId: 5 });
    await says(dan, '/warns', { topicId });
    expect(api.messages).toHaveLength(before + (place === wholeChatId ? 1 : 2));
  },
);

test('a sentence with @admin, and a photo with a command below it, stay', async () => {
  const group = await startGroup();
  const { api, server, says } = group;
  await says(dan, '@admin look here', { to: ann, fields: callForAdministrators });
  const caption = {
    ...samples.photo,
    caption: '/report spam',
    caption_entities: [{ type: 'bot_command', offset: 0, length: 7 }],
  };
  await says(dan, '', { to: ann, fields: { ...caption, text: undefined, entities: undefined } });
  const command = await says(dan, '/report', { to: ann });
  expect(await group.listActions()).toHaveLength(3);

  server.wait(minute);
  await server.services.deletions.deleteDue();
  expect(api.deletions.of(groupId)).toEqual([command]);
});

test('a report is filed also when the chat has got its ten answers of the minute', async () => {
  const { api, says, listActions } = await startGroup();
  for (let asked = 0; asked < 10; asked += 1) {
    await says(ann, '/help');
  }
  expect(api.messages).toHaveLength(10);
  await says(ann, '/help');
  await says(dan, '/reports off');
  expect(api.messages).toHaveLength(10);

  await says(dan, '/report', { to: ann });
  await says(dan, '@admin', { to: ann, fields: callForAdministrators });
  expect(await listActions()).toMatchObject([
    { kind: 'report', by_id: dan, target_id: ann },
    { kind: 'report', by_id: dan, target_id: ann },
  ]);
  const told = api.messages.slice(10);
  expect(new Set(told.map((message) => message.ephemeral?.to))).toEqual(new Set([olga, bo, cy]));

  // Its own limit counts all the same.
  await says(dan, '/report', { to: ann });
  await says(dan, '/report', { to: ann });
  expect(await listActions()).toHaveLength(3);
});

test('nothing is deleted in private', async () => {
  const bot = await startInGroup();
  await bot.writes('/help');

  expect(await due(bot)).toEqual([]);
});

test('where the bot may delete only its own messages, the command stays', async () => {
  const bot = await startInGroup();
  bot.api.addChat({ id: groupId, creator: ada.id, bot: 'member', knowsEphemeral: false });
  const asked = await bot.writes('/help', { chatId: groupId });

  bot.server.wait(minute);
  await bot.server.services.deletions.deleteDue();

  expect(bot.api.deletions.of(groupId)).toContain(asked);
  expect(bot.api.deletions.gone(groupId)).toEqual([bot.api.messages.length]);
  expect(await due(bot)).toEqual([]);
});

test('a server that was stopped meanwhile deletes them at its next start', async () => {
  const database = await openTestDatabase();
  const api = await startBotApi();
  const first = await startInGroup({ api, database });
  const asked = await first.writes('/help', { chatId: groupId });
  await first.server.stopBot();

  const second = await startBot({ api, database });
  second.server.wait(minute);
  await second.server.services.deletions.deleteDue();

  expect(api.deletions.of(groupId)).toContain(asked);
});

test('after a flood error the bot waits as long as Telegram says', async () => {
  const bot = await startInGroup();
  const asked = await bot.writes('/help', { chatId: groupId });
  const flood = {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  };
  bot.api.fail('deleteMessages', flood);
  bot.api.fail('deleteMessage', flood);

  bot.server.wait(minute);
  await bot.server.services.deletions.deleteDue();
  await bot.server.services.deletions.deleteDue();
  expect(bot.api.deletions.of(groupId)).toEqual([]);

  bot.server.wait(30_000);
  await bot.server.services.deletions.deleteDue();
  expect(bot.api.deletions.of(groupId)).toContain(asked);
});
