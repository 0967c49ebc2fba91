/** Rules of a group, and texts that managers send to the bot in private. */
import { beforeEach, expect, test } from 'vitest';

import { listChanges } from '#contract/endpoints/chat-changes';
import { requestContent } from '#contract/endpoints/chat-contents';
import { addTopic } from '#contract/endpoints/chats';
import { wholeChatId } from '#server/db/chat-values';
import { manage, type SignedIn, signIn } from '#tests/chats';
import { ann, anonymous, bo, type CommandGroup, dan, olga, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

const lastTo = (id: number) => group.api.messages.findLast(({ to }) => to === id);

/** A person writes to the bot in private. */
const writes = (from: number, text: string, fields: Readonly<Record<string, unknown>> = {}) =>
  group.writes(text, { chatId: from, from, fields });

const readValue = async (name: string, topicId = wholeChatId) =>
  (await group.server.services.chatValues.readForBot(groupId)).get(topicId)?.get(name);

/** What a value of the group says. */
const readText = async (name: string) =>
  (await group.server.services.contents.find(groupId, String(await readValue(name))))?.text;

test('a group without rules says so, also by a link', async () => {
  await group.says(ann, '/rules');
  expect(group.lastText()).toBe('This group has no rules yet.');
  await writes(ann, `/start rules_${groupId}`);
  expect(lastTo(ann)?.text).toBe('This group has no rules yet.');
});

test('rules are shown in private by a button, with their formatting', async () => {
  const text = '/setrules Be kind, {first}.';
  const entities = [
    { type: 'bot_command', offset: 0, length: 9 },
    { type: 'bold', offset: 10, length: 7 },
  ];
  await group.says(bo, text, { fields: { entities } });
  expect(group.lastText()).toBe('Be kind, Bo.');

  await group.says(ann, '/rules');
  expect(lastTo(groupId)).toMatchObject({
    text: 'I show you the rules in private.',
    ephemeral: { to: ann },
  });
  const url = `https://t.me/nori_test_bot?start=rules_${groupId}`;
  expect(lastTo(groupId)?.body['reply_markup']).toEqual({
    inline_keyboard: [[{ text: 'Read the rules', url }]],
  });

  await writes(ann, `/start rules_${groupId}`, {
    from: { id: ann, is_bot: false, first_name: 'Ann' },
  });
  expect(lastTo(ann)).toMatchObject({
    text: 'Be kind, Ann.',
    body: { entities: [{ type: 'bold', offset: 0, length: 7 }] },
  });
});

test('rules are shown to all where the group wants that, and are gone when they are cleared', async () => {
  await group.says(bo, '/setrules Be kind.');
  await group.set({ rules_public: true });
  await group.says(ann, '/rules');
  expect(lastTo(groupId)).toMatchObject({ text: 'Be kind.' });
  expect(lastTo(groupId)?.ephemeral).toBeUndefined();

  await group.says(bo, '/clearrules');
  expect(group.lastText()).toBe('The rules are deleted.');
  await group.says(ann, '/rules');
  expect(group.lastText()).toBe('This group has no rules yet.');
});

test('an anonymous administrator saves what they reply to when they show who they are', async () => {
  const reply = { ...group.toMessage(ann), text: 'Be kind.' };
  await group.says(bo, '/setrules', { fields: { ...anonymous, reply_to_message: reply } });
  expect(await readValue('rules_content')).toBeUndefined();
  await group.press([bo, 'Confirm: I am an administrator']);
  expect(await readText('rules_content')).toBe('Be kind.');
});

test('a warning leads to the rules, where the group has some', async () => {
  const buttons = () => group.api.messages.slice(-1).flatMap((one) => group.api.show(one)?.buttons);
  await group.says(bo, '/warn', { to: ann });
  expect(buttons()).toEqual([['Take back']]);
  await group.says(bo, '/setrules Be kind.');
  await group.says(bo, '/warn', { to: dan });
  expect(buttons()).toEqual([['Take back', 'Rules']]);
});

test('a filling for the rules is a link to them', async () => {
  await group.says(bo, '/setwelcome Read the {rules}!');
  expect(lastTo(groupId)?.body['entities']).toBeUndefined();
  await group.says(bo, '/setrules Be kind.');
  await group.says(bo, '/welcome');
  expect(lastTo(groupId)?.body['entities']).toEqual([
    {
      type: 'text_link',
      offset: 9,
      length: 5,
      url: `https://t.me/nori_test_bot?start=rules_${groupId}`,
    },
  ]);
});

test('rules of a group that has become a supergroup are found by its old ID', async () => {
  await group.says(bo, '/setrules Be kind.');
  const oldId = -4_000_001;
  await group.server.db
    .insertInto('chat_upgrades')
    .values({ old_chat_id: oldId, chat_id: groupId })
    .execute();
  await writes(ann, `/start rules_${oldId}`);
  expect(lastTo(ann)?.text).toBe('Be kind.');
});

test('what is no link to rules is answered as always', async () => {
  await group.says(bo, '/setrules Be kind.');
  await writes(ann, `/start rules_${groupId}_x`);
  expect(lastTo(ann)?.text).not.toBe('Be kind.');
});

/** Olga manages the group in Nori. */
async function startManaging() {
  const me = await signIn(group.server, olga);
  await manage({ server: group.server, bot: group.api }, me, group.group);
  await group.server.call(addTopic, { chat_id: groupId, topic_id: 7 }, me);
  return me;
}

/** Has the bot listen for a value. */
const listens = (me: SignedIn, value_name: string, place = 'chat') =>
  group.server.call(requestContent, { chat_id: groupId, value_name, place }, me);

test('the next message in private becomes the rules, and is one change of the history', async () => {
  const me = await startManaging();
  const reply = await listens(me, 'rules_content');
  expect(reply).toMatchObject({ status: 200, body: { link: 'https://t.me/nori_test_bot' } });
  expect(lastTo(olga)?.text).toMatch(/^Send me the rules of “Otters”\.\n\n.*10 minutes\.$/s);

  await writes(olga, 'Be kind.\n[Site](https://otters.example)');
  const [preview, saved] = group.api.messages.toReversed();
  expect(saved).toMatchObject({ to: olga, text: 'Saved. This is what I will send:' });
  expect(preview).toMatchObject({ to: olga, text: 'Be kind.' });
  expect(await readText('rules_content')).toBe('Be kind.');
  const changes = await group.server.call(listChanges, { chat_id: groupId }, me);
  expect(changes.body).toMatchObject({
    changes: [{ kind: 'values', values: [{ name: 'rules_content', was: null }] }],
  });

  // One message only.
  await writes(olga, 'And another thing');
  expect(await readText('rules_content')).toBe('Be kind.');
  expect(lastTo(olga)?.text).toBe('Be kind.');
});

test('a picture becomes a note, which stays what it was otherwise', async () => {
  const me = await startManaging();
  const before = await group.server.services.contents.save(groupId, {
    text: 'Old',
    entities: [],
    buttons: [],
  });
  await group.set({ 'note:wifi': { content: before, isPrivate: true } });
  await listens(me, 'note:wifi');
  expect(lastTo(olga)?.text).toMatch(/^Send me the note “wifi” of “Otters”\./);

  const photo = group.api.media.addFile('photo');
  await writes(olga, '', { text: undefined, photo: [{ file_id: photo, file_unique_id: 'x' }] });
  expect(group.api.callsTo('sendPhoto').at(-1)?.body).toMatchObject({ chat_id: olga, photo });
  expect(await readValue('note:wifi')).toEqual({ content: expect.any(String), isPrivate: true });
});

test('an answer in a topic is one for any place in a message', async () => {
  const me = await startManaging();
  await listens(me, 'filter:hello there', '7');
  await writes(olga, 'General Kenobi!');
  expect(await readValue('filter:hello there', 7)).toEqual({
    content: expect.any(String),
    match: 'anywhere',
  });
});

test('what cannot be sent on is refused, and the bot listens on', async () => {
  const me = await startManaging();
  await listens(me, 'goodbye_content');
  await writes(olga, 'a'.repeat(1001));
  expect(lastTo(olga)?.text).toBe('At most 1000 characters.');
  await writes(olga, '', { text: undefined, location: { latitude: 1, longitude: 1 } });
  expect(lastTo(olga)?.text).toMatch(/^I cannot send this on\./);
  await writes(olga, 'Bye {first}');
  expect(await readText('goodbye_content')).toBe('Bye {first}');
});

test('a command is no text, and the bot listens on', async () => {
  const me = await startManaging();
  await listens(me, 'rules_content');
  await writes(olga, '/help');
  expect(await readValue('rules_content')).toBeUndefined();
  await writes(olga, 'Be kind.');
  expect(await readText('rules_content')).toBe('Be kind.');
});

test('after ten minutes, or when it is cancelled, the bot no longer listens', async () => {
  const me = await startManaging();
  await listens(me, 'rules_content');
  const { answers } = await group.press([olga, 'Cancel']);
  expect(answers).toEqual(['']);
  await writes(olga, 'Be kind.');
  expect(await readValue('rules_content')).toBeUndefined();

  await listens(me, 'rules_content');
  group.server.wait(10 * minute);
  await writes(olga, 'Be kind.');
  expect(await readValue('rules_content')).toBeUndefined();
});

test('the last of several requests counts', async () => {
  const me = await startManaging();
  await listens(me, 'welcome_content');
  await listens(me, 'rules_content');
  await writes(olga, 'Be kind.');
  expect(await readValue('welcome_content')).toBeUndefined();
  expect(await readText('rules_content')).toBe('Be kind.');
});

test('who has lost the group meanwhile changes nothing', async () => {
  const me = await startManaging();
  await listens(me, 'rules_content');
  group.group.creator = dan;
  group.server.wait(2 * minute);
  await writes(olga, 'Be kind.');
  expect(await readValue('rules_content')).toBeUndefined();
  expect(lastTo(olga)?.text).not.toBe('Be kind.');
});

test('who never started the bot is told so, and strangers of a group are refused', async () => {
  const me = await startManaging();
  group.api.setReach(olga, 'never started');
  const reply = await listens(me, 'rules_content');
  expect(reply).toMatchObject({ status: 403, body: { code: 'bot_not_started' } });
  group.api.setReach(olga, 'started');
  await writes(olga, 'Be kind.');
  expect(await readValue('rules_content')).toBeUndefined();

  const stranger = await signIn(group.server, dan);
  const input = { chat_id: groupId, value_name: 'rules_content' };
  expect(await group.server.call(requestContent, input, stranger)).toMatchObject({
    status: 403,
    body: { code: 'chat_not_verified' },
  });
});

test('only values that name a content are listened for', async () => {
  const me = await startManaging();
  for (const [name, place] of [
    ['warn_limit', 'chat'],
    ['note:wifi', '7'],
    ['rules_content', '0'],
    ['note:Not A Name', 'chat'],
  ] as const) {
    expect(await listens(me, name, place)).toMatchObject({ status: 422 });
  }
});

test('a message that is handled again is answered again, and changes nothing more', async () => {
  const me = await startManaging();
  await listens(me, 'rules_content');
  await writes(olga, 'Be kind.');
  const { services } = group.server;
  const message = {
    ...group.toMessage(olga),
    chat: { id: olga, type: 'private' as const, first_name: 'Olga' },
  };
  const answers = await services.contentRequests.receive({ message, key: 'again' });
  expect(answers).toEqual([]);
  const { body } = await group.server.call(listChanges, { chat_id: groupId }, me);
  expect(body).toMatchObject({ changes: [{ kind: 'values' }] });
});
