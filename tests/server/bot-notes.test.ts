/** Notes: what is saved under a name, and who is shown it where. */
import { beforeEach, describe, expect, test } from 'vitest';

import { notePayload } from '#contract/chats/bot-links';
import { ann, anonymous, bo, type CommandGroup, cy, dan, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

/** As Telegram marks it. */
const hashtag = (text: string) => ({
  fields: {
    text,
    entities: [{ type: 'hashtag', offset: 0, length: /^#\w*/.exec(text)?.[0].length }],
  },
});
const names = (from: number, text: string) => group.says(from, text, hashtag(text));
const last = () => group.api.messages.at(-1);

test('a note is saved by an administrator and shown to all by its name', async () => {
  const text = '/save WiFi The password is otter';
  const command = { type: 'bot_command', offset: 0, length: '/save'.length };
  const code = { type: 'code', offset: text.indexOf('otter'), length: 5 };
  await group.says(bo, text, { fields: { entities: [command, code] } });
  expect(last()).toMatchObject({
    text: 'The note “wifi” is saved. #wifi shows it.',
    ephemeral: { to: bo },
  });

  const shown = {
    text: 'The password is otter',
    body: { entities: [{ type: 'code', offset: 16 }] },
  };
  await group.says(ann, '/get wifi');
  expect(last()).toMatchObject(shown);
  expect(last()?.ephemeral).toBeUndefined();
  const id = await names(dan, '#WIFI please');
  expect(last()).toMatchObject({ ...shown, body: { reply_parameters: { message_id: id } } });

  await group.says(ann, '/notes');
  expect(last()).toMatchObject({ text: 'Notes of this group:\n• #wifi', ephemeral: { to: ann } });

  await group.says(bo, '/clear wifi');
  expect(group.lastText()).toBe('The note “wifi” is removed.');
  await group.says(ann, '/notes');
  expect(group.lastText()).toBe('This group has no notes yet.');
});

test('an unknown note is named after a command, and #name is silent', async () => {
  await group.says(ann, '/get wifi');
  expect(group.lastText()).toBe('There is no note “wifi”.');
  const before = group.api.messages.length;
  await names(ann, '#wifi');
  await names(ann, '#');
  expect(group.api.messages).toHaveLength(before);
});

test('only a hashtag at the beginning of a message that stays shows a note', async () => {
  await group.says(bo, '/save wifi Otter');
  await group.says(bo, '/addblocklist casino');
  const before = group.api.messages.length;
  const later = { type: 'hashtag', offset: 4, length: 5 };
  await group.says(ann, 'See #wifi', { fields: { entities: [later] } });
  await group.says(ann, '#wifi');
  await group.hears({ edited_message: group.toMessage(ann, hashtag('#wifi').fields) });
  expect(group.api.messages).toHaveLength(before);
  await names(ann, '#wifi casino');
  expect(group.lastText()).toContain('Your message was deleted');
});

test('a note is a picture, saved as a reply', async () => {
  const fileId = group.api.media.addFile('photo');
  const photo = [{ file_id: fileId, file_unique_id: 'o', width: 9, height: 9 }];
  const replied = { ...group.toMessage(dan, { photo }), text: undefined };
  await group.says(bo, '/save otter', { fields: { reply_to_message: replied } });
  await names(ann, '#otter');
  expect(last()?.body).toMatchObject({ photo: fileId });
});

describe('how a note is shown', () => {
  test('{protect}: not to be forwarded; the formatting around it stays where it was', async () => {
    const text = '/save wifi 🦦 {protect} Password otter';
    const command = { type: 'bot_command', offset: 0, length: '/save'.length };
    const bold = { type: 'bold', offset: text.indexOf('🦦'), length: 2 };
    const code = { type: 'code', offset: text.indexOf('otter'), length: 5 };
    await group.says(bo, text, { fields: { entities: [command, bold, code] } });
    await names(ann, '#wifi');
    expect(last()).toMatchObject({
      text: '🦦 Password otter',
      body: {
        protect_content: true,
        entities: [
          { type: 'bold', offset: 0, length: 2 },
          { type: 'code', offset: 12, length: 5 },
        ],
      },
    });
  });

  test('{admin}: for administrators, and for others as if there were none', async () => {
    await group.says(bo, '/save plan Meet at eight {admin}');
    await group.says(ann, '/get plan');
    expect(group.lastText()).toBe('There is no note “plan”.');
    const before = group.api.messages.length;
    await names(ann, '#plan');
    expect(group.api.messages).toHaveLength(before);
    await group.says(ann, '/notes');
    expect(group.lastText()).toBe('This group has no notes yet.');

    await names(cy, '#plan');
    expect(group.lastText()).toBe('Meet at eight');
    await group.says(bo, '#plan', { fields: { ...hashtag('#plan').fields, ...anonymous } });
    expect(group.lastText()).toBe('Meet at eight');
    await group.says(bo, '/notes');
    expect(group.lastText()).toBe('Notes of this group:\n• #plan – administrators only');
  });

  test('{private}: by a button in private, for those who are in the group', async () => {
    await group.says(bo, '/save wifi {private} The password is otter');
    await names(ann, '#wifi');
    const payload = notePayload(groupId, 'wifi');
    expect(last()).toMatchObject({
      text: 'I show the note “wifi” in private.',
      ephemeral: { to: ann },
      body: {
        reply_markup: {
          inline_keyboard: [
            [{ text: 'Read it', url: `https://t.me/${group.api.bot.username}?start=${payload}` }],
          ],
        },
      },
    });

    await group.writes(`/start ${payload}`, { chatId: ann, from: ann });
    expect(last()).toMatchObject({ to: ann, text: 'The password is otter' });

    const stranger = 666_001;
    group.api.addPerson({ id: stranger, first_name: 'Eve' });
    await group.writes(`/start ${payload}`, { chatId: stranger, from: stranger });
    expect(last()).toMatchObject({
      to: stranger,
      text: 'This note is gone, or you are not in its group.',
    });
    await group.says(bo, '/clear wifi');
    await group.writes(`/start ${payload}`, { chatId: ann, from: ann });
    expect(group.lastText()).toBe('This note is gone, or you are not in its group.');
  });

  test('a note for administrators is not shown to members by its link either', async () => {
    await group.says(bo, '/save plan {admin} {private} Meet at eight');
    const payload = notePayload(groupId, 'plan');
    await group.writes(`/start ${payload}`, { chatId: ann, from: ann });
    expect(group.lastText()).toBe('This note is gone, or you are not in its group.');
    await group.writes(`/start ${payload}`, { chatId: cy, from: cy });
    expect(group.lastText()).toBe('Meet at eight');
  });
});

test('names have at most 32 letters, digits, _ and -, of all scripts', async () => {
  for (const name of ['a', 'wi-fi_2', 'пароль', 'x'.repeat(32)]) {
    await group.says(bo, `/save ${name} Text`);
    expect(group.lastText()).toBe(`The note “${name}” is saved. #${name} shows it.`);
  }
  for (const name of ['wi.fi', 'x'.repeat(33), '🦦']) {
    await group.says(bo, `/save ${name} Text`);
    expect(group.lastText()).toBe('A name has at most 32 letters, digits, _ and -.');
  }
});

test.each([
  ['/save', '/save wifi The password is otter'],
  ['/save wifi', '/save wifi The password is otter'],
  ['/save wifi {private}', '/save wifi The password is otter'],
  ['/get', '/get wifi, or #wifi'],
  ['/clear', '/clear wifi'],
  ['/clear wifi', 'There is no note “wifi”.'],
])('%s says what is missing', async (typed, answer) => {
  await group.says(bo, typed);
  expect(group.lastText()).toContain(answer);
});

test('members save and remove nothing, and where notes are switched off they are shown none', async () => {
  await group.says(bo, '/save wifi Otter');
  for (const typed of ['/save wifi Other', '/clear wifi']) {
    await group.says(ann, typed);
    expect(group.lastText()).toContain('Only administrators');
  }
  await group.set({ 'off:notes': true });
  const before = group.api.messages.length;
  await names(ann, '#wifi');
  await group.says(ann, '/get wifi');
  expect(group.api.messages).toHaveLength(before);
  await names(cy, '#wifi');
  expect(group.lastText()).toBe('Otter');
});

test('a group has at most 200 notes', async () => {
  await group.says(bo, '/save wifi Otter');
  const stored = await group.server.services.chatValues.readForBot(groupId);
  const note = stored.get(-1)?.get('note:wifi');
  await group.set(
    Object.fromEntries(Array.from({ length: 199 }, (_item, index) => [`note:n${index}`, note])),
  );
  await group.says(bo, '/save otter Otters');
  expect(group.lastText()).toBe('A chat can have at most 200 notes. Remove one first.');
});
