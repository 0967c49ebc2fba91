/** Greetings and goodbyes: what is sent, to whom, how often, and when it goes. */
import { beforeEach, expect, test } from 'vitest';

import { ann, bo, type CommandGroup, continueWith, olga, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

const eve = 666_001;

/** A person joins, and the bot hears of it. */
async function joins(telegramId = eve, firstName = 'Eve') {
  group.api.addPerson({ id: telegramId, first_name: firstName });
  await group.hears(group.api.moves.join(groupId, telegramId));
}

/** What the group has read of the bot. */
const said = () => group.api.messages.filter(({ to }) => to === groupId).map(({ text }) => text);

const runDue = () => group.server.services.dueJobs.runDue();
const deleteDue = () => group.server.services.deletions.deleteDue();
/** The texts that the group still has. */
const stillShown = () =>
  group.api.messages
    .filter((message) => message.to === groupId && group.api.show(message) !== undefined)
    .map(({ text }) => text);

test('no one is greeted until an administrator wants it', async () => {
  await joins();
  expect(said()).toEqual([]);

  await group.says(bo, '/welcome');
  expect(group.lastText()).toBe('Newcomers are not greeted. /welcome on changes that.');
});

test('a greeting is set with its formatting, shown as it will be, and sent to who joins', async () => {
  const text = '/setwelcome 👋🏽 Hello {first}!\nThis is {chatname}, you are number {count}.';
  const bold = { type: 'bold', offset: text.indexOf('Hello'), length: 'Hello {first}'.length };
  const command = { type: 'bot_command', offset: 0, length: '/setwelcome'.length };
  await group.says(bo, text, { fields: { entities: [command, bold] } });

  // Bo sees it alone, with his own name.
  const preview = group.api.messages.at(-1);
  expect(preview).toMatchObject({
    text: '👋🏽 Hello Bo!\nThis is Otters, you are number 6.',
    ephemeral: { to: bo },
    body: { entities: [{ type: 'bold', offset: 5, length: 8 }] },
  });

  await joins(eve, 'Eve 🦦');
  expect(group.api.messages.at(-1)).toMatchObject({
    to: groupId,
    text: '👋🏽 Hello Eve 🦦!\nThis is Otters, you are number 6.',
    body: { entities: [{ type: 'bold', offset: 5, length: 12 }] },
  });
  expect(group.api.messages.at(-1)?.ephemeral).toBeUndefined();
});

test('a greeting is what the command replies to, with its picture and its buttons', async () => {
  const photo = group.api.media.addFile('photo');
  await group.says(bo, '/setwelcome', {
    to: bo,
    fields: {
      reply_to_message: {
        ...group.toMessage(bo),
        text: undefined,
        caption:
          'Hello {mention}\n[Rules](rules)\n[Wifi](note:wifi:same)\n[Site](https://otters.example)',
        photo: [{ file_id: photo, file_unique_id: 'x', width: 1, height: 1 }],
      },
    },
  });
  await joins();

  expect(group.api.callsTo('sendPhoto').at(-1)?.body).toMatchObject({
    photo,
    caption: 'Hello Eve',
    caption_entities: [{ type: 'text_mention', offset: 6, length: 3, user: { id: eve } }],
    reply_markup: {
      inline_keyboard: [
        [
          { text: 'Rules', url: `https://t.me/nori_test_bot?start=rules_${groupId}` },
          { text: 'Wifi', url: `https://t.me/nori_test_bot?start=note_${groupId}_wifi` },
        ],
        [{ text: 'Site', url: 'https://otters.example' }],
      ],
    },
  });
});

test('a file that Telegram has lost leaves the text, and one without a text a sentence', async () => {
  const photo = group.api.media.addFile('photo');
  const sticker = group.api.media.addFile('sticker');
  const set = (fields: object) =>
    group.says(bo, '/setwelcome', {
      fields: { reply_to_message: { ...group.toMessage(bo), ...fields } },
    });
  await set({
    text: undefined,
    caption: 'Hello {first}',
    photo: [{ file_id: photo, file_unique_id: 'x', width: 1, height: 1 }],
  });
  group.api.media.forget(photo);
  await joins();
  expect(said().at(-1)).toBe('Hello Eve');

  await set({ text: undefined, sticker: { file_id: sticker, file_unique_id: 'y' } });
  group.api.media.forget(sticker);
  await joins(eve + 1);
  expect(said().at(-1)).toBe(
    'There was a file here, and Telegram has lost it. An administrator can save it again.',
  );
});

test('a file of an earlier bot is not even tried', async () => {
  const { contents } = group.server.services;
  const id = await contents.save(groupId, {
    text: 'Hello {first}',
    entities: [],
    media: { kind: 'photo', file_id: 'of-another-bot', bot_id: 1 },
    buttons: [],
  });
  await group.says(bo, '/welcome on');
  await group.set({ welcome_content: id });
  await joins();
  expect(said().at(-1)).toBe('Hello Eve');
  expect(group.api.callsTo('sendPhoto')).toEqual([]);
});

test('a sticker with a text are two messages, and both go', async () => {
  const sticker = group.api.media.addFile('sticker');
  const bot_id = group.api.bot.id;
  const media = { kind: 'sticker', file_id: sticker, bot_id } as const;
  const content = { text: 'Hello {first}', entities: [], media, buttons: [] };
  const id = await group.server.services.contents.save(groupId, content);
  await group.set({ welcome: true, welcome_content: id });
  await joins();
  expect(stillShown()).toEqual(['Hello Eve', '']);

  group.server.wait(5 * minute);
  await deleteDue();
  expect(stillShown()).toEqual([]);
});

test('names are never markup, and a name cannot fill anything', async () => {
  await group.says(bo, '/setwelcome Hello {first}');
  await joins(eve, '*Eve* <b>{chatname}</b>');
  expect(group.api.messages.at(-1)).toMatchObject({ text: 'Hello *Eve* <b>{chatname}</b>' });
  expect(group.api.messages.at(-1)?.body['entities']).toBeUndefined();
  expect(group.api.messages.at(-1)?.body['parse_mode']).toBeUndefined();
});

test('20 buttons are taken, 21 refused, and what is no button is text', async () => {
  const buttons = (count: number) =>
    Array.from({ length: count }, (_, index) => `[B${index}](https://otters.example/${index})`);
  await group.says(bo, ['/setwelcome Hello', ...buttons(21)].join('\n'));
  expect(group.lastText()).toBe('At most 20 buttons.');
  expect(group.api.messages.at(-1)?.ephemeral?.to).toBe(bo);

  await group.says(bo, ['/setwelcome Hello', ...buttons(20)].join('\n'));
  expect(group.api.messages.slice(-1).flatMap((one) => group.api.show(one)?.buttons)).toHaveLength(
    20,
  );

  await group.says(bo, '/setwelcome Hello\n[not a](button at all)');
  expect(group.lastText()).toBe('Hello\n[not a](button at all)');
});

test('a greeting is at most 2,000 characters', async () => {
  await group.says(bo, `/setwelcome ${'a'.repeat(2001)}`);
  expect(group.lastText()).toBe('At most 2000 characters.');
  await group.says(bo, '/setwelcome');
  expect(group.lastText()).toMatch(/^Write the greeting after the command/);
});

test('a greeting goes after five minutes, also over a restart', async () => {
  await group.says(bo, '/welcome on');
  await joins();
  expect(stillShown()).toContain('Hello Eve, welcome to Otters!');

  group.server.wait(5 * minute - 1);
  await deleteDue();
  expect(stillShown()).toContain('Hello Eve, welcome to Otters!');
  const next = await continueWith(group);
  next.wait(6 * minute);
  await next.services.deletions.deleteDue();
  expect(stillShown()).not.toContain('Hello Eve, welcome to Otters!');
});

test('the next greeting replaces the one before, unless greetings stay', async () => {
  await group.set({ welcome: true });
  await joins(eve, 'Eve');
  await joins(eve + 1, 'Fay');
  await deleteDue();
  expect(stillShown()).toEqual(['Hello Fay, welcome to Otters!']);

  await group.says(bo, '/cleanwelcome off');
  expect(group.lastText()).toBe('Greetings stay.');
  await joins(eve + 2, 'Gil');
  await joins(eve + 3, 'Hal');
  group.server.wait(60 * minute);
  await deleteDue();
  expect(stillShown()).toEqual(
    expect.arrayContaining(['Hello Gil, welcome to Otters!', 'Hello Hal, welcome to Otters!']),
  );
});

test('how long greetings stay has limits', async () => {
  await group.says(bo, '/cleanwelcome 30s');
  expect(group.lastText()).toMatch(/^\/cleanwelcome on/);
  await group.says(bo, '/cleanwelcome 2d');
  expect(group.lastText()).toMatch(/^\/cleanwelcome on/);
  await group.says(bo, '/cleanwelcome 10m');
  expect(group.lastText()).toBe('A greeting goes after 10 minutes, or when the next one comes.');
});

test('the newcomer alone is greeted where the chat wants that, and all where Telegram cannot', async () => {
  await group.says(bo, '/welcome newcomer');
  await joins();
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'Hello Eve, welcome to Otters!',
    ephemeral: { to: eve },
  });

  group.group.bot = 'member';
  await joins(eve + 1, 'Fay');
  expect(group.api.messages.at(-1)).toMatchObject({ text: 'Hello Fay, welcome to Otters!' });
  expect(group.api.messages.at(-1)?.ephemeral).toBeUndefined();
});

