/** Members who write too much: the whole run is deleted, and they are muted, removed or banned once. */
import { describe, expect, test } from 'vitest';

import {
  ann,
  anonymous,
  asChannel,
  bo,
  channelId,
  type CommandGroup,
  continueWith,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

/** Writes so many messages, and resolves with their IDs. */
async function write(
  group: CommandGroup,
  [from, count]: readonly [from: number, count: number],
  saying: Parameters<CommandGroup['says']>[2] = {},
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let written = 0; written < count; written += 1) {
    // In their order: a run is one after the other.
    ids.push(await group.says(from, `Message ${written}`, saying));
  }
  return ids;
}

const settle = async ({ server }: Pick<CommandGroup, 'server'>) => {
  await server.services.dueJobs.runDue();
  await server.services.chatNumbers.save();
};

const gone = ({ api }: CommandGroup) => api.deletions.gone(groupId).toSorted((a, b) => a - b);

const status = ({ api }: CommandGroup, id: number) => api.members.read(groupId, id).status;

describe('in a row', () => {
  test('the message that is one too many has the whole run deleted and its writer muted for an hour', async () => {
    const group = await startGroup();
    await group.says(bo, '/setflood 3');
    await group.says(dan, 'Good morning');
    const allowed = await write(group, [ann, 2]);
    await settle(group);
    expect(gone(group)).toEqual([]);

    const [last = 0] = await write(group, [ann, 1]);
    await settle(group);
    expect(gone(group)).toEqual([...allowed, last]);
    const { status: is, until, permissions } = group.api.members.read(groupId, ann);
    expect([is, permissions?.['can_send_messages']]).toEqual(['restricted', false]);
    expect(until).toBe(Math.floor(group.server.now() / 1000) + 3600);
    expect(await group.listActions()).toEqual([
      { kind: 'mute', by_id: group.api.bot.id, target_id: ann, reason: 'flood' },
    ]);
    expect(group.lastText()).toBe('Ann wrote too much at once and is muted for 1 hour.');
  });

  test('another member between ends the run, also an administrator', async () => {
    const group = await startGroup();
    await group.set({ flood: { count: 3 } });
    for (const other of [dan, olga]) {
      await write(group, [ann, 2]);
      await write(group, [other, 1]);
    }
    await write(group, [ann, 2]);
    await group.says(bo, 'I hide', { fields: anonymous });
    await write(group, [ann, 2]);
    await settle(group);
    expect(gone(group)).toEqual([]);
  });

  test('who writes alone for a long time, with pauses, floods nothing', async () => {
    const group = await startGroup();
    await group.set({ flood: { count: 3 } });
    for (let hour = 0; hour < 5; hour += 1) {
      await write(group, [ann, 1]);
      group.server.wait(11 * 60_000);
    }
    await settle(group);
    expect(gone(group)).toEqual([]);
  });

  test('a run goes through all topics, and each deletion is counted in its own', async () => {
    const group = await startGroup({ group: { isForum: true } });
    await group.set({ flood: { count: 3 } });
    await write(group, [ann, 1], { topicId: 5 });
    await write(group, [ann, 1], { topicId: 6 });
    await write(group, [ann, 1]);
    await settle(group);
    expect(gone(group)).toHaveLength(3);
    const rows = await group.server.db
      .selectFrom('chat_numbers')
      .select(['name', 'topic_id', 'count'])
      .orderBy('name')
      .orderBy('topic_id')
      .execute();
    expect(rows).toEqual([
      { name: 'deleted:flood', topic_id: 0, count: 1 },
      { name: 'deleted:flood', topic_id: 5, count: 1 },
      { name: 'deleted:flood', topic_id: 6, count: 1 },
      { name: 'flood', topic_id: -1, count: 1 },
    ]);
  });
});

