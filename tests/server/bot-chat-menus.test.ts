/** Groups whose commands differ from those of others have lists of commands of their own. */
import { expect, test } from 'vitest';

import { setChatLanguage } from '#contract/endpoints/chats';
import { wholeChatId } from '#server/db/chat-values';
import { startBotApi } from '#tests/bot-api-server';
import { giveChats, signIn } from '#tests/chats';
import { standInLanguages } from '#tests/stand-in-languages';
import { groupId, owner, startBot, type TestBot } from '#tests/test-bot';
import { createTestServer, minute } from '#tests/test-server';

const set = ({ server }: Pick<TestBot, 'server'>, values: Readonly<Record<string, unknown>>) =>
  server.services.chatValues.changeByCommand(
    { chatId: groupId, chatName: 'Otters', by: owner, kind: 'values' },
    new Map([[wholeChatId, values]]),
  );

const readJobs = ({ server }: Pick<TestBot, 'server'>) =>
  server.db.selectFrom('due_jobs').select(['id', 'due_at']).execute();

/** Waits until the change is saved as work, and does it. */
async function told(bot: Pick<TestBot, 'server'>, waitMs = 1000): Promise<void> {
  await expect.poll(() => readJobs(bot)).toHaveLength(1);
  bot.server.wait(waitMs);
  await bot.server.services.dueJobs.runDue();
}

async function startGroup(options: Parameters<typeof startBot>[0] = {}) {
  const bot = await startBot(options);
  bot.api.addChat({ id: groupId, title: 'Otters', creator: owner });
  // The lists of all groups come first.
  await expect.poll(() => bot.api.profile.defaultRights()).toBeDefined();
  await expect.poll(() => bot.api.callsTo('setMyShortDescription')).not.toEqual([]);
  const calls = () =>
    bot.api
      .callsTo('setMyCommands')
      .filter(({ body }) => Object(body['scope']).chat_id !== undefined);
  const list = (scope: string) => bot.api.profile.commands(`${scope}:${groupId}`);
  return { ...bot, calls, list };
}

const names = (list: readonly { readonly command: string }[] | undefined) =>
  list?.map(({ command }) => command);

test('a group that hides actions and has switched a command off gets lists of its own, until it is like others again', async () => {
  const group = await startGroup();
  const { profile } = group.api;
  expect(group.calls()).toEqual([]);

  await set(group, { quiet_actions: true, 'off:report': true });
  await told(group);

  const ofAll = profile.commands('all_chat_administrators');
  expect(names(group.list('chat'))).toEqual(
    names(profile.commands('all_group_chats'))?.filter((name) => name !== 'report'),
  );
  expect(names(group.list('chat_administrators'))).toEqual(names(ofAll));
  const isEphemeral = (name: string, list = ofAll) =>
    list?.find(({ command }) => command === name)?.is_ephemeral;
  expect(isEphemeral('ban')).toBeUndefined();
  expect(isEphemeral('ban', group.list('chat_administrators'))).toBe(true);
  expect(isEphemeral('purge', group.list('chat_administrators'))).toBeUndefined();
  expect(group.calls().map(({ body }) => body['language_code'])).toEqual([undefined, undefined]);

  await set(group, { quiet_actions: null, 'off:report': null });
  await told(group);
  expect([group.list('chat'), group.list('chat_administrators')]).toEqual([undefined, undefined]);
  expect(group.calls()).toHaveLength(4);
  expect(await readJobs(group)).toEqual([]);
});

test('the same lists are not told again, and other values tell nothing', async () => {
  const group = await startGroup();
  await set(group, { 'off:report': true });
  await told(group);
  expect(group.calls()).toHaveLength(2);

  await set(group, { warn_limit: 5 });
  await set(group, { 'off:report': null });
  await set(group, { 'off:report': true });
  await told(group);

  expect(group.calls()).toHaveLength(2);
});

test('the lists are in the language of the group', async () => {
  const group = await startGroup({ languages: standInLanguages('de') });
  await signIn(group.server, owner);
  await giveChats(group.server, owner, [{ id: groupId, isDemo: false }]);
  await set(group, { 'off:report': true });
  await told(group);
  const me = await signIn(group.server, owner);

  await group.server.call(setChatLanguage, { chat_id: groupId, language: 'de' }, me);
  await told(group);

  const [first] = group.list('chat') ?? [];
  expect(first?.description).toMatch(/^<de>/);
  expect(group.calls()).toHaveLength(4);
});

test('a change while Telegram is being told is told, too', async () => {
  const group = await startGroup();
  const answer = Promise.withResolvers<void>();
  await set(group, { 'off:report': true });
  group.api.hold('setMyCommands', answer.promise);
  const telling = told(group);
  await expect.poll(group.calls).toHaveLength(1);

  await set(group, { 'off:report': null, 'off:admins': true });
  await expect
    .poll(async () => (await readJobs(group))[0]?.due_at)
    .toBeGreaterThan(group.server.now());
  answer.resolve();
  await telling;
  await told(group);

  expect(names(group.list('chat'))).toContain('report');
  expect(names(group.list('chat'))).not.toContain('admins');
});

test('what Telegram did not take is told later, also by the next server', async () => {
  const api = await startBotApi();
  const group = await startGroup({ api, bot: { api } });
  api.fail('setMyCommands', { error_code: 500, description: 'Internal Server Error' });
  await set(group, { 'off:report': true });
  await told(group);
  expect(group.list('chat')).toBeUndefined();
  await group.server.stopBot();

  const { database } = group.server;
  const next = await createTestServer({
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
  });
  next.wait(2 * minute);
  await next.services.dueJobs.runDue();

  expect(names(group.list('chat'))).not.toContain('report');
  expect(names(group.list('chat_administrators'))).toContain('report');
  await next.close();
});

test('a group that the bot is out of ends the work; told again, it gets its lists', async () => {
  const group = await startGroup();
  const chat = group.api.addChat({ id: groupId, creator: owner, bot: 'kicked' });
  await set(group, { quiet_actions: true });
  await told(group);
  expect(await readJobs(group)).toEqual([]);

  chat.bot = 'administrator';
  await set(group, { 'off:report': true });
  await told(group);

  expect(names(group.list('chat'))).not.toContain('report');
});
