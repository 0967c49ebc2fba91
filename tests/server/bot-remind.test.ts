/** Reminders: how they are asked for, when they come and where, over a restart, and what becomes of those that cannot be sent. */
import * as v from 'valibot';
import { beforeEach, describe, expect, test } from 'vitest';

import { listReminders, removeReminder } from '#contract/endpoints/reminders';
import { signIn } from '#tests/chats';
import { ann, anonymous, bo, type CommandGroup, dan, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const hour = 60 * minute;
const day = 24 * hour;

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

const last = () => group.api.messages.at(-1);
const runDue = () => group.server.services.dueJobs.runDue();
const writeInPrivate = (text: string) => group.writes(text, { chatId: ann, from: ann });
const countReminders = async () => (await group.server.services.reminders.list(ann)).length;

describe('in a group', () => {
  test('a person is reminded there, by name, at the time and once', async () => {
    await group.says(ann, '/remind 2h tea 🍵 is ready');
    expect(last()).toMatchObject({
      text: 'I will remind you in 2 hours.',
      ephemeral: { to: ann },
    });

    group.server.wait(2 * hour - 1);
    await runDue();
    expect(group.lastText()).toBe('I will remind you in 2 hours.');
    group.server.wait(1);
    await runDue();
    expect(last()).toMatchObject({
      to: groupId,
      text: 'Ann, a reminder: tea 🍵 is ready',
      body: { entities: [{ type: 'text_mention', offset: 0, length: 3, user: { id: ann } }] },
    });
    expect(last()?.ephemeral).toBeUndefined();

    const sent = group.api.messages.length;
    await runDue();
    expect(group.api.messages).toHaveLength(sent);
    expect(await countReminders()).toBe(0);
  });

  test('a reply is a reminder of that message, with a link to it', async () => {
    const replied = group.toMessage(dan, { text: 'Lunch?' });
    await group.says(ann, '/remind 1d', { fields: { reply_to_message: replied } });
    group.server.wait(day);
    await runDue();
    expect(last()).toMatchObject({
      text: 'Ann, a reminder of this message.',
      body: {
        reply_parameters: { message_id: replied.message_id, allow_sending_without_reply: true },
        reply_markup: {
          inline_keyboard: [
            [{ text: 'Show the message', url: `https://t.me/c/1234567890/${replied.message_id}` }],
          ],
        },
      },
    });
  });

  test('it comes in the topic in which it was asked for', async () => {
    group.group.isForum = true;
    await group.says(ann, '/remind 5m tea', { topicId: 7 });
    group.server.wait(5 * minute);
    await runDue();
    expect(last()).toMatchObject({
      text: 'Ann, a reminder: tea',
      body: { message_thread_id: 7 },
    });
  });

  test('names in a text are no links to people', async () => {
    await group.says(ann, '/remind 5m \uE000 @bo_otter');
    group.server.wait(5 * minute);
    await runDue();
    expect(group.lastText()).toBe('Ann, a reminder: \uFFFD @bo_otter');
    expect(last()?.body['entities']).toHaveLength(1);
  });

  test('an anonymous administrator is asked to write in their own name', async () => {
    await group.says(bo, '/remind 5m tea', { fields: anonymous });
    expect(group.lastText()).toBe(
      'For this I have to know who you are. Write it in your own name.',
    );
  });

  test('it ends when the bot is removed from the group', async () => {
    await group.says(ann, '/remind 5m tea');
    group.server.wait(5 * minute);
    group.group.bot = 'kicked';
    await runDue();
    expect(await countReminders()).toBe(0);
  });
});

test.each([
  ['/remind', 'When, and of what?'],
  ['/remind tea', 'When, and of what?'],
  ['/remind 2h', 'When, and of what?'],
  ['/remind 59s tea', 'Between 1 minute and 1 year'],
  ['/remind 366d tea', 'Between 1 minute and 1 year'],
  [`/remind 1h ${'x'.repeat(501)}`, 'At most 500 characters.'],
])('%.20s is refused with what to write', async (text, answer) => {
  await group.says(ann, text);
  expect(group.lastText()).toContain(answer);
  expect(await countReminders()).toBe(0);
});

test.each(['60s', '365d', '1d12h'])('%s is a time', async (time) => {
  await group.says(ann, `/remind ${time} tea`);
  expect(group.lastText()).toMatch(/^I will remind you in /);
});

test('a person has at most 25, and each is deleted by its button, by that person alone', async () => {
  const { reminders } = group.server.services;
  for (let number = 1; number <= 25; number += 1) {
    const dueAt = group.server.now() + number * hour;
    const place = { chatId: groupId, topicId: undefined };
    await reminders.add({
      key: `k${number}`,
      telegramId: ann,
      ...place,
      text: `t${number}`,
      dueAt,
    });
  }
  await group.says(ann, '/remind 1h tea');
  expect(group.lastText()).toBe('At most 25 reminders. /reminders lists yours.');

  // Without ephemeral messages all see the list for a minute.
  group.group.knowsEphemeral = false;
  await group.says(ann, '/reminders');
  expect(group.lastText()).toMatch(/^Your reminders:\n1\) in 60 minutes: t1\n2\) in 2 hours: t2\n/);
  const byDan = await group.press([dan, 'Delete 1']);
  expect(await countReminders()).toBe(25);
  expect(byDan.answers).toEqual(['This reminder is gone, or it is not yours.']);
  expect(byDan.shown?.text).toContain('1) in 60 minutes: t1');
  await group.says(ann, '/reminders');
  await group.press([ann, 'Delete 2']);
  expect((await reminders.list(ann)).map(({ text }) => text).slice(0, 2)).toEqual(['t1', 't3']);
});