describe('in a time', () => {
  test('others may write between; who writes slower than that may go on', async () => {
    const group = await startGroup();
    await group.says(bo, '/setflood 3 10s');
    for (let turn = 0; turn < 4; turn += 1) {
      await write(group, [ann, 1]);
      group.server.wait(6000);
    }
    await settle(group);
    expect(gone(group)).toEqual([]);

    group.server.wait(60_000);
    const run: number[] = [];
    for (const other of [dan, 666_666, 777_777]) {
      run.push(...(await write(group, [ann, 1])));
      await write(group, [other, 1]);
      group.server.wait(2000);
    }
    await settle(group);
    expect(gone(group)).toEqual(run);
    expect(status(group, ann)).toBe('restricted');
    expect(status(group, dan)).toBe('member');
  });
});

test('an album is one message; when its run is too long, all of it goes, also what comes later', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  const album = (id: string) => ({ fields: { media_group_id: id, photo: [{ file_id: 'p' }] } });
  const first = await write(group, [ann, 4], album('one'));
  const second = await write(group, [ann, 4], album('two'));
  await settle(group);
  expect(gone(group)).toEqual([]);
  const third = await write(group, [ann, 3], album('three'));
  await settle(group);
  expect(gone(group)).toEqual([...first, ...second, ...third]);
  expect(await group.listActions()).toHaveLength(1);
});

test('edited messages and service messages are not counted', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  const { message_id, ...message } = group.toMessage(ann);
  await group.hears({ message: { message_id, ...message } });
  for (let edits = 1; edits < 6; edits += 1) {
    const text = `Hello ${edits}`;
    await group.hears({
      edited_message: { ...message, message_id, text, edit_date: message.date + edits },
    });
  }
  await write(group, [ann, 3], { fields: { new_chat_title: 'Otters' } });
  await write(group, [ann, 1]);
  await settle(group);
  expect(gone(group)).toEqual([]);
});

test('administrators, the approved and the linked channel may write as much as they like', async () => {
  const group = await startGroup({ group: { linkedId: channelId } });
  await group.set({ flood: { count: 3 } });
  await group.says(bo, '/approve', { to: dan });
  for (const from of [olga, bo, dan]) {
    await write(group, [from, 7]);
  }
  await write(group, [bo, 4], { fields: anonymous });
  await write(group, [ann, 4], { fields: asChannel });
  await settle(group);
  expect(gone(group)).toEqual([]);
  expect(await group.listActions()).toEqual([]);
});

test('a channel that floods is banned for good: nothing else can be done to one', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  const run = await write(group, [ann, 3], { fields: asChannel });
  await settle(group);
  expect(gone(group)).toEqual(run);
  expect(group.api.members.bannedChannels(groupId)).toEqual([channelId]);
  expect(group.lastText()).toBe('News wrote too much at once and is banned.');
});

test.each([
  ['/floodmode ban', 'kicked', 'Ann wrote too much at once and is banned.'],
  ['/floodmode ban 2h', 'kicked', 'Ann wrote too much at once and is banned for 2 hours.'],
  ['/floodmode kick', 'left', 'Ann wrote too much at once and was removed.'],
  ['/floodmode mute', 'restricted', 'Ann wrote too much at once and is muted.'],
])('%s', async (command, becomes, said) => {
  const group = await startGroup();
  await group.says(bo, '/setflood 3');
  await group.says(bo, command);
  await write(group, [ann, 3]);
  await settle(group);
  expect(status(group, ann)).toBe(becomes);
  expect(group.lastText()).toBe(said);
});

test('what is written until Telegram has muted them goes, too, and nothing is done twice', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  // All at once, as scripts do; the bot handles them at the same time.
  const ids = Array.from({ length: 12 }, () => {
    const message = group.toMessage(ann);
    group.api.updates.push({ message });
    return message.message_id;
  });
  await group.api.updates.confirmed();
  await group.server.handled();
  await settle(group);
  expect(gone(group)).toEqual(ids);
  expect(await group.listActions()).toHaveLength(1);
  expect(group.api.callsTo('restrictChatMember')).toHaveLength(1);
});

