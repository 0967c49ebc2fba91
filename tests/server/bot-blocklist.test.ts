/** Blocked words, links and stickers: what is deleted, whose messages stay, and what happens to who wrote it. */
import { describe, expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import {
  ann,
  anonymous,
  asChannel,
  bo,
  channelId,
  type CommandGroup,
  cy,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { groupId } from '#tests/test-bot';

const gone = ({ api }: CommandGroup) => api.deletions.gone(groupId);

const settle = ({ server }: Pick<CommandGroup, 'server'>) => server.services.dueJobs.runDue();

/** What the bot has told one person alone. */
const toldTo = ({ api }: CommandGroup, id: number) =>
  api.messages.filter(({ ephemeral }) => ephemeral?.to === id).map(({ text }) => text);

/** A text of which a part is marked, as Telegram does it. */
const entity = (type: string, [text, part]: readonly [string, string], fields = {}) => ({
  text,
  entities: [{ type, offset: text.indexOf(part), length: part.length, ...fields }],
});

const sticker = (set: string) => ({
  text: undefined,
  sticker: { file_id: 's', file_unique_id: 's', type: 'regular', set_name: set, emoji: '🦦' },
});

describe('what is deleted', () => {
  test('messages with a word from the next one on, and its writer alone hears why', async () => {
    const group = await startGroup();
    const { says } = group;
    await says(bo, '/addblocklist casino* "free money"');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: 'Blocked in this group: “casino*”, “free money”.',
      ephemeral: { to: bo },
    });

    const first = await says(ann, 'Come to my CАSINOS!');
    await says(ann, 'Money is free');
    const second = await says(dan, 'Free   money\nfor all');
    expect(gone(group)).toEqual([first, second]);
    expect(toldTo(group, ann)).toEqual(['Your message was deleted: “casino*” is blocked here.']);
    expect(toldTo(group, dan)).toEqual(['Your message was deleted: “free money” is blocked here.']);

    await says(bo, '/rmblocklist "free money"');
    expect(group.lastText()).toBe('No longer on the list: “free money”.');
    await says(dan, 'Free money for all');
    expect(gone(group)).toEqual([first, second]);
  });

  test('also when it is edited in, below a picture, in a poll and in a button', async () => {
    const group = await startGroup();
    const { says, toMessage } = group;
    await says(bo, '/addblocklist casino');
    const hello = await says(ann, 'Hello');
    await group.hears({
      edited_message: { ...toMessage(ann, { text: 'casino', edit_date: 1 }), message_id: hello },
    });
    const photo = { text: undefined, photo: [{ file_id: 'p', file_unique_id: 'p' }] };
    const options = [{ text: 'A casino', voter_count: 0 }];
    const keyboard = [[{ text: 'Casino', callback_data: 'x' }]];
    const others = [
      await says(ann, '', { fields: { ...photo, caption: 'My casino' } }),
      await says(ann, '', { fields: { text: undefined, poll: { question: 'Where?', options } } }),
      await says(ann, 'Press', { fields: { reply_markup: { inline_keyboard: keyboard } } }),
    ];
    // What it replies to and quotes was written by others.
    await says(ann, 'No', { to: dan, fields: { quote: { text: 'casino', position: 0 } } });
    expect(gone(group)).toEqual([hello, ...others]);
  });

  test('an album as a whole, of which one message has the word, and the writer is punished once', async () => {
    const group = await startGroup();
    await group.says(bo, '/addblocklist casino {warn}');
    const inAlbum = (caption?: string) => ({
      fields: { text: undefined, media_group_id: 'a', photo: [{ file_id: 'p' }], caption },
    });
    const ids = [
      await group.says(ann, '', inAlbum()),
      await group.says(ann, '', inAlbum('casino')),
      await group.says(ann, '', inAlbum('casino')),
      await group.says(ann, '', inAlbum()),
    ];
    await settle(group);
    expect(gone(group).toSorted((one, other) => one - other)).toEqual(ids);
    expect(await group.listActions()).toHaveLength(1);
  });

  test('what is deleted is no command, and is counted', async () => {
    const group = await startGroup();
    await group.says(bo, '/addblocklist casino');
    const id = await group.says(ann, '/report casino', { to: dan });
    expect(gone(group)).toEqual([id]);
    expect(toldTo(group, ann)).toEqual(['Your message was deleted: “casino” is blocked here.']);
    await group.server.services.chatNumbers.save();
    const counted = await group.server.db
      .selectFrom('chat_numbers')
      .select(['name', 'count'])
      .orderBy('name')
      .execute();
    expect(counted).toEqual([
      { name: 'blocklist', count: 1 },
      { name: 'deleted:blocklist', count: 1 },
    ]);
  });
});

