/** Many messages are deleted by command, or one. */
import { expect, test } from 'vitest';

import {
  ann,
  bo,
  type CommandGroup,
  continueWith,
  cy,
  dan,
  startGroup,
} from '#tests/command-group';
import { groupId } from '#tests/test-bot';

const hourMs = 60 * 60_000;
const firstId = 20_000;

const range = (first: number, count: number) =>
  Array.from({ length: count }, (_one, index) => first + index);

const byNumber = (ids: readonly number[]) => ids.toSorted((one, other) => one - other);

/** Bo purges from a message on, so many before the command. */
const purge = ({ says, toMessage }: CommandGroup, count: number) =>
  says(bo, '/purge', {
    fields: {
      message_id: firstId + count,
      reply_to_message: toMessage(ann, { message_id: firstId }),
    },
  });

test.each([
  [1, '1 message deleted.', []],
  [100, '100 messages deleted.', [100]],
  [101, '101 messages deleted.', [100]],
  [1000, '1000 messages deleted.', Array.from({ length: 10 }, () => 100)],
])(
  '%d messages from the replied one on are deleted, a hundred at a time',
  async (count, said, calls) => {
    const group = await startGroup();
    await purge(group, count);

    expect(group.lastText()).toBe(said);
    // The command goes with them.
    expect(group.api.deletions.gone(groupId)).toEqual(range(firstId, count + 1));
    expect(
      group.api.callsTo('deleteMessages').map(({ body }) => Object(body['message_ids']).length),
    ).toEqual(calls);
  },
);

test('the answer to a purge is deleted after ten seconds', async () => {
  const group = await startGroup();
  const { api, server } = group;
  await purge(group, 3);
  const [answer] = api.messages;
  expect(answer?.ephemeral).toBeUndefined();

  server.wait(9000);
  await server.services.deletions.deleteDue();
  expect(answer && api.show(answer)).toBeDefined();
  server.wait(1000);
  await server.services.deletions.deleteDue();
  expect(answer && api.show(answer)).toBeUndefined();
});

const putOff = 'Telegram does not answer right now. What is left is deleted as soon as it does.';
const usage = 'Reply to the first message that should go, or write how many: /purge 20';

test.each([
  { text: '/purge', count: 1001, said: 'At most 1000 messages.' },
  { text: '/purge 1001', count: 1, said: 'At most 1000 messages.' },
  { text: '/purge all', count: 1, said: usage },
  { text: '/purge 0', count: 1, said: usage },
])('$text for $count messages is refused', async ({ text, count, said }) => {
  const { api, says, toMessage } = await startGroup();
  const reply_to_message = toMessage(ann, { message_id: firstId });
  await says(bo, text, { fields: { message_id: firstId + count, reply_to_message } });

  expect(api.messages.map((message) => [message.text, message.ephemeral?.to])).toEqual([
    [said, bo],
  ]);
  expect(api.deletions.of(groupId)).toEqual([]);
});

test('a purge needs a message or a number, and the right to delete on both sides', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['restrict'] } } });
  const { says } = group;
  await says(bo, '/purge');
  expect(group.lastText()).toBe(usage);
  await says(bo, '/del');
  expect(group.lastText()).toBe('Reply to the message that should go.');
  for (const from of [cy, dan]) {
    for (const text of ['/purge', '/del']) {
      await says(from, text, { to: ann });
      expect(group.lastText()).toBe(
        'Only administrators with the right “Delete messages” can do this.',
      );
    }
  }

  group.group.botMayDelete = false;
  group.server.services.memberCommands.rights.forget(groupId);
  for (const text of ['/purge', '/del']) {
    await says(bo, text, { to: ann });
    expect(group.lastText()).toBe(
      'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
    );
  }
  expect(group.api.deletions.of(groupId)).toEqual([]);
});