test('an update that is handled again by the next server mutes once and says it once', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  await write(group, [ann, 3]);
  await settle(group);
  const said = group.api.messages.length;
  const next = await group.hearsAgain();
  await next.services.dueJobs.runDue();
  expect(await group.listActions()).toHaveLength(1);
  expect(group.api.messages).toHaveLength(said);
});

test('what a stopped server has left is done by the next', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  const away = { error_code: 502, description: 'Bad Gateway' };
  group.api.fail('restrictChatMember', away);
  const run = await write(group, [ann, 3]);
  await settle(group);
  expect(gone(group)).toEqual(run);
  expect(status(group, ann)).toBe('member');

  group.server.wait(minute);
  const next = await continueWith(group);
  next.wait(group.server.now() - next.now());
  await next.services.dueJobs.runDue();
  expect(status(group, ann)).toBe('restricted');
  expect(await group.listActions()).toHaveLength(1);
});

test('the group hears of floods once a minute', async () => {
  const group = await startGroup();
  await group.set({ flood: { count: 3 } });
  await write(group, [ann, 3]);
  await write(group, [dan, 3]);
  await settle(group);
  expect(await group.listActions()).toHaveLength(2);
  const notices = () => group.api.messages.filter(({ text }) => text.includes('wrote too much'));
  expect(notices()).toHaveLength(1);

  group.server.wait(61_000);
  await group.server.services.deletions.deleteDue();
  expect(notices().map((message) => group.api.show(message))).toEqual([undefined]);
});

test('without its right the bot deletes the run and says what it lacks', async () => {
  const group = await startGroup({ group: { botRights: ['delete'] } });
  await group.set({ flood: { count: 3 } });
  const run = await write(group, [ann, 3]);
  await settle(group);
  expect(gone(group)).toEqual(run);
  expect(group.lastText()).toBe(
    'Ann wrote too much at once. I need the right “Ban users” for this. Give it to me in the list of administrators.',
  );
});

describe('/antiflood', () => {
  test.each([
    [
      '/antiflood',
      'Members may write as many messages in a row as they like. /setflood 8 limits that.',
    ],
    [
      '/setflood 8',
      '8 messages of a member in a row are too many. They are deleted, and the member is muted for 1 hour.',
    ],
    [
      '/setflood 8 10s',
      '8 messages of a member within 10 seconds are too many. They are deleted, and the member is muted for 1 hour.',
    ],
    [
      '/setflood off',
      'Members may write as many messages in a row as they like. /setflood 8 limits that.',
    ],
    ['/setflood 2', 'A number between 3 and 50: /setflood 8'],
    ['/setflood 51', 'A number between 3 and 50: /setflood 8'],
    ['/setflood 8 11m', 'Between 1 second and 10 minutes: /setflood 8 10s'],
    ['/setflood many', '/setflood 8, /setflood 8 10s or /setflood off'],
    ['/floodmode shout', '/floodmode mute 1h, /floodmode ban or /floodmode kick'],
    ['/floodmode mute 29s', 'Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.'],
  ])('%s', async (command, answer) => {
    const group = await startGroup();
    await group.says(bo, command);
    expect(group.lastText()).toBe(answer);
  });

  test.each([
    ['restrict', 'Delete messages'],
    ['delete', 'Ban users'],
  ] as const)('with the right %s alone it says which one is missing', async (has, missing) => {
    const group = await startGroup({ group: { botRights: [has] } });
    await group.says(bo, '/setflood 8');
    expect(group.lastText()).toBe(
      `I need the right “${missing}” for this. Give it to me in the list of administrators.`,
    );
    await group.says(bo, '/setflood off');
    expect(group.lastText()).toContain('as many messages in a row as they like');
  });

  test('members may not use it', async () => {
    const group = await startGroup();
    await group.says(ann, '/setflood 8');
    expect(group.lastText()).toBe(
      'Only administrators with the right “Change group info” can do this.',
    );
  });
});