test('administrators, anonymous ones, approved members and the linked channel write what they like', async () => {
  const group = await startGroup({ group: { linkedId: channelId } });
  const { says } = group;
  await says(bo, '/addblocklist casino');
  await says(bo, '/approve', { to: dan });
  for (const from of [olga, cy, dan]) {
    await says(from, 'casino');
  }
  await says(bo, 'casino', { fields: anonymous });
  await says(ann, 'casino', { fields: asChannel });
  expect(gone(group)).toEqual([]);
  const id = await says(ann, 'casino');
  expect(gone(group)).toEqual([id]);
});

describe('links', () => {
  const link = (address: string) => ({ fields: entity('url', [`See ${address}!`, address]) });

  test.each([
    ['example.com', 'https://example.com', true],
    ['example.com', 'www.Example.com/page?x=1', true],
    ['example.com', 'deep.sub.example.com', true],
    ['example.com', 'notexample.com', false],
    ['example.com', 'example.com.org', false],
    ['https://example.com/', 'http://example.com:8080/x', true],
    ['example.com/spam', 'example.com/spam/today', true],
    ['example.com/spam', 'example.com/spammers', false],
    ['example.com/spam', 'example.com', false],
    ['*.example', 'shop.example', true],
    ['пример.рф', 'https://xn--e1afmkfd.xn--p1ai/', true],
    ['t.me/+*', 'https://t.me/+AbCdEf', true],
    ['t.me/+*', 't.me/joinchat/AbCdEf', true],
    ['t.me/+*', 'telegram.me/+AbCdEf', true],
    ['t.me/+*', 'tg://join?invite=AbCdEf', true],
    ['t.me/+*', 't.me/otters', false],
    ['t.me/otters', 'otters.t.me', true],
    ['t.me/+*', 'evil.example/t.me/+AbC', false],
  ])('%s has %s: %s', async (entry, address, expected) => {
    const group = await startGroup();
    await group.says(bo, `/addblocklist ${entry}`);
    const id = await group.says(ann, '', link(address));
    expect(gone(group)).toEqual(expected ? [id] : []);
  });

  test('behind other words, in buttons, and written as code', async () => {
    const group = await startGroup();
    const { says } = group;
    await says(bo, '/addblocklist example.com');
    const url = 'https://example.com/x';
    const keyboard = [[{ text: 'Here', url }]];
    const ids = [
      await says(ann, '', { fields: entity('text_link', ['Look here', 'here'], { url }) }),
      await says(ann, 'Press', { fields: { reply_markup: { inline_keyboard: keyboard } } }),
      await says(ann, '', { fields: entity('code', ['Copy (example.com).', 'example.com']) }),
    ];
    expect(gone(group)).toEqual(ids);
  });

  test('what is allowed wins, also over a word in the address', async () => {
    const group = await startGroup();
    const { says } = group;
    await says(bo, '/addblocklist *.example casino');
    await says(bo, '/allowlist shop.example');
    expect(group.lastText()).toBe('Allowed in this group: “shop.example”.');
    await says(ann, '', link('https://shop.example/casino'));
    expect(gone(group)).toEqual([]);
    const ids = [
      await says(ann, '', link('https://other.example')),
      await says(ann, 'shop.example is a casino'),
    ];
    expect(gone(group)).toEqual(ids);

    await says(bo, '/allowlist');
    expect(group.lastText()).toBe('Allowed here although they are blocked:\n• shop.example');
    await says(bo, '/allowlist "free money"');
    expect(group.lastText()).toBe('“free money” is no link. For example: /allowlist example.com');
    await says(bo, '/rmblocklist shop.example');
    const again = await says(ann, '', link('https://shop.example'));
    expect(gone(group)).toEqual([...ids, again]);
  });

  test('under attack all links of members go, but for those that are allowed, until it ends', async () => {
    const group = await startGroup();
    const { says, server } = group;
    const now = server.now();
    await group.set({ attack: { since: now, until: now + 60_000 }, 'allow:shop.example': true });
    const ids = [
      await says(ann, '', link('example.com')),
      await says(ann, '', {
        fields: entity('text_link', ['here', 'here'], { url: 'https://e.x' }),
      }),
      await says(ann, 'Join t.me/+AbCdEf', { topicId: 7 }),
    ];
    await says(ann, '', link('https://shop.example/x'));
    await says(cy, '', link('example.com'));
    await says(ann, 'No link');
    expect(gone(group)).toEqual(ids);
    expect(toldTo(group, ann)).toEqual([]);

    server.wait(60_001);
    await says(ann, '', link('example.com'));
    expect(gone(group)).toEqual(ids);
  });
});