test('from a message that is too old, what is newer is deleted, and the rest is counted', async () => {
  const group = await startGroup();
  const { api, says, server, toMessage } = group;
  const written = [await says(ann, 'Hello'), await says(dan, 'Hi'), await says(ann, 'Bye')];
  const [first = 0] = written;
  const old = Math.floor((server.now() - 49 * hourMs) / 1000);

  const command = await says(bo, '/purge', {
    fields: { reply_to_message: toMessage(ann, { message_id: first - 5, date: old }) },
  });

  expect(group.lastText()).toMatch(/^\d messages deleted, 5 were too old\.$/);
  expect(api.deletions.gone(groupId)).toEqual(range(first, command - first + 1));
});

test('nothing but old messages: nothing is deleted but the command', async () => {
  const group = await startGroup();
  const { api, says, server, toMessage } = group;
  const old = Math.floor((server.now() - 48 * hourMs) / 1000);
  const reply_to_message = toMessage(ann, { date: old });

  const command = await says(bo, '/purge', { fields: { reply_to_message } });

  expect(group.lastText()).toBe('0 messages deleted, 1 was too old.');
  expect(api.deletions.of(groupId)).toEqual([command]);
});

test('what Telegram does not delete is counted as too old, and keeps no other message', async () => {
  const group = await startGroup();
  group.api.deletions.forbid(groupId, firstId + 1);
  await purge(group, 4);

  expect(group.lastText()).toBe('3 messages deleted, 1 was too old.');
  expect(byNumber(group.api.deletions.gone(groupId))).toEqual(
    range(firstId, 5).filter((id) => id !== firstId + 1),
  );
});

test('in a forum a purge deletes what was written in its own topic', async () => {
  const group = await startGroup({ group: { isForum: true } });
  const { api, says, toMessage } = group;
  const places = [7, undefined, 8, 7, undefined, 7];
  const ids: number[] = [];
  for (const topicId of places) {
    ids.push(await says(ann, 'Hello', { topicId }));
  }
  const [first = 0, general = 0, , second = 0, inGeneral = 0, last = 0] = ids;

  const inTopic = await says(bo, '/purge', {
    topicId: 7,
    fields: { reply_to_message: toMessage(ann, { message_id: first }) },
  });
  expect(group.lastText()).toBe('3 messages deleted.');
  expect(api.messages.at(-1)?.body).toMatchObject({ message_thread_id: 7 });
  expect(byNumber(api.deletions.gone(groupId))).toEqual([first, second, last, inTopic]);

  const command = await says(bo, '/purge', {
    fields: { reply_to_message: toMessage(ann, { message_id: general }) },
  });
  expect(group.lastText()).toBe('2 messages deleted.');
  expect(byNumber(api.deletions.gone(groupId)).filter((id) => id > last || id === general)).toEqual(
    [general, inTopic, command],
  );
  expect(api.deletions.gone(groupId)).toContain(inGeneral);
});

test('by number the newest messages of the topic are deleted', async () => {
  const group = await startGroup({ group: { isForum: true } });
  const { api, says, server } = group;
  const ids: number[] = [await says(ann, 'Old', { topicId: 7 })];
  server.wait(49 * hourMs);
  for (const topicId of [7, 8, 7, 7]) {
    ids.push(await says(dan, 'Hello', { topicId }));
  }
  const [, first = 0, , third = 0, fourth = 0] = ids;

  const two = await says(bo, '/purge 2', { topicId: 7 });
  expect(group.lastText()).toBe('2 messages deleted.');
  expect(byNumber(api.deletions.gone(groupId))).toEqual([third, fourth, two]);

  const rest = await says(bo, '/purge 20', { topicId: 7 });
  expect(byNumber(api.deletions.gone(groupId))).toEqual([first, third, fourth, two, rest]);
});

test('in a basic group, whose IDs are shared with other chats, only messages that the bot has seen are deleted', async () => {
  const group = await startGroup({ group: { type: 'group' } });
  const { api, says, toMessage } = group;
  const seen = await says(dan, 'Hello', { fields: { message_id: firstId + 2000 } });
  const reply_to_message = toMessage(ann, { message_id: firstId });
  await says(bo, '/purge', { fields: { message_id: firstId + 4000, reply_to_message } });

  expect(seen).toBeDefined();
  expect(group.lastText()).toBe('2 messages deleted.');
  expect(byNumber(api.deletions.gone(groupId))).toEqual([firstId, firstId + 2000, firstId + 4000]);
});