test('the sixth who joins within a minute is greeted together with those after', async () => {
  await group.set({ welcome: true, welcome_keep: 'off' });
  for (let index = 0; index < 8; index += 1) {
    await joins(eve + index, `P${index}`);
  }
  expect(said()).toEqual([0, 1, 2, 3, 4].map((index) => `Hello P${index}, welcome to Otters!`));

  group.server.wait(minute / 2);
  await runDue();
  await runDue();
  expect(said().slice(5)).toEqual(['Hello P5, P6, P7, welcome to Otters!']);
  expect(group.api.messages.at(-1)?.body['entities']).toHaveLength(3);
});

test('who waits to be greeted together is greeted by the next server, or not at all when that is too late', async () => {
  await group.set({ welcome: true, welcome_keep: 'off' });
  for (let index = 0; index < 6; index += 1) {
    await joins(eve + index, `P${index}`);
  }
  const next = await continueWith(group);
  next.wait(minute / 2);
  await next.services.dueJobs.runDue();
  expect(said().at(-1)).toBe('Hello P5, welcome to Otters!');

  const { greetings } = next.services;
  for (let index = 6; index < 8; index += 1) {
    const user = { id: eve + index, first_name: `P${index}` };
    await greetings.greet(groupId, user, `later-${index}`);
  }
  next.wait(3 * minute);
  await next.services.dueJobs.runDue();
  expect(said().at(-1)).toBe('Hello P5, welcome to Otters!');
});

