/** Anonymous administrators: a button shows who they are, and who presses it acts. */
import { expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { inboxRules } from '#server/lib/limits';
import {
  ann,
  anonymous,
  bo,
  channelId,
  continueWith,
  cy,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { createTestServer, openTestDatabase } from '#tests/test-server';

const anonymousId = 1_087_968_824;
const button = 'Confirm: I am an administrator';
const expired = 'This button has expired.';
const lacks = 'Only administrators with the right “Ban users” can do this.';

/** Cy is an administrator who may not ban. */
async function startAnonymous(options: Parameters<typeof startGroup>[0] = {}) {
  const group = await startGroup({
    group: { administratorRights: { [cy]: ['delete'] } },
    ...options,
  });
  return {
    ...group,
    saysAnonymously: (text: string, topicId?: number) =>
      group.says(anonymousId, text, { to: ann, fields: anonymous, topicId }),
  };
}

test('who presses the button acts, and those who may not change nothing', async () => {
  const group = await startAnonymous();
  const { api } = group;
  const command = await group.saysAnonymously('/ban 1h spam', 77);
  const question = api.messages.at(-1);
  expect(question).toMatchObject({
    text: 'You are anonymous, so I cannot see what you may do. Press the button within a minute.',
    body: { reply_parameters: { message_id: command }, message_thread_id: 77 },
  });
  expect(question?.ephemeral).toBeUndefined();
  expect(question && api.show(question)?.buttons).toEqual([[button]]);
  expect(api.callsTo('banChatMember')).toEqual([]);
  // What Ann has written is stored nowhere.
  const [waiting] = await group.server.db.selectFrom('due_jobs').select('body').execute();
  expect(waiting?.body).toContain('/ban 1h spam');
  expect(waiting?.body).not.toContain('Hello');

  const refused = await group.press([dan, button], [cy, button]);
  expect(refused).toMatchObject({ answers: [lacks, lacks], shown: { buttons: [[button]] } });
  expect(api.callsTo('banChatMember')).toEqual([]);

  expect((await group.press([bo, button])).answers).toEqual(['']);
  expect(api.callsTo('banChatMember')).toHaveLength(1);
  expect(api.messages.at(-1)).toMatchObject({
    text: 'Ann is banned for 1 hour. Reason: spam',
    body: { reply_parameters: { message_id: command }, message_thread_id: 77 },
  });
  expect(await group.listActions()).toEqual([
    { kind: 'ban', by_id: bo, target_id: ann, reason: 'spam' },
  ]);
  expect(await group.server.services.usage.totals()).toEqual([{ _id: 'ban', count: 1, today: 1 }]);
  await expect.poll(() => question && api.show(question)).toBeUndefined();
});

test('of two who press it at once, one acts', async () => {
  const group = await startAnonymous();
  await group.saysAnonymously('/warn');
  const { answers } = await group.press([bo, button], [olga, button]);

  expect(new Set(answers)).toEqual(new Set(['', expired]));
  expect(await group.listActions()).toHaveLength(1);
  expect(group.lastText()).toBe('Ann: warning 1 of 3.');
});

test('the answer for one alone is for who has pressed', async () => {
  const group = await startAnonymous();
  await group.saysAnonymously('/unmute');
  await group.press([bo, button]);

  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'Ann may write again.',
    ephemeral: { to: bo },
  });
});

test('what cannot be done is said to who has pressed, too', async () => {
  const group = await startAnonymous();
  await group.says(anonymousId, '/ban', { to: bo, fields: anonymous });
  await group.press([bo, button]);

  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'That would be you.',
    ephemeral: { to: bo },
  });
});