test('while Telegram wants no calls, a purge waits, and is done later', async () => {
  const group = await startGroup();
  const { api, server } = group;
  api.fail('deleteMessages', {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  });
  await purge(group, 150);
  expect(api.messages.map((message) => [message.text, message.ephemeral?.to])).toEqual([
    [putOff, bo],
  ]);
  expect(api.deletions.gone(groupId)).toEqual([]);

  server.wait(29_000);
  await server.services.deletions.deleteDue();
  expect(api.callsTo('deleteMessages')).toHaveLength(1);
  server.wait(1000);
  await server.services.deletions.deleteDue();
  expect(byNumber(api.deletions.gone(groupId)).filter((id) => id >= firstId)).toEqual(
    range(firstId, 151),
  );
});

test('a purge that is handled again deletes the same messages', async () => {
  const group = await startGroup();
  const { api, says, toMessage } = group;
  const written = [await says(ann, 'One'), await says(ann, 'Two')];
  const [first = 0] = written;
  const reply_to_message = toMessage(ann, { message_id: first });
  const command = await says(bo, '/purge', { fields: { reply_to_message } });
  await group.hearsAgain();

  expect(new Set(api.deletions.gone(groupId)).size).toBe(command - first + 1);
  expect(new Set(api.messages.map(({ text }) => text)).size).toBe(1);
});

/** A forum in whose topic Ann has written four messages; returns their IDs, too. */
async function startTopic() {
  const group = await startGroup({ group: { isForum: true } });
  const ids: number[] = [];
  for (const text of ['One', 'Two', 'Three', 'Four']) {
    ids.push(await group.says(ann, text, { topicId: 7 }));
  }
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  return { group, first, second, third, fourth };
}

test('a purge by number that is handled again deletes no older messages', async () => {
  const { group, third, fourth } = await startTopic();
  const command = await group.says(bo, '/purge 2', { topicId: 7 });
  await group.hearsAgain();

  expect(byNumber(group.api.deletions.gone(groupId))).toEqual([third, fourth, command]);
  expect(group.api.messages.map(({ text }) => text)).toEqual([
    '2 messages deleted.',
    '2 messages deleted.',
  ]);
});

test('a server that is stopped while the answer waits has purged once', async () => {
  const { group, third, fourth } = await startTopic();
  const { api } = group;
  api.fail('sendMessage', {
    error_code: 429,
    description: 'Too Many Requests: retry after 600',
    parameters: { retry_after: 600 },
  });
  const purging = group.says(bo, '/purge 2', { topicId: 7 }).catch(() => undefined);
  await expect.poll(() => api.callsTo('sendMessage')).toHaveLength(1);
  await continueWith(group);
  await purging;

  expect(group.lastText()).toBe('2 messages deleted.');
  expect(byNumber(api.deletions.gone(groupId)).filter((id) => id <= fourth)).toEqual([
    third,
    fourth,
  ]);
});

test('/purge 20 in a group without topics deletes what the bot has not seen, too', async () => {
  const { api, says, lastText } = await startGroup();
  await says(bo, '/purge 20', { fields: { message_id: firstId + 20 } });
  expect(lastText()).toBe('20 messages deleted.');
  expect(byNumber(api.deletions.gone(groupId))).toEqual(range(firstId, 21));

  await says(bo, '/purge 20', { fields: { message_id: 4 } });
  expect(lastText()).toBe('3 messages deleted.');
});