test('a greeting that has waited for Telegram for more than a minute is dropped', async () => {
  await group.set({ welcome: true });
  let release = () => {};
  group.api.hold('sendMessage', new Promise<void>((resolve) => (release = resolve)));
  const { greetings, outbox } = group.server.services;
  const before = outbox.send(
    groupId,
    (id) =>
      group.server.deps.chatActions?.send({ chatId: id, text: 'Something else' }) ??
      Promise.reject(new Error('There is no bot')),
  );
  const greeting = greetings.greet(groupId, { id: eve, first_name: 'Eve' }, 'a-join');
  await expect.poll(() => group.api.callsTo('sendMessage')).toHaveLength(1);
  group.server.wait(minute + 1);
  release();
  await Promise.all([before, greeting]);
  expect(said()).toEqual(['Something else']);
});

test('a join that is heard of again is greeted once, and a later one again', async () => {
  await group.set({ welcome: true, welcome_keep: 'off' });
  const { greetings } = group.server.services;
  await joins();
  await greetings.greet(groupId, { id: eve, first_name: 'Eve' }, 'the-same-join');
  expect(said()).toHaveLength(1);

  await group.hears(group.api.moves.leave(groupId, eve));
  await joins();
  expect(said()).toHaveLength(2);
});

test('a bot that joins is not greeted', async () => {
  await group.set({ welcome: true });
  const user = { id: 987_654, first_name: 'Robot', is_bot: true };
  await group.server.services.greetings.greet(groupId, user, 'a-join');
  expect(said()).toEqual([]);
});