test('a set of stickers is blocked by a reply to one of them', async () => {
  const group = await startGroup();
  const { says } = group;
  await says(bo, '/addblocklist', { to: ann });
  expect(group.lastText()).toContain('/addblocklist casino*');
  const replied = { reply_to_message: group.toMessage(ann, sticker('RudeOtters')) };
  await says(bo, '/addblocklist {mute 1h}', { fields: replied });
  expect(group.lastText()).toBe('Blocked in this group: “stickers:rudeotters”.');

  const id = await says(ann, '', { fields: sticker('RudeOtters') });
  await says(ann, '', { fields: sticker('KindOtters') });
  await settle(group);
  expect(gone(group)).toEqual([id]);
  expect(toldTo(group, ann)).toEqual([
    'Your sticker was deleted: its set is blocked here. You are muted for 1 hour.',
  ]);

  await says(bo, '/rmblocklist stickers:RudeOtters');
  await says(dan, '', { fields: sticker('RudeOtters') });
  expect(gone(group)).toEqual([id]);
});

describe('topics', () => {
  test('an entry of a topic counts there alone, one of the group in all', async () => {
    const group = await startGroup({ group: { isForum: true } });
    const { says } = group;
    await says(bo, '/addblocklist poker', { topicId: 7 });
    expect(group.lastText()).toBe('Blocked in this topic: “poker”.');
    await says(bo, '/addblocklist casino');

    const ids = [
      await says(ann, 'poker', { topicId: 7 }),
      await says(ann, 'casino', { topicId: 7 }),
      await says(ann, 'casino', { topicId: 8 }),
      await says(ann, 'casino'),
    ];
    await says(ann, 'poker', { topicId: 8 });
    await says(ann, 'poker');
    expect(gone(group)).toEqual(ids);

    await says(bo, '/blocklist', { topicId: 7 });
    expect(group.lastText()).toBe(
      'Blocked here:\n• poker – only in this topic\n• casino\n\nA message with one of these is deleted.',
    );
    await says(bo, '/rmblocklist casino', { topicId: 7 });
    expect(group.lastText()).toBe('“casino” is not on the list here.');
  });

  test('in a topic the same entry may have another action', async () => {
    const group = await startGroup({ group: { isForum: true } });
    await group.says(bo, '/addblocklist casino');
    await group.says(bo, '/addblocklist casino {ban}', { topicId: 7 });
    await group.says(ann, 'casino');
    await settle(group);
    expect(await group.listActions()).toEqual([]);
    await group.says(ann, 'casino', { topicId: 7 });
    await settle(group);
    expect(await group.listActions()).toMatchObject([{ kind: 'ban', target_id: ann }]);
  });
});

