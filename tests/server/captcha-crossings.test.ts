/** Newcomers whose joining, leaving, messages and mutes the bot hears of in another order than they happened in. */
import { expect, onTestFinished, test } from 'vitest';

import { inboxRules } from '#server/lib/limits';
import { bo, personWith } from '#tests/command-group';
import { type NewcomerGroup, startNewcomers, uma } from '#tests/newcomers';
import { groupId } from '#tests/test-bot';
import { createTestServer, minute, openTestDatabase } from '#tests/test-server';

/** What Telegram tells when the bot has muted Uma until then. */
const toMute = ({ api, server }: NewcomerGroup, until: number, by = api.bot.id) => ({
  chat_member: {
    chat: { id: groupId, type: 'supergroup', title: 'Otters' },
    from: { id: by, is_bot: by === api.bot.id, first_name: 'Nori' },
    date: Math.floor(server.now() / 1000),
    old_chat_member: { user: personWith(uma), status: 'member' },
    new_chat_member: {
      user: personWith(uma),
      status: 'restricted',
      is_member: true,
      until_date: until,
      can_send_messages: false,
    },
  },
});

async function comeBackAtOnce() {
  const group = await startNewcomers();
  await group.joins(uma);
  const { until = 0 } = group.api.members.read(groupId, uma);
  await group.leaves(uma);
  group.server.wait(2000);
  await group.joins(uma);
  return { group, until };
}

test('who comes back before their first mute takes effect is not taken for muted by an administrator', async () => {
  const { group, until } = await comeBackAtOnce();

  await group.hears(toMute(group, until));

  expect(await group.check(uma)).toMatchObject({ state: 'open' });
  await group.passes(6 * minute);
  expect(group.status(uma)).toBe('kicked');
});

test.each([
  ['by another administrator', bo, 0],
  ['by a command, for ever', undefined, 0],
  ['by a command, for a day', undefined, 86_400],
])('who is muted %s is not asked any more', async (_how, by, seconds) => {
  const { group } = await comeBackAtOnce();
  const until = seconds === 0 ? 0 : Math.floor(group.server.now() / 1000) + seconds;

  await group.hears(toMute(group, until, by));

  expect(await group.check(uma)).toMatchObject({ state: 'let_in' });
});

test('who leaves and comes back at once leaves no line about their joining unless they pass', async () => {
  const group = await startNewcomers();
  const first = await group.joins(uma);
  // The bot hears of the second joining before it hears of the leaving.
  const second = group.toNotice(uma);
  await group.hears({ message: second });
  await group.leaves(uma);
  const third = group.toNotice(uma);
  await group.hears({ message: third });
  await group.hears(group.api.moves.join(groupId, uma));

  await group.passes(6 * minute);

  expect(group.status(uma)).toBe('kicked');
  expect([first, second.message_id, third.message_id].filter((id) => !group.isGone(id))).toEqual(
    [],
  );
});

test('the lines about who leaves, comes back and passes stay', async () => {
  const group = await startNewcomers();
  const lines = [await group.joins(uma)];
  await group.leaves(uma);
  group.server.wait(2000);
  lines.push(await group.joins(uma));

  await group.answersRight(uma);
  await group.passes(6 * minute);

  expect(lines.filter((id) => group.isGone(id))).toEqual([]);
});

test('what was written before passing goes, although the bot hears of it later; what comes after stays', async () => {
  const group = await startNewcomers();
  await group.joins(uma);
  const early = { ...group.toMessage(uma), text: 'Buy coins' };
  group.server.wait(4000);
  await group.answersRight(uma);
  const first = await group.writes(uma, 'Thank you');

  await group.hears({ message: early });

  expect(group.isGone(early.message_id)).toBe(true);
  expect(group.isGone(first)).toBe(false);
});

test('what may have been written at the moment of passing stays', async () => {
  const group = await startNewcomers();
  await group.joins(uma);
  group.server.wait(4000);
  // The clock of Telegram may be a little behind.
  const message = { ...group.toMessage(uma), text: 'Thank you' };
  group.server.wait(1000);
  await group.answersRight(uma);

  await group.hears({ message });

  expect(group.isGone(message.message_id)).toBe(false);
});

test('the time of a reminder is a whole number of milliseconds, as PostgreSQL wants it', async () => {
  const group = await startNewcomers();
  const { api, server } = group;
  const answer = Promise.withResolvers<void>();
  api.hold('restrictChatMember', answer.promise);
  onTestFinished(() => answer.resolve());
  const joining = group.joins(uma);
  await expect.poll(() => api.callsTo('restrictChatMember')).toHaveLength(1);
  server.wait(1);
  answer.resolve();
  await joining;

  const jobs = await server.db.selectFrom('due_jobs').select('due_at').execute();

  expect(jobs.length).toBeGreaterThan(0);
  expect(jobs.filter(({ due_at }) => !Number.isInteger(due_at))).toEqual([]);
});

test('what was written before the bot heard of the joining goes, although its server is killed before it has deleted it', async () => {
  const database = await openTestDatabase();
  const shared = { ...database, close: () => Promise.resolve() };
  const group = await startNewcomers(undefined, { database: shared });
  const { api } = group;
  const written = await group.writes(uma, 'Buy this');
  expect(group.isGone(written)).toBe(false);
  api.fail('deleteMessage', 'hang');
  const hearing = group.hears(api.moves.join(groupId, uma));
  await expect.poll(() => api.callsTo('deleteMessage')).toHaveLength(1);

  // The first server never hears of it, and the next one starts with what is stored.
  const next = await createTestServer({ bot: { api }, database: shared });
  next.wait(inboxRules.leaseMs);
  await next.services.deletions.deleteDue();

  await expect.poll(() => group.isGone(written)).toBe(true);
  await next.close();
  await hearing;
});