test('who leaves hears a goodbye once, and who is removed none', async () => {
  await group.says(bo, '/setgoodbye See you, {first}.');
  expect(group.lastText()).toBe('See you, Bo.');
  await group.hears(group.api.moves.leave(groupId, ann));
  expect(said().at(-1)).toBe('See you, Ann.');

  const count = said().length;
  await joins();
  await group.hears(group.api.moves.order(groupId, eve, { by: bo, what: 'ban' }));
  expect(said()).toHaveLength(count);

  const { greetings } = group.server.services;
  await greetings.sayGoodbye(groupId, { id: eve, first_name: 'Eve' }, 'left-1');
  await greetings.sayGoodbye(groupId, { id: eve, first_name: 'Eve' }, 'left-1');
  expect(said()).toHaveLength(count + 1);

  await group.says(bo, '/goodbye off');
  expect(group.lastText()).toBe('I say nothing when someone leaves. /goodbye on changes that.');
});

test('/resetwelcome goes back to the text of the bot', async () => {
  await group.says(bo, '/setwelcome Ahoy');
  await group.says(bo, '/resetwelcome');
  expect(group.lastText()).toBe('Hello Bo, welcome to Otters!');
});

test('members change nothing of it', async () => {
  await group.says(ann, '/setwelcome Ahoy');
  expect(group.lastText()).toBe(
    'Only administrators with the right “Change group info” can do this.',
  );
  await group.says(ann, '/setrules Ahoy');
  expect(group.lastText()).toBe(
    'Only administrators with the right “Change group info” can do this.',
  );
});

test('greetings are counted', async () => {
  await group.set({ welcome: true });
  await joins();
  await group.server.services.chatNumbers.stop();
  const rows = await group.server.db
    .selectFrom('chat_numbers')
    .select(['name', 'count'])
    .where('name', '=', 'greeting')
    .execute();
  expect(rows).toEqual([{ name: 'greeting', count: 1 }]);
});

test('service messages go by what they say, in all topics', async () => {
  const service = (fields: object) =>
    group.hears({ message: { ...group.toMessage(olga), text: undefined, ...fields } });
  const newcomer = { new_chat_members: [{ id: eve, is_bot: false, first_name: 'Eve' }] };
  await service({ message_id: 501, ...newcomer });
  expect(group.api.deletions.gone(groupId)).toEqual([]);

  await group.says(bo, '/cleanservice join pin');
  expect(group.lastText()).toBe(
    'I delete what Telegram writes about: new members, pinned messages.',
  );
  await service({ message_id: 502, ...newcomer });
  await service({ message_id: 503, new_chat_title: 'Cats' });
  await service({
    message_id: 504,
    is_topic_message: true,
    message_thread_id: 7,
    pinned_message: group.toMessage(bo),
  });
  await group.says(ann, 'Hello');
  expect(group.api.deletions.gone(groupId)).toEqual([502, 504]);

  await group.says(bo, '/cleanservice sticker');
  expect(group.lastText()).toMatch(/^Write what goes/);
  await group.says(bo, '/cleanservice all');
  await service({
    message_id: 505,
    left_chat_member: { id: eve, is_bot: false, first_name: 'Eve' },
  });
  await group.says(bo, '/cleanservice off');
  expect(group.lastText()).toBe('I delete nothing of what Telegram writes here.');
  await service({ message_id: 506, ...newcomer });
  expect(group.api.deletions.gone(groupId)).toEqual([502, 504, 505]);
});

test('/cleanservice needs the right to delete', async () => {
  group.group.botMayDelete = false;
  await group.says(bo, '/cleanservice all');
  expect(group.lastText()).toBe(
    'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
  );
});