test('after a minute the button does nothing, and question and command go', async () => {
  const group = await startAnonymous();
  const { api, server } = group;
  const command = await group.saysAnonymously('/ban');
  const [question] = api.messages;
  const [data] = /v1:confirm:[^"]+/.exec(JSON.stringify(question)) ?? [];
  /** Also when the message is deleted meanwhile. */
  const pressLate = async (id: string) => {
    const message = {
      message_id: question?.messageId,
      date: 0,
      chat: { id: groupId, type: 'group' },
    };
    const from = { id: bo, is_bot: false, first_name: 'Bo' };
    await group.hears({ callback_query: { id, from, message, chat_instance: '1', data } });
    return api.presses.answers.find(({ pressId }) => pressId === id)?.text;
  };
  server.wait(60_000);
  expect(await pressLate('1')).toBe(expired);

  await server.services.dueJobs.runDue();
  expect(await pressLate('2')).toBe(expired);
  await server.services.deletions.deleteDue();
  expect(question && api.show(question)).toBeUndefined();
  expect(api.deletions.gone(groupId)).toContain(command);
  expect(api.callsTo('banChatMember')).toEqual([]);
  expect(await server.db.selectFrom('due_jobs').select('id').execute()).toEqual([]);
});

test('the button works after a restart of the server', async () => {
  const group = await startAnonymous();
  await group.saysAnonymously('/ban');
  await continueWith(group);
  const { answers } = await group.press([bo, button]);

  expect(answers).toEqual(['']);
  expect(group.lastText()).toBe('Ann is banned.');
  expect(await group.listActions()).toMatchObject([{ kind: 'ban', by_id: bo }]);
});

test('what a killed server has begun after the press is finished by the next', async () => {
  const kept = { ...(await openTestDatabase()), close: () => Promise.resolve() };
  const group = await startAnonymous({ database: kept });
  const { api } = group;
  await group.saysAnonymously('/kick');
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  api.hold('unbanChatMember', held);
  const pressing = group.press([bo, button]);
  await expect.poll(() => api.callsTo('unbanChatMember')).toHaveLength(1);

  const next = await createTestServer({ bot: { api }, database: kept });
  next.wait(inboxRules.leaseMs);
  await expect.poll(group.listActions).toMatchObject([{ kind: 'kick', by_id: bo }]);
  await expect.poll(group.lastText).toBe('Ann was removed and may come back.');
  await next.close();
  release();
  await pressing;
  expect(await group.listActions()).toHaveLength(1);
});

test('in a group that trusts them a ban needs no button, and a promotion does', async () => {
  const group = await startAnonymous();
  const { api } = group;
  await group.set({ trust_anonymous: true });
  await group.saysAnonymously('/ban 1h');
  expect(group.lastText()).toBe('Ann is banned for 1 hour.');
  expect(await group.listActions()).toMatchObject([{ kind: 'ban', by_id: anonymousId }]);

  await group.says(anonymousId, '/promote', { to: dan, fields: anonymous });
  expect(group.lastText()).toContain('You are anonymous');
  expect(api.callsTo('promoteChatMember')).toEqual([]);
});

test('a /setlog that was forwarded is confirmed also in a group that trusts them: the channel has to be that of who presses', async () => {
  const group = await startAnonymous();
  const { api, server } = group;
  const channel = { id: channelId, type: 'channel', title: 'Otter log' } as const;
  api.addChat({ ...channel, creator: olga, administrators: [bo] });
  await group.set({ trust_anonymous: true });
  const origin = { type: 'channel', chat: channel, message_id: 7, date: 0 };
  await group.says(anonymousId, '/setlog', { fields: { ...anonymous, forward_origin: origin } });
  expect(group.lastText()).toContain('You are anonymous');

  await group.press([bo, button]);
  expect(api.messages.findLast(({ to }) => to === groupId)?.text).toBe(
    'From now on, what is done here is written to “Otter log”.',
  );
  const values = (await server.services.chatValues.readForBot(groupId)).get(wholeChatId);
  expect(values?.get('log_channel')).toEqual({ id: channelId, title: 'Otter log' });
});

test('what only shows the log channel, or ends it, needs no button where they are trusted', async () => {
  const group = await startAnonymous();
  await group.set({ trust_anonymous: true });
  for (const command of ['/logchannel', '/setlog', '/unsetlog']) {
    await group.says(anonymousId, command, { fields: anonymous });
    expect(group.lastText()).not.toContain('You are anonymous');
  }
});

test('without the right of the bot, nothing is asked', async () => {
  const group = await startAnonymous({ group: { botRights: ['delete'] } });
  await group.saysAnonymously('/ban');

  expect(group.lastText()).toBe(
    'I need the right “Ban users” for this. Give it to me in the list of administrators.',
  );
});
