/** The bot deletes the commands in groups and its own answers to them. */
import { expect, test } from 'vitest';

import { startBotApi } from '#tests/bot-api-server';
import { ada, type TestBot, groupId, startBot } from '#tests/test-bot';
import { openTestDatabase } from '#tests/test-server';

const minute = 60_000;

/** In a group whose Telegram server does not know messages for one person alone. */
async function startInGroup(options: Parameters<typeof startBot>[0] = {}): Promise<TestBot> {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id, knowsEphemeral: false });
  return bot;
}

const due = ({ server }: TestBot) => server.db.selectFrom('due_deletions').selectAll().execute();

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

test('where such an answer comes too late, all see it for a minute', async () => {
  const bot = await startInGroup();
  bot.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  const description = 'Bad Request: message to be replied not found';
  bot.api.fail('sendMessage', { error_code: 400, description });
  const fields = { message_id: 0, ephemeral_message_id: 5 };
  await bot.writes('/help', { chatId: groupId, fields });
  expect(bot.api.messages).toMatchObject([{ messageId: 1 }]);
  expect(bot.api.messages[0]?.body).not.toHaveProperty('reply_parameters');

  bot.server.wait(minute);
  await bot.server.services.deletions.deleteDue();
  expect(bot.api.deletions.of(groupId)).toEqual([1]);
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