describe('what happens to the writer', () => {
  test('a warning, which counts, and says which it is', async () => {
    const group = await startGroup();
    const title = 'Otter log';
    group.api.addChat({ id: channelId, type: 'channel', title, administrators: [bo] });
    await group.set({ log_channel: { id: channelId, title }, log_categories: ['members'] });
    await group.says(bo, '/addblocklist casino {warn}');
    await group.says(ann, 'casino');
    await settle(group);
    expect(await group.listActions()).toEqual([
      { kind: 'warn', by_id: group.api.bot.id, target_id: ann, reason: 'casino' },
    ]);
    expect(toldTo(group, ann)).toEqual([
      'Your message was deleted: “casino” is blocked here. This is warning 1 of 3.',
    ]);
    // No one else hears of it, but who reads the log.
    await settle(group);
    const log = group.api.messages.filter(({ to }) => to === channelId);
    expect(log.map(({ text }) => text.split(' – ')[1])).toEqual([
      `Warning: Ann (${ann}) by the bot. casino`,
    ]);
    const inGroup = group.api.messages.filter(({ to }) => to === groupId);
    expect(inGroup.filter(({ ephemeral }) => ephemeral === undefined)).toEqual([]);
  });

  test('what the chat has chosen, where the entry says nothing', async () => {
    const group = await startGroup();
    const { says } = group;
    await says(bo, '/blockmode mute 2h');
    expect(group.lastText()).toBe(
      'A message with one of these is deleted, and its writer is muted for 2 hours.',
    );
    await says(bo, '/addblocklist casino');
    await says(bo, '/addblocklist poker {delete}');
    await says(dan, 'poker');
    await says(ann, 'casino');
    await settle(group);
    const { status, until } = group.api.members.read(groupId, ann);
    expect([status, until]).toEqual(['restricted', Math.floor(group.server.now() / 1000) + 7200]);
    expect(await group.listActions()).toHaveLength(1);
    expect(toldTo(group, ann)).toEqual([
      'Your message was deleted: “casino” is blocked here. You are muted for 2 hours.',
    ]);

    await says(bo, '/blocklist');
    expect(group.lastText()).toBe(
      'Blocked here:\n• casino\n• poker – deleted only\n\nA message with one of these is deleted, and its writer is muted for 2 hours.',
    );
    await says(bo, '/blockmode kick');
    expect(group.lastText()).toBe(
      '/blockmode delete, /blockmode warn, /blockmode mute 1h or /blockmode ban',
    );
  });

  test('a channel is banned, and else only loses its message', async () => {
    const group = await startGroup();
    await group.says(bo, '/addblocklist casino {mute 1h}');
    await group.says(bo, '/addblocklist poker {ban}');
    const ids = [
      await group.says(dan, 'casino', { fields: asChannel }),
      await group.says(dan, 'poker', { fields: asChannel }),
    ];
    await settle(group);
    expect(gone(group)).toEqual(ids);
    expect(await group.listActions()).toMatchObject([{ kind: 'ban', target_id: channelId }]);
  });

  test('the same update handled again warns once', async () => {
    const group = await startGroup();
    await group.says(bo, '/addblocklist casino {warn}');
    await group.says(ann, 'casino');
    await settle(group);
    const next = await group.hearsAgain();
    await next.services.dueJobs.runDue();
    expect(await group.listActions()).toHaveLength(1);
  });

  test('without the right to mute the message is deleted all the same', async () => {
    const group = await startGroup();
    await group.says(bo, '/addblocklist casino {mute 1h}');
    group.api.fail('restrictChatMember', {
      error_code: 400,
      description: 'Bad Request: not enough rights to restrict/unrestrict chat member',
    });
    const id = await group.says(ann, 'casino');
    await settle(group);
    expect(gone(group)).toEqual([id]);
    expect(toldTo(group, ann)).toEqual(['Your message was deleted: “casino” is blocked here.']);
  });
});

describe('the command', () => {
  test.each([
    ['/addblocklist', '/addblocklist casino*'],
    ['/addblocklist casino {kick}', '/addblocklist casino*'],
    ['/addblocklist casino {mute 5s}', 'Between 30 seconds and 366 days'],
    ['/addblocklist *?*', 'An entry needs at least one character besides * and ?.'],
    [`/addblocklist ${'x'.repeat(65)}`, 'At most 64 characters are possible.'],
    [`/addblocklist ${'x'.repeat(33)}*`, 'With * or ?, at most 32 characters are possible.'],
    ['/rmblocklist', '/rmblocklist casino*'],
    ['/rmblocklist poker', '“poker” is not on the list here.'],
  ])('%s', async (typed, answer) => {
    const group = await startGroup();
    await group.says(bo, typed);
    expect(group.lastText()).toContain(answer);
    expect((await group.server.services.chatValues.readForBot(groupId)).size).toBe(0);
  });

  test('is for those who manage the group, and needs the right to delete', async () => {
    const group = await startGroup();
    await group.says(ann, '/addblocklist casino');
    expect(group.lastText()).toBe(
      'Only administrators with the right “Change group info” can do this.',
    );
    const without = await startGroup({ group: { botRights: [] } });
    await without.says(bo, '/addblocklist casino');
    expect(without.lastText()).toContain('I need the right “Delete messages” for this.');
  });

  test('a group has at most 500 entries, and a list that is too long for a message says how many there are', async () => {
    const group = await startGroup();
    const word = (index: number) => `block:word-number-${String(index).padStart(3, '0')}`;
    await group.set(
      Object.fromEntries(Array.from({ length: 500 }, (_item, index) => [word(index), {}])),
    );
    await group.says(bo, '/addblocklist casino');
    expect(group.lastText()).toBe(
      'A chat can block at most 500 words and links. Remove one first.',
    );
    await group.says(bo, '/blocklist');
    const text = group.lastText() ?? '';
    expect(text.length).toBeLessThanOrEqual(4096);
    const shown = text.split('\n').filter((line) => line.startsWith('• ')).length;
    expect(text).toContain(`And ${500 - shown} more, in the dashboard.`);
  });

  test('what the dashboard sets counts from the next message on', async () => {
    const group = await startGroup();
    await group.set({ 'block:casino': {} });
    const id = await group.says(ann, 'casino');
    await group.set({ 'block:casino': null });
    await group.says(ann, 'casino');
    expect(gone(group)).toEqual([id]);
    const stored = await group.server.services.chatValues.readForBot(groupId);
    expect(stored.get(wholeChatId)?.size ?? 0).toBe(0);
  });
});