test('in a group no reminders of other places are listed, in private all', async () => {
  await writeInPrivate('/remind 3h a secret');
  await group.says(ann, '/remind 2h tea');
  await group.says(ann, '/reminders');
  expect(group.lastText()).toBe('Your reminders:\n1) in 2 hours: tea');
  await writeInPrivate('/reminders');
  expect(group.lastText()).toBe('Your reminders:\n1) in 2 hours: tea\n2) in 3 hours: a secret');
});

test('a reminder is kept over a restart, and the command counts once when it is handled again', async () => {
  await group.says(ann, '/remind 5m tea');
  const next = await group.hearsAgain();
  expect(await next.services.reminders.list(ann)).toHaveLength(1);
  next.wait(5 * minute);
  await next.services.dueJobs.runDue();
  expect(group.lastText()).toBe('Ann, a reminder: tea');
});

test('who has blocked the bot is tried for three days, and reminded if they come back in time', async () => {
  await writeInPrivate('/remind 5m tea');
  await writeInPrivate('/remind 5m cake');
  group.server.wait(5 * minute);
  group.api.setReach(ann, 'blocked');
  await runDue();
  group.server.wait(2 * day);
  await runDue();
  expect(await countReminders()).toBe(2);
  expect(group.api.messages.filter(({ text }) => text.startsWith('A reminder'))).toEqual([]);

  group.api.setReach(ann, 'started');
  await group.says(ann, 'Hello');
  group.server.wait(3 * hour);
  await runDue();
  expect(group.api.messages.filter(({ text }) => text.startsWith('A reminder'))).toHaveLength(2);
  expect(await countReminders()).toBe(0);
});

test('who stays away for more than three days is reminded no more', async () => {
  await writeInPrivate('/remind 5m tea');
  group.api.setReach(ann, 'blocked');
  for (let hours = 0; hours <= 3 * 24 + 3; hours += 3) {
    group.server.wait(hours === 0 ? 5 * minute : 3 * hour);
    await runDue();
  }
  expect(await countReminders()).toBe(0);
  expect(
    group.api.callsTo('sendMessage').filter(({ body }) => body['text'] === 'A reminder: tea'),
  ).toHaveLength(25);
});

test('while Telegram does not answer, it comes later', async () => {
  await group.says(ann, '/remind 5m tea');
  group.server.wait(5 * minute);
  group.api.failAll('html');
  await runDue();
  group.api.failAll();
  group.server.wait(10 * minute);
  await runDue();
  expect(group.lastText()).toBe('Ann, a reminder: tea');
});

test('a group that becomes a supergroup is reminded there, without the link to a message that has another ID', async () => {
  group.group.type = 'group';
  const replied = group.toMessage(dan, { text: 'Lunch?' });
  await group.says(ann, '/remind 5m', { fields: { reply_to_message: replied } });
  const newId = -1_009_999_999_999;
  group.api.upgrade(groupId, newId);
  group.server.wait(5 * minute);
  await runDue();
  expect(last()).toMatchObject({ to: newId, text: 'Ann, a reminder of this message.' });
});

test('Forget me deletes reminders, and whoever has some is shown the button', async () => {
  await writeInPrivate('/remind 5m tea');
  await writeInPrivate('/privacy');
  expect(group.lastText()).toContain('reminders until they are due');
  await group.press([ann, 'Forget me']);
  expect(await countReminders()).toBe(0);
});

test('the app lists a person’s own reminders and deletes them', async () => {
  const { server } = group;
  await group.says(ann, '/remind 2h tea');
  await group.says(dan, '/remind 1h cake');
  const me = await signIn(server, ann);

  const { body } = await server.call(listReminders, {}, me);
  const { reminders } = v.parse(listReminders.output, body);
  expect(reminders).toEqual([
    {
      id: expect.any(String),
      chat_id: String(groupId),
      text: 'tea',
      due_at: new Date(server.now() + 2 * hour).toISOString(),
    },
  ]);
  const [ofDan] = await server.services.reminders.list(dan);
  expect((await server.call(removeReminder, { id: ofDan?.id ?? '' }, me)).status).toBe(204);
  expect(await server.services.reminders.list(dan)).toHaveLength(1);
  expect((await server.call(removeReminder, { id: reminders[0]?.id ?? '' }, me)).status).toBe(204);
  expect(await countReminders()).toBe(0);
});