test('the first of a thousand are too old: Telegram is not called for each of them', async () => {
  const { api, says, lastText } = await startGroup();
  const oldCount = 880;
  api.deletions.forbid(groupId, ...range(firstId, oldCount));
  await says(bo, '/purge 1000', { fields: { message_id: firstId + 1000 } });

  expect(lastText()).toBe('120 messages deleted, 880 were too old.');
  expect(api.deletions.gone(groupId)).toHaveLength(121);
  expect([...api.callsTo('deleteMessage'), ...api.callsTo('deleteMessages')].length).toBeLessThan(
    150,
  );
});

test('while Telegram does not answer, a purge says so, and the next one takes nothing older', async () => {
  const { group, third, fourth } = await startTopic();
  const { api, says, server } = group;
  const away = { error_code: 500, description: 'Internal Server Error' };
  api.fail('deleteMessage', away);
  await says(bo, '/purge 1', { topicId: 7 });
  expect(group.lastText()).toBe(putOff);

  // Before Telegram answers again, it is the same message.
  await says(bo, '/purge 1', { topicId: 7 });
  expect(group.lastText()).toBe(putOff);
  expect(api.deletions.gone(groupId)).toEqual([]);
  server.wait(60_000);
  await server.services.deletions.deleteDue();
  expect(api.deletions.gone(groupId)).toContain(fourth);
  expect(api.deletions.gone(groupId)).not.toContain(third);

  // It is gone now.
  await says(bo, '/purge 1', { topicId: 7 });
  expect(group.lastText()).toBe('1 message deleted.');
  expect(api.deletions.gone(groupId)).toContain(third);
});

test('/del that is handled again deletes nothing else, and says nothing', async () => {
  const group = await startGroup();
  const { api, says, toMessage } = group;
  const reply_to_message = toMessage(ann);
  const command = await says(bo, '/del', { fields: { reply_to_message } });
  await group.hearsAgain();

  expect(api.messages).toEqual([]);
  expect(new Set(api.deletions.of(groupId))).toEqual(
    new Set([reply_to_message.message_id, command]),
  );
});

test('while Telegram does not answer, /del says so, and deletes later', async () => {
  const { api, says, lastText, toMessage, server } = await startGroup();
  api.fail('deleteMessages', { error_code: 500, description: 'Internal Server Error' });
  const reply_to_message = toMessage(ann);
  await says(bo, '/del', { fields: { reply_to_message } });
  expect(lastText()).toBe(putOff);

  server.wait(1000);
  await server.services.deletions.deleteDue();
  expect(api.deletions.gone(groupId)).toContain(reply_to_message.message_id);
});

test('while Telegram does not answer, no button says that messages were deleted', async () => {
  const { api, says, press, server } = await startGroup();
  const away = { error_code: 500, description: 'Internal Server Error' };
  const written = await says(dan, 'Spam');
  await says(bo, `/ban ${dan}`);
  api.fail('deleteMessage', away);
  expect((await press([bo, 'Delete messages'])).answers).toEqual([putOff]);
  server.wait(60_000);
  await server.services.deletions.deleteDue();
  expect(api.deletions.gone(groupId)).toContain(written);

  await says(ann, '/report', { to: dan });
  api.fail('deleteMessage', away);
  expect((await press([cy, 'Delete'])).answers).toEqual([putOff]);
  server.wait(60_000);
  await server.services.deletions.deleteDue();
  // The report has kept its buttons.
  const { shown } = await press([cy, 'Delete']);
  expect(shown?.text).toMatch(/ was deleted by Cy\.$/);
});

test('/del deletes the replied message and the command, and answers only when it cannot', async () => {
  const group = await startGroup();
  const { api, says, toMessage } = group;
  const reply_to_message = toMessage(ann);
  const command = await says(bo, '/del', { fields: { reply_to_message } });
  expect(byNumber(api.deletions.gone(groupId))).toEqual(
    byNumber([reply_to_message.message_id, command]),
  );
  expect(api.messages).toEqual([]);

  const old = toMessage(ann);
  api.deletions.forbid(groupId, old.message_id);
  await says(bo, '/del', { fields: { reply_to_message: old } });
  expect(group.lastText()).toBe('Telegram lets me delete no message that is older than 48 hours.');
});
