/** Two servers with one PostgreSQL hear the same group: what one does or learns counts for the other at once. */
import { afterAll, describe, expect, test, vi } from 'vitest';

import { createSharedPauses } from '#server/services/telegram-pauses';
import { type ActionOutcome } from '#server/upstream/telegram/chat-actions';
import { startPostgres } from '#tests/postgres';
import { groupId, type TestBot } from '#tests/test-bot';
import { openTestDatabase, type TestServer } from '#tests/test-server';
import { startTwo as startServers } from '#tests/two-servers';

const postgres = await startPostgres();
afterAll(() => postgres?.close());

const [olga, bo, ann] = [111, 222, 444];
const people = [
  { id: olga, first_name: 'Olga' },
  { id: bo, first_name: 'Bo' },
  { id: ann, first_name: 'Ann', username: 'annie' },
] as const;
const personWith = (id: number) => ({ is_bot: false, ...people.find((one) => one.id === id) });

const startTwo = async () => {
  const two = await startServers({ database: await openTestDatabase(postgres?.url), people });
  const write = (text: string, from = bo, fields: Readonly<Record<string, unknown>> = {}) =>
    two.write(text, from, fields);
  return { ...two, write };
};

const lastText = ({ api }: Pick<TestBot, 'api'>) => api.messages.at(-1)?.text;

const countActions = async ({ server }: Pick<TestBot, 'server'>, kind: 'ban' | 'mute' | 'warn') =>
  (await server.db.selectFrom('actions').select('id').where('kind', '=', kind).execute()).length;

