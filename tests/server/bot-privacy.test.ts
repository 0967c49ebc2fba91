/** What the bot stores about people: what /privacy says, what Forget me deletes, and that no text is stored. */
import { type Kysely, sql } from 'kysely';
import { expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { type Tables } from '#server/db/tables';
import { startBotApi } from '#tests/bot-api-server';
import { groupId, startBot, type TestBot } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const [olga, bo, ann] = [111, 222, 444];
const people = [
  { id: olga, first_name: 'Olga' },
  { id: bo, first_name: 'Bo' },
  { id: ann, first_name: 'Ann', username: 'annie' },
];
const channelId = -1_009_000_000_001;

const personWith = (id: number) => ({ is_bot: false, ...people.find((one) => one.id === id) });

async function startGroup() {
  const api = await startBotApi({ people });
  const bot = await startBot({ api, bot: { api } });
  api.addChat({
    id: groupId,
    title: 'Otters',
    creator: olga,
    administrators: [bo],
    members: [ann],
  });
  api.addChat({ id: channelId, type: 'channel', title: 'Log', creator: olga });
  const write = (text: string, from: number, fields: Readonly<Record<string, unknown>> = {}) =>
    bot.writes(text, { chatId: groupId, from, fields: { from: personWith(from), ...fields } });
  const writeInPrivate = (text: string, from = ann) =>
    bot.writes(text, { chatId: from, from, fields: { from: personWith(from) } });
  return { ...bot, write, writeInPrivate };
}

const last = ({ api }: Pick<TestBot, 'api'>) => api.messages.at(-1);

/** Presses a button of the last message; returns how that looks then. */
async function press({ api, server }: TestBot, from: number, label: string) {
  const message = api.messages.at(-1);
  if (message === undefined) {
    throw new Error('The bot has said nothing');
  }
  api.presses.press(message, from, label);
  await api.updates.confirmed();
  await server.handled();
  return api.show(message);
}

const always =
  'Bans, mutes, warnings and reports are stored with the IDs of both people, the time and the reason that was typed.';

test('/privacy in a group leads to the private chat, which says what is stored', async () => {
  const bot = await startGroup();
  await bot.write('/privacy', ann);
  expect(last(bot)).toMatchObject({
    text: 'What I have stored about you, I tell you in private.',
    ephemeral: { to: ann },
    body: {
      reply_markup: {
        inline_keyboard: [
          [{ text: 'Go on in private', url: 'https://t.me/nori_test_bot?start=privacy' }],
        ],
      },
    },
  });

  await bot.writeInPrivate('/start privacy');

  expect(last(bot)?.text).toMatch(/^I have stored your ID, your name and your @name/);
  expect(last(bot)?.text).toContain(always);
});

test('who was never seen in a group is told so, without a button', async () => {
  const bot = await startGroup();

  await bot.writeInPrivate('/privacy');

  expect(last(bot)?.text).toMatch(/^From groups, I have stored neither your name nor your @name/);
  expect(last(bot)?.body).not.toHaveProperty('reply_markup');
});

test('Forget me deletes the name: the bot does not know the @name any more, until it sees the person again', async () => {
  const bot = await startGroup();
  await bot.write('Hello', ann);
  await bot.write('Hello', bo);
  await bot.writeInPrivate('/privacy');
  const shown = await press(bot, ann, 'Forget me');

  expect(shown?.text).toMatch(
    /^Done: your name, your @name and all that you asked me to keep are deleted\./,
  );
  expect(shown?.buttons).toEqual([]);
  const listSeen = () => bot.server.db.selectFrom('people_seen').select('telegram_id').execute();
  expect(await listSeen()).toEqual([{ telegram_id: bo }]);
  await bot.write('/mute @annie', bo);
  expect(last(bot)?.text).toBe(
    'I have not seen @annie yet. Reply to one of their messages, or use their ID.',
  );

  await bot.write('Hello again', ann);
  await bot.write('/mute @annie', bo);
  expect(last(bot)?.text).toBe('Ann is muted.');
});

test('people are known by @name who have only joined, or pressed a button in a group', async () => {
  const bot = await startGroup();
  const joined = { id: 777, is_bot: false, first_name: 'Joe', username: 'joe_otter' };
  const move = {
    chat: { id: groupId, type: 'supergroup', title: 'Otters' },
    date: 0,
    from: joined,
  };
  await bot.hears({
    chat_member: {
      ...move,
      old_chat_member: { status: 'left', user: joined },
      new_chat_member: { status: 'member', user: joined },
    },
  });
  await bot.write('/mute @joe_otter', bo);
  expect(last(bot)?.text).toBe('Joe is muted.');

  await press(bot, ann, 'Undo');
  await bot.write('/mute @annie', bo);
  expect(last(bot)?.text).toBe('Ann is muted.');
});

/** The tables in which a text occurs anywhere. */
async function findText(db: Kysely<Tables>, text: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name } of await db.introspection.getTables()) {
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
    if (JSON.stringify(rows).includes(text)) {
      found.push(name);
    }
  }
  return found.toSorted();
}

