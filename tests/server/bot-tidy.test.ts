/** What the bot says in groups does not stay there. */
import { expect, test } from 'vitest';

import { startBotApi } from '#tests/bot-api-server';
import { ada, type BotKit, groupId, startBot } from '#tests/bot-kit';
import { openTestDatabase } from '#tests/server-kit';

const minute = 60_000;

async function startInGroup(options: Parameters<typeof startBot>[0] = {}): Promise<BotKit> {
  const kit = await startBot(options);
  kit.api.addChat({ id: groupId, title: 'Otters', creator: ada.id });
  return kit;
}

const due = ({ server }: BotKit) => server.db.selectFrom('due_deletions').selectAll().execute();

test('an answer in a group goes after a minute, and the command with it', async () => {
  const kit = await startInGroup();
  const asked = await kit.writes('/settings', { chatId: groupId });
  const answer = kit.api.messages.length;

  kit.server.wait(minute - 1000);
  await kit.server.services.dueDeletions.deleteDue();
  expect(kit.api.deletions.of(groupId)).toEqual([]);

  kit.server.wait(1000);
  await kit.server.services.dueDeletions.deleteDue();
  expect(new Set(kit.api.deletions.of(groupId))).toEqual(new Set([answer, asked]));
  expect(await due(kit)).toEqual([]);
});

test('nothing is tidied away in private', async () => {
  const kit = await startInGroup();
  await kit.writes('/help');

  expect(await due(kit)).toEqual([]);
});

test('where the bot may delete nothing but its own, its own goes and the command stays', async () => {
  const kit = await startInGroup();
  kit.api.addChat({ id: groupId, creator: ada.id, bot: 'member' });
  const asked = await kit.writes('/help', { chatId: groupId });

  kit.server.wait(minute);
  await kit.server.services.dueDeletions.deleteDue();

  expect(kit.api.deletions.of(groupId)).toContain(asked);
  expect(kit.api.deletions.gone(groupId)).toEqual([kit.api.messages.length]);
  expect(await due(kit)).toEqual([]);
});

test('a server that was stopped meanwhile tidies up at its next start', async () => {
  const database = await openTestDatabase();
  const api = await startBotApi();
  const first = await startInGroup({ api, database });
  const asked = await first.writes('/help', { chatId: groupId });
  await first.server.stopBot();

  const second = await startBot({ api, database });
  second.server.wait(minute);
  await second.server.services.dueDeletions.deleteDue();

  expect(api.deletions.of(groupId)).toContain(asked);
});

test('a flood is waited out as Telegram says', async () => {
  const kit = await startInGroup();
  const asked = await kit.writes('/help', { chatId: groupId });
  const flood = {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  };
  kit.api.fail('deleteMessages', flood);
  kit.api.fail('deleteMessage', flood);

  kit.server.wait(minute);
  await kit.server.services.dueDeletions.deleteDue();
  await kit.server.services.dueDeletions.deleteDue();
  expect(kit.api.deletions.of(groupId)).toEqual([]);

  kit.server.wait(30_000);
  await kit.server.services.dueDeletions.deleteDue();
  expect(kit.api.deletions.of(groupId)).toContain(asked);
});