describe.skipIf(postgres === undefined)('two servers on one PostgreSQL', () => {
  test('warnings by both at the limit at once mute once', async () => {
    const bot = await startTwo();
    const { memberCommands } = bot.first.services;
    await bot.write('/warnlimit 2');
    const members = Array.from({ length: 8 }, (_one, index) => 5000 + index);
    bot.group.members = members;
    const toOrder = (member: number, key: string) => ({
      chatId: groupId,
      by: { telegramId: bo, name: 'Bo' },
      target: { telegramId: member, name: 'Mo' },
      reason: '',
      key,
      isBasicGroup: false,
    });
    for (const member of members) {
      await memberCommands.warnings.warn(toOrder(member, `before ${member}`));
    }

    const results = await Promise.all(
      members.map((member) =>
        Promise.all(
          [bot.first, bot.second].map(({ services }, index) =>
            services.memberCommands.warnings.warn(toOrder(member, `${index} ${member}`)),
          ),
        ),
      ),
    );

    for (const both of results) {
      expect(both.filter(({ action }) => action?.kind === 'mute')).toHaveLength(1);
    }
    expect(await countActions(bot, 'mute')).toBe(members.length);
    expect(bot.api.callsTo('restrictChatMember')).toHaveLength(members.length);
  });

  test('warnings that the servers hear in turn are counted together, and each once', async () => {
    const bot = await startTwo();
    await bot.write('Hello', ann);

    for (let count = 0; count < 6; count += 1) {
      await bot.write('/warn @annie');
    }

    expect(bot.api.messages.map(({ text }) => text.split('\n')[0])).toEqual(
      [1, 2, 3, 1, 2, 3].map((count) => `Ann: warning ${count} of 3.`),
    );
    expect(await countActions(bot, 'warn')).toBe(6);
    expect(await countActions(bot, 'mute')).toBe(2);
  });

  test('a person whom one has seen is found by @name in the other', async () => {
    const bot = await startTwo();
    bot.goTo(bot.first);
    await bot.write('Hello', ann);

    bot.goTo(bot.second);
    await bot.write('/mute @annie');

    expect(lastText(bot)).toBe('Ann is muted.');
  });

  test('a value that a command sets in one counts in the other at once', async () => {
    const bot = await startTwo();
    bot.goTo(bot.second);
    await bot.write('/warnlimit');
    expect(lastText(bot)).toMatch(/^At 3 warnings/);

    bot.goTo(bot.first);
    await bot.write('/warnlimit 5');
    bot.goTo(bot.second);
    await bot.write('/warnlimit');

    expect(lastText(bot)).toMatch(/^At 5 warnings/);
  });

  test('the photo of a member whom one hears to be an administrator is left alone by the other', async () => {
    const bot = await startTwo();
    const writePhoto = async () => {
      const id = await bot.write('', ann, { text: undefined, photo: [{ file_id: 'a' }] });
      return bot.api.deletions.of(groupId).includes(id) ? 'deleted' : 'stays';
    };
    await bot.write('/lock photo');
    bot.goTo(bot.second);
    expect(await writePhoto()).toBe('deleted');
    bot.group.administrators.push(ann);

    bot.goTo(bot.first);
    await bot.hears({
      chat_member: {
        chat: { id: groupId, type: 'supergroup', title: 'Otters' },
        from: personWith(olga),
        date: 0,
        old_chat_member: { status: 'member', user: personWith(ann) },
        new_chat_member: { status: 'administrator', user: personWith(ann) },
      },
    });
    bot.goTo(bot.second);

    await expect.poll(writePhoto, { timeout: 10_000 }).toBe('stays');
  });

  test('a chat that Telegram wants no calls about for a while has to wait at both', async () => {
    const bot = await startTwo();
    const heard = vi.fn<(chatId: number, waitMs: number) => void>();
    createSharedPauses(bot.second.deps, bot.second.services.chatEvents).onTold(heard);
    await bot.second.services.chatEvents.ready();
    const calls: number[] = [];
    const done = { kind: 'done', result: true } as const;
    const send = ({ services }: TestServer, outcome: ActionOutcome) =>
      services.outbox.send(groupId, () => {
        calls.push(performance.now());
        const answer: ActionOutcome = calls.length === 1 ? outcome : done;
        return Promise.resolve(answer);
      });

    const paused = send(bot.first, { kind: 'later', retryAfterS: 2 });
    await expect.poll(() => heard.mock.calls, { timeout: 10_000 }).toEqual([[groupId, 2000]]);
    await Promise.all([paused, send(bot.second, done)]);

    const [first = 0, ...later] = calls;
    expect(later).toHaveLength(2);
    expect(Math.min(...later) - first).toBeGreaterThan(1500);
  });

  test('deletions of both wait when Telegram wants no calls about the chat of one', async () => {
    const bot = await startTwo();
    const heard = vi.fn<(chatId: number, waitMs: number) => void>();
    createSharedPauses(bot.second.deps, bot.second.services.chatEvents).onTold(heard);
    await bot.second.services.chatEvents.ready();
    const countCalls = () =>
      ['deleteMessage', 'deleteMessages'].flatMap((method) => bot.api.callsTo(method)).length;
    const writePhoto = () => bot.write('', ann, { text: undefined, photo: [{ file_id: 'a' }] });
    await bot.write('/lock photo');
    bot.api.fail(
      'deleteMessage',
      { error_code: 429, description: 'Too Many Requests', parameters: { retry_after: 30 } },
      1,
    );
    const before = countCalls();

    bot.goTo(bot.first);
    const first = await writePhoto();
    await expect.poll(() => heard.mock.calls, { timeout: 10_000 }).toEqual([[groupId, 30_000]]);
    bot.goTo(bot.second);
    const second = await writePhoto();

    expect(countCalls()).toBe(before + 1);
    const waiting = await bot.server.db.selectFrom('due_deletions').select('message_id').execute();
    expect(waiting.map(({ message_id }) => message_id)).toEqual(
      expect.arrayContaining([first, second]),
    );
  });

  test('an anonymous administrator confirms at the other server', async () => {
    const bot = await startTwo();
    bot.goTo(bot.first);
    await bot.write('Hello', ann);
    await bot.write('/ban @annie', bo, {
      from: { id: 1_087_968_824, is_bot: true, first_name: 'Group' },
      sender_chat: { id: groupId, type: 'supergroup', title: 'Otters' },
    });
    const asked = bot.api.messages.at(-1);
    expect(await countActions(bot, 'ban')).toBe(0);

    bot.goTo(bot.second);
    if (asked !== undefined) {
      bot.api.presses.press(asked, bo, 'Confirm: I am an administrator');
      await bot.api.updates.confirmed();
      await bot.server.handled();
    }

    expect(lastText(bot)).toBe('Ann is banned.');
    expect(await countActions(bot, 'ban')).toBe(1);
  });

  test('of two administrators who press at both at once, one deals with the report', async () => {
    const bot = await startTwo();
    bot.group.knowsEphemeral = false;
    await bot.write('Hello', ann);
    await bot.write('/report', olga, {
      reply_to_message: {
        message_id: 500,
        date: 0,
        chat: { id: groupId, type: 'supergroup', title: 'Otters' },
        from: personWith(ann),
      },
    });
    const [report] = bot.api.messages;

    const ids = report && [
      bot.api.presses.press(report, bo, 'Ban'),
      bot.api.presses.press(report, olga, 'Mute'),
    ];
    await bot.api.updates.confirmed();
    await bot.server.handled();

    const notices = ids?.map(
      (id) => bot.api.presses.answers.find(({ pressId }) => pressId === id)?.text,
    );
    expect(notices?.toSorted()).toEqual(['', expect.stringContaining('This report is closed')]);
    expect((await countActions(bot, 'ban')) + (await countActions(bot, 'mute'))).toBe(1);
  });

  test('a reminder that is due is sent by one of them, once', async () => {
    const bot = await startTwo();
    await bot.write('/remind 5m tea', ann);
    const dueAt = bot.first.now() + 5 * 60_000;
    for (const server of [bot.first, bot.second]) {
      server.wait(dueAt - server.now());
    }

    await Promise.all([bot.first, bot.second].map(({ services }) => services.dueJobs.runDue()));

    const sent = bot.api.messages.filter(({ text }) => text === 'Ann, a reminder: tea');
    expect(sent).toHaveLength(1);
    expect(await bot.first.services.reminders.list(ann)).toEqual([]);
  });

  test('who says to one of them to be away is away for the other at once', async () => {
    const bot = await startTwo();
    bot.goTo(bot.second);
    await bot.write('Hello', ann);
    bot.goTo(bot.first);
    await bot.write('/afk lunch', ann);
    bot.goTo(bot.second);
    const reply = { reply_to_message: { message_id: 5, date: 0, from: personWith(ann) } };
    await expect
      .poll(async () => {
        await bot.write('Well?', bo, reply);
        return bot.api.messages.some(({ text }) => text.startsWith('Ann has been away'));
      })
      .toBe(true);
  });
});