test('no text of a message is stored, but the reasons that administrators give', async () => {
  const bot = await startGroup();
  const { server } = bot;
  await server.services.chatValues.changeByCommand(
    { chatId: groupId, chatName: 'Otters', by: olga, kind: 'values' },
    new Map([[wholeChatId, { log_channel: { id: channelId, title: 'Log' } }]]),
  );
  const canary = 'canary-7Q';
  const reply = {
    reply_to_message: {
      message_id: 500,
      date: 0,
      chat: { id: groupId, type: 'supergroup', title: 'Otters' },
      from: personWith(ann),
      text: `Buy a ${canary}`,
    },
  };

  await bot.write(`Look: ${canary}`, ann);
  await bot.writeInPrivate(canary);
  await bot.hears({ edited_message: { ...reply.reply_to_message, edit_date: 1 } });
  await bot.write('Photo', ann, { caption: canary, photo: [] });
  await bot.write('/report', bo, reply);
  await bot.write('@admin', olga, {
    ...reply,
    text: `@admin ${canary}`,
    entities: [{ type: 'mention', offset: 0, length: 6 }],
  });
  for (const command of ['/warn', '/mute 1h', '/unmute', '/ban', '/unban', '/del', '/purge']) {
    await bot.write(command, bo, reply);
  }
  await bot.write(`/help ${canary}`, ann);
  await bot.write(`/status@nori_test_bot ${canary}`, ann);
  await server.services.dueJobs.runDue();

  expect(await findText(server.db, canary)).toEqual([]);
  expect(await findText(server.db, 'Otters')).not.toEqual([]);
  expect(server.logLines.join('\n')).not.toContain(canary);

  await bot.write(`/warn @annie ${canary}`, bo);
  await bot.write(`/ban @annie ${canary}`, bo);
  await server.services.dueJobs.runDue();
  expect(await findText(server.db, canary)).toEqual(['actions', 'warnings']);
  expect(server.logLines.join('\n')).not.toContain(canary);
});

test('the command of an anonymous administrator is stored only while a button waits for who it is', async () => {
  const bot = await startGroup();
  const anonymous = {
    from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
    sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' },
  };
  await bot.write('Hello', ann);
  await bot.write('/ban @annie canary-7Q', bo, anonymous);
  expect(await findText(bot.server.db, 'canary-7Q')).toEqual(['due_jobs']);

  bot.server.wait(minute);
  await bot.server.services.dueJobs.runDue();

  expect(await findText(bot.server.db, 'canary-7Q')).toEqual([]);
});

test('names are in no table but those of people and of groups', async () => {
  const bot = await startGroup();
  const named = (id: number) => ({ from: { ...personWith(id), first_name: 'Canaria' } });
  await bot.write('Hello', ann, named(ann));
  await bot.write('/report', bo, {
    reply_to_message: {
      message_id: 500,
      date: 0,
      chat: { id: groupId, type: 'supergroup', title: 'Otters' },
      ...named(ann),
    },
  });
  await bot.write('/warn @annie', bo);
  await bot.write('/ban @annie', bo);

  expect(await findText(bot.server.db, 'Canaria')).toEqual(['people_seen']);
});
