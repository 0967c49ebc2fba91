/** Reactions that are removed: unwanted ones, those of members who give too many, and those of banned members. */
import { describe, expect, test } from 'vitest';

import { readChatHealth } from '#contract/endpoints/chat-activity';
import { addChat, verifyChat } from '#contract/endpoints/chats';
import { signIn } from '#tests/chats';
import {
  ann,
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

/** A group with so many messages to react to. */
async function startWith(count: number, options: Parameters<typeof startGroup>[0] = {}) {
  const group = await startGroup(options);
  const messages: number[] = [];
  for (let written = 0; written < count; written += 1) {
    // In their order, so that the last is the newest.
    messages.push(await group.says(dan, `Message ${written}`));
  }
  return { group, messages };
}

async function settle({ api, server }: Pick<CommandGroup, 'api' | 'server'>): Promise<void> {
  await api.updates.confirmed();
  await server.handled();
  await server.services.dueJobs.runDue();
  await server.services.chatNumbers.save();
}

/** Reacts to messages one after the other. */
async function react(
  group: CommandGroup,
  actorId: number,
  { at, with: names = ['👍'] }: { readonly at: readonly number[]; readonly with?: string[] },
): Promise<void> {
  for (const messageId of at) {
    group.api.reactions.give({ chatId: groupId, messageId }, actorId, names);
  }
  await settle(group);
}

const left = ({ api }: CommandGroup, actorId: number) => api.reactions.by(groupId, actorId);

const readNumbers = ({ server }: CommandGroup) =>
  server.db.selectFrom('chat_numbers').select(['name', 'count']).orderBy('name').execute();

const mayReact = ({ api }: CommandGroup, telegramId: number) =>
  api.members.read(groupId, telegramId).permissions?.['can_react_to_messages'];

const day = 24 * 60 * minute;

describe('too many in a minute', () => {
  test('all of them are removed, and the member may not react for a day, but may write', async () => {
    const { group, messages } = await startWith(5);
    await group.says(bo, '/reactions 3');
    await react(group, ann, { at: messages.slice(0, 3) });
    expect(left(group, ann)).toEqual(messages.slice(0, 3));
    expect(group.api.members.read(groupId, ann).status).toBe('member');

    await react(group, ann, { at: messages.slice(3, 4) });
    expect(left(group, ann)).toEqual([]);
    const { permissions, until } = group.api.members.read(groupId, ann);
    expect(until).toBe(Math.floor((group.server.now() + day) / 1000));
    expect(permissions).toMatchObject({ can_react_to_messages: false, can_send_messages: true });
    expect(Object.values(permissions ?? {}).filter((may) => !may)).toHaveLength(1);
    expect(await readNumbers(group)).toEqual([{ name: 'reaction_flood', count: 1 }]);

    await react(group, ann, { at: messages.slice(4) });
    expect(left(group, ann)).toEqual([]);
    expect(group.api.callsTo('deleteAllMessageReactions')).toHaveLength(1);
  });

  test('what is taken back, and what was given longer ago, is not counted', async () => {
    const { group, messages } = await startWith(4);
    await group.set({ reaction_limit: 3 });
    await react(group, ann, { at: messages.slice(0, 3) });
    await react(group, ann, { at: messages.slice(0, 3), with: [] });
    group.server.wait(minute);
    await react(group, ann, { at: messages });
    await react(group, dan, { at: messages.slice(0, 3) });
    expect(group.api.callsTo('deleteAllMessageReactions')).toHaveLength(1);
    expect(left(group, dan)).toHaveLength(3);
  });

  test('a mute stays as it is, and so does a shorter limit that has an end', async () => {
    const { group, messages } = await startWith(4);
    await group.set({ reaction_limit: 3 });
    const soon = Math.floor(group.server.now() / 1000) + 3600;
    const permissions = { can_send_messages: true, can_react_to_messages: true };
    group.api.members.put(groupId, ann, { status: 'restricted', until: soon, permissions });
    await react(group, ann, { at: messages });
    const read = group.api.members.read(groupId, ann);
    expect(read.until).toBe(soon);
    expect(read.permissions).toMatchObject({
      can_send_messages: true,
      can_send_photos: false,
      can_react_to_messages: false,
    });

    // Limited for good: not to react for good would be more than is said.
    group.api.members.put(groupId, dan, { status: 'restricted', permissions });
    await react(group, dan, { at: messages });
    expect(left(group, dan)).toEqual([]);
    expect([mayReact(group, dan), group.api.members.read(groupId, dan).until]).toEqual([true, 0]);
  });

  test('a member who was muted before the job is done stays muted', async () => {
    const { group, messages } = await startWith(4);
    await group.set({ reaction_limit: 3 });
    for (const messageId of messages) {
      group.api.reactions.give({ chatId: groupId, messageId }, ann, ['👍']);
    }
    group.api.members.put(groupId, ann, { status: 'restricted', permissions: {} });
    await settle(group);
    expect(group.api.callsTo('restrictChatMember')).toEqual([]);
    expect(left(group, ann)).toEqual([]);
  });

  test('administrators, the approved, the linked channel and anonymous ones may', async () => {
    const { group, messages } = await startWith(5, { group: { linkedId: channelId } });
    await group.set({ reaction_limit: 3 });
    await group.says(bo, '/approve', { to: ann });
    for (const actorId of [olga, ann, channelId, groupId]) {
      await react(group, actorId, { at: messages });
      expect(left(group, actorId)).toHaveLength(5);
    }
  });

  test('those of a channel are removed; no one can keep one from reacting', async () => {
    const { group, messages } = await startWith(4);
    await group.set({ reaction_limit: 3 });
    await react(group, channelId, { at: messages });
    expect(left(group, channelId)).toEqual([]);
    expect(group.api.callsTo('deleteAllMessageReactions').map(({ body }) => body)).toEqual([
      { chat_id: groupId, actor_chat_id: channelId },
    ]);
    expect(group.api.callsTo('restrictChatMember')).toEqual([]);
  });

  test('while Telegram does not answer it waits, and the next server does it', async () => {
    const { group, messages } = await startWith(4);
    await group.set({ reaction_limit: 3 });
    group.api.fail('deleteAllMessageReactions', { error_code: 502, description: 'Bad Gateway' });
    await react(group, ann, { at: messages });
    expect(left(group, ann)).toHaveLength(4);

    group.server.wait(minute);
    const next = await continueWith(group);
    next.wait(group.server.now() - next.now());
    await next.services.dueJobs.runDue();
    expect(left(group, ann)).toEqual([]);
  });
});

describe('unwanted emoji', () => {
  test('each is removed where it was given, custom ones by their ID; others stay', async () => {
    const { group, messages } = await startWith(4);
    const [first = 0, second = 0, third = 0, fourth = 0] = messages;
    await group.says(bo, '/reactions block 💩 ❤️ ⭐', {
      fields: {
        entities: [
          { type: 'bot_command', offset: 0, length: 10 },
          { type: 'custom_emoji', offset: 23, length: 1, custom_emoji_id: '5368324170671202286' },
        ],
      },
    });
    expect(group.lastText()).toContain('Removed as reactions: 💩 ❤ 5368324170671202286');
    await react(group, ann, { at: [first], with: ['💩'] });
    await react(group, ann, { at: [second], with: ['❤'] });
    await react(group, ann, { at: [third], with: ['5368324170671202286'] });
    await react(group, ann, { at: [fourth], with: ['⭐'] });
    expect(left(group, ann)).toEqual([fourth]);
    expect(group.api.callsTo('deleteMessageReaction')).toHaveLength(3);
    expect(await readNumbers(group)).toEqual([{ name: 'reaction_removed', count: 3 }]);

    await group.says(bo, '/reactions allow 💩');
    await react(group, ann, { at: [first], with: ['💩'] });
    expect(left(group, ann)).toEqual([fourth, first]);
  });

  test('an administrator may use them', async () => {
    const { group, messages } = await startWith(1);
    await group.set({ reactions_unwanted: ['💩'] });
    await react(group, bo, { at: messages, with: ['💩'] });
    expect(left(group, bo)).toEqual(messages);
  });
});

describe('of who is banned', () => {
  test('by command, and at the last warning; others stay', async () => {
    const { group, messages } = await startWith(3);
    await group.set({ warn_limit: 1, warn_action: { kind: 'ban' } });
    for (const actorId of [ann, dan, 666_666]) {
      await react(group, actorId, { at: messages });
    }
    await group.says(bo, '/ban', { to: ann });
    await group.says(bo, '/warn', { to: dan });
    await settle(group);
    expect([left(group, ann), left(group, dan)]).toEqual([[], []]);
    expect(left(group, 666_666)).toEqual(messages);
  });

  test('they stay where the group wants that, and when a member is only muted', async () => {
    const { group, messages } = await startWith(3);
    await react(group, ann, { at: messages });
    await react(group, dan, { at: messages });
    await group.says(bo, '/mute', { to: dan });
    await group.says(bo, '/reactions banned off');
    await group.says(bo, '/ban', { to: ann });
    await settle(group);
    expect(left(group, ann)).toEqual(messages);
    expect(left(group, dan)).toEqual(messages);
  });
});

test('a server of Telegram that knows no such calls is asked again after an hour, and the dashboard knows', async () => {
  const { group, messages } = await startWith(2);
  const { server, api } = group;
  await group.set({ reactions_unwanted: ['💩'] });
  const me = await signIn(server, olga);
  const chat = { chat_id: String(groupId) };
  await server.call(addChat, chat, me);
  await server.call(verifyChat, { ...chat, otp: api.lastCode(olga) }, me);
  const readHealth = async () => {
    server.wait(minute);
    return (await server.call(readChatHealth, chat, me)).body;
  };
  expect(await readHealth()).toMatchObject({ reactions: true });
  api.reactions.isKnown = false;
  await react(group, ann, { at: messages.slice(0, 1), with: ['💩'] });
  await react(group, ann, { at: messages.slice(1), with: ['💩'] });
  expect(api.callsTo('deleteMessageReaction')).toHaveLength(1);
  expect(await readHealth()).toMatchObject({ reactions: false });

  api.reactions.isKnown = true;
  server.wait(60 * minute);
  await settle(group);
  expect(await readHealth()).toMatchObject({ reactions: true });
  await react(group, dan, { at: messages.slice(0, 1), with: ['💩'] });
  expect(left(group, dan)).toEqual([]);
});

describe('/reactions', () => {
  const rule = (...lines: readonly string[]) => lines.join('\n');
  const none = 'No emoji is unwanted as a reaction. /reactions block 💩 changes that.';
  const unlimited = 'Members may react as often as they like. /reactions 15 limits that.';
  const ofBanned = 'The reactions of banned members are removed, too.';
  const usage =
    '/reactions 15, /reactions off, /reactions block 💩, /reactions allow 💩 or /reactions banned off';

  test.each([
    ['/reactions', rule(unlimited, none, ofBanned)],
    [
      '/reactions 15',
      rule(
        'A member who gives more than 15 reactions in a minute loses all of them, and may not react for a day.',
        none,
        ofBanned,
      ),
    ],
    ['/reactions off', rule(unlimited, none, ofBanned)],
    ['/reactions banned off', rule(unlimited, none, 'The reactions of banned members stay.')],
    ['/reactions block 💩🤡', rule(unlimited, 'Removed as reactions: 💩 🤡', ofBanned)],
    ['/reactions block 👨‍👩‍👧 🇩🇪', rule(unlimited, 'Removed as reactions: 👨‍👩‍👧 🇩🇪', ofBanned)],
    ['/reactions block poop', usage],
    ['/reactions 2', 'A number between 3 and 100: /reactions 15'],
    ['/reactions 101', 'A number between 3 and 100: /reactions 15'],
    ['/reactions fifteen', usage],
    [
      '/reactions block 😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙😚🙂🤗🤩🤔🤨😐😑😶🙄😏😣😥😮',
      'At most 30 emoji.',
    ],
  ])('%s', async (command, answer) => {
    const group = await startGroup();
    await group.says(bo, command);
    expect(group.lastText()).toBe(answer);
  });

  test('it needs the right to delete for what removes any, and none to be switched off', async () => {
    const group = await startGroup({ group: { botRights: ['restrict'] } });
    await group.says(bo, '/reactions 15');
    expect(group.lastText()).toBe(
      'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
    );
    await group.says(bo, '/reactions off');
    expect(group.lastText()).toContain(unlimited);
  });
});
