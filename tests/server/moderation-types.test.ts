/** Each message type: deleted where it is blocked, kept where it is not. */
import { describe, expect, test } from 'vitest';

import { allMessageTypes, type MessageType, moreMessageTypes } from '#contract/chats/message-types';
import { chatId, moderatedChat, people, topicId } from '#tests/moderated-chat';
import { hidingPlaces, otherForms, samples, serviceForms } from '#tests/sample-messages';

const inTopic = { is_topic_message: true, message_thread_id: topicId };
const byAdministrator = { from: { id: people.administrator, is_bot: false, first_name: 'Al' } };
const forwarded = { forward_origin: { type: 'hidden_user', date: 1, sender_user_name: 'Ada' } };
/** The bot of the stand-in. */
const botId = 123_456_789;
const edited = { edit_date: 1_800_000_000 };

const everythingBut = (type: MessageType) => allMessageTypes.filter((other) => other !== type);

const textTypes = [
  'url',
  'mention',
  'hashtag',
  'bot_command',
  'custom_emoji',
  'spoiler',
  'email',
  'phone_number',
] as const;
/** Messages of these types have a text as well. */
const withText = new Set<MessageType>([
  ...textTypes,
  'forward',
  'via_bot',
  'external_reply',
  'quote',
  'channel_sender',
  'invite_link',
]);

const serviceTypes: readonly MessageType[] = moreMessageTypes.service;
const writtenTypes = allMessageTypes.filter((type) => !serviceTypes.includes(type));

describe.each(writtenTypes)('%s', (type) => {
  const sample = samples[type];

  test('is deleted once where it is blocked, and nowhere else', async () => {
    const { block, write, deleted } = await moderatedChat();
    await block([type]);

    const [general] = await write(sample);
    await write({ ...sample, ...inTopic });
    const [edit] = await write({ ...sample, ...edited });
    const [forward] = await write({ ...sample, ...forwarded });

    expect(deleted()).toEqual([general, edit, forward]);
  });

  test('is deleted in the topic that blocks it; a reply in General is not in that topic', async () => {
    const { block, write, deleted } = await moderatedChat();
    await block([type], { topic: topicId });

    const [first] = await write({ ...sample, ...inTopic });
    await write(sample, { ...sample, message_thread_id: topicId });
    const [edit] = await write({ ...sample, ...inTopic, ...edited });

    expect(deleted()).toEqual([first, edit]);
  });

  test('stays where it is allowed, whatever else is blocked', async () => {
    const { block, write, deleted } = await moderatedChat();
    const alsoText = withText.has(type);
    await block(everythingBut(type).filter((other) => !(alsoText && other === 'text')));

    await write(sample, { ...sample, ...edited }, { ...sample, ...inTopic });

    expect(deleted()).toEqual([]);
  });

  test('deletes the rest of its album as well', async () => {
    const { block, write, deleted } = await moderatedChat();
    await block([type]);
    const album = { media_group_id: '77' };
    // A type that is not blocked.
    const companion = type === 'video' ? samples.photo : samples.video;

    const first = await write({ ...companion, ...album });
    const second = await write({ ...sample, ...album });
    const late = await write({ ...companion, ...album });

    expect(deleted()).toEqual([...first, ...second, ...late]);
  });
});

/** Who writes in the name of a channel is hidden, so that no message of this type is an administrator's. */
const typesWithWriter = writtenTypes.filter((type) => type !== 'channel_sender');

test.each(typesWithWriter)('%s stays when an administrator or the owner sent it', async (type) => {
  const { api, block, write, deleted } = await moderatedChat();
  const sample = samples[type];
  await block([type]);

  await write(
    { ...sample, ...byAdministrator },
    { ...sample, ...byAdministrator, ...edited },
    { ...sample, from: { id: people.owner, is_bot: false, first_name: 'Olga' } },
  );

  expect(deleted()).toEqual([]);
  expect(api.callsTo('getChatAdministrators')).toHaveLength(1);
});

test.each(textTypes)('%s is found in the caption of a picture', async (type) => {
  const { block, write, deleted } = await moderatedChat();
  await block([type]);
  const caption = { caption: 'something', caption_entities: samples[type]['entities'] };

  const [inCaption] = await write({ ...samples.photo, ...caption });
  await write({ ...samples.photo, caption: 'something' });

  expect(deleted()).toEqual([inCaption]);
});

test.each(otherForms)('%s counts as %s', async (_name, type, content) => {
  const { block, write, deleted } = await moderatedChat();
  await block([type]);

  const ids = await write(content);

  expect(deleted()).toEqual(ids);
});

test.each(hidingPlaces)('%s can contain a blocked %s', async (_place, type, content) => {
  const { block, allow, write, deleted } = await moderatedChat();
  await block([type]);
  const ids = await write(content);

  await allow([type]);
  await write(content);

  expect(deleted()).toEqual(ids);
});

test('an animation is no document, a venue no location, and a post of the linked channel no forward', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(['document', 'location', 'forward']);

  await write(samples.animation, samples.venue, {
    ...samples.text,
    ...forwarded,
    is_automatic_forward: true,
  });

  expect(deleted()).toEqual([]);
});

test.each([
  't.me/+491234567890',
  'https://telegram.me/+491234567890?text=Hi',
  't.me/otters',
  'https://t.me/joinchat',
  'nott.me/+AbCdEf',
  'https://example.org/t.me-+AbCdEf',
  'tg://resolve?domain=otters',
])('%s is no link to join a chat', async (address) => {
  const { block, write, deleted } = await moderatedChat();
  await block(['invite_link']);

  await write({ text: `See ${address} there` });

  expect(deleted()).toEqual([]);
});

test('an invite link in the title of a chat that did a task is none of the message', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(['invite_link']);
  const completed_by_chat = { id: -5, type: 'supergroup', title: 't.me/+AbCdEf' };

  await write({
    checklist: { title: 'To do', tasks: [{ id: 1, text: 'Tea', completed_by_chat }] },
  });

  expect(deleted()).toEqual([]);
});

test('what another message replies to, quotes or pins does not count as sent', async () => {
  const { block, write, deleted } = await moderatedChat();
  const own = new Set<MessageType>(['text', 'external_reply', 'quote', 'pinned_message']);
  await block(allMessageTypes.filter((type) => !own.has(type)));

  await write(
    { text: 'Yes', reply_to_message: { message_id: 5, ...samples.photo, ...samples.url } },
    { text: 'Yes', external_reply: { origin: forwarded.forward_origin, ...samples.photo } },
    {
      text: 'Yes',
      quote: {
        text: 'x',
        entities: samples.custom_emoji['entities'],
        position: 0,
        is_manual: true,
      },
    },
    { pinned_message: { message_id: 5, chat: { id: chatId }, date: 1, ...samples.photo } },
  );

  expect(deleted()).toEqual([]);
});

test('a reply to another topic or to a story of the same chat shows nothing from elsewhere', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(['external_reply']);

  await write(
    {
      text: 'Yes',
      external_reply: {
        origin: forwarded.forward_origin,
        chat: { id: chatId, type: 'supergroup' },
        message_id: 5,
      },
    },
    { text: 'Nice', reply_to_story: { chat: { id: chatId, type: 'supergroup' }, id: 4 } },
  );

  expect(deleted()).toEqual([]);
});

test('a quote that Telegram adds to a reply to another chat is no quote of the sender', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(['quote']);

  await write(samples.external_reply);

  expect(deleted()).toEqual([]);
});

const serviceSamples = [
  ...moreMessageTypes.service.map((type) => [type, samples[type]] as const),
  ...serviceForms,
];

describe.each(serviceSamples)('the service message of %s: %o', (type, sample) => {
  test('is deleted where it is blocked, also when an administrator or the bot caused it', async () => {
    const { api, block, write, deleted } = await moderatedChat();
    await block([type]);

    const ids = await write(
      sample,
      { ...sample, ...byAdministrator },
      { ...sample, from: { id: people.owner, is_bot: false, first_name: 'Olga' } },
      { ...sample, from: { id: botId, is_bot: true, first_name: 'Nori' } },
      { ...sample, from: { id: 1_087_968_824, is_bot: true }, sender_chat: { id: chatId } },
    );

    expect(deleted()).toEqual(ids);
    expect(api.callsTo('getChatAdministrators')).toEqual([]);
  });

  test('stays where it is allowed, whatever else is blocked', async () => {
    const { block, write, deleted } = await moderatedChat();
    await block(everythingBut(type));
    await block([type], { topic: topicId });

    await write(sample);

    expect(deleted()).toEqual([]);
  });
});

test('service messages that Telegram lets no bot delete are not tried', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(allMessageTypes);

  await write(
    { forum_topic_created: { name: 'Tea', icon_color: 1 } },
    { group_chat_created: true },
    { supergroup_chat_created: true },
    { migrate_from_chat_id: -4 },
  );

  expect(deleted()).toEqual([]);
});

test('a service message that Telegram keeps does not show that the bot lacks the right', async () => {
  const { api, server, block, message, write } = await moderatedChat();
  await block(['new_member', 'photo']);
  const kept = message(samples.new_member);
  api.deletions.forbid(chatId, kept.message_id);

  await server.services.moderation.handleMessage(kept);
  const photos = await write(samples.photo, samples.photo);

  await expect.poll(() => api.deletions.gone(chatId)).toEqual(photos);
});

test('service messages that Telegram keeps do not keep the bot from deleting others', async () => {
  const { api, server, block, message, write } = await moderatedChat();
  await block(['new_member', 'photo']);
  const kept = Array.from({ length: 4 }, () => message(samples.new_member));
  api.deletions.forbid(chatId, ...kept.map(({ message_id }) => message_id));
  const photos = [message(samples.photo), message(samples.photo)];

  // In one call, which Telegram refuses as a whole.
  const toDeletion = (setting: string) => (one: { readonly message_id: number }) => ({
    chatId,
    messageId: one.message_id,
    setting,
    giveUpAt: server.now() + 1000,
  });
  await server.services.deletions.deleteNow([
    ...kept.map(toDeletion('new_member_blocked')),
    ...photos.map(toDeletion('photo_blocked')),
  ]);
  const later = await write(samples.photo);

  const gone = [...photos.map(({ message_id }) => message_id), ...later];
  await expect.poll(() => api.deletions.gone(chatId)).toEqual(gone);
});

test('a malformed message is kept and blocks no other message', async () => {
  const { server, block, message, write, deleted } = await moderatedChat();
  await block(allMessageTypes);
  const { handleMessage: handle } = server.services.moderation;
  const circle: Record<string, unknown> = {};
  circle['blocks'] = [null, 7, 'x', [[[[]]]]];

  for (const strange of [
    undefined,
    null,
    'message',
    {},
    [],
    { message_id: 'one', chat: { id: chatId } },
    message({ message_id: 0, text: 'for one person only' }),
    message({ chat: 'Otters', text: 'Hello' }),
    message({ entities: 'none', photo: [], poll: [], reply_markup: { inline_keyboard: [7] } }),
    message({ entities: [null, 7, { type: 7 }], rich_message: circle, from: undefined }),
    message({ text: 'in another life', business_connection_id: 'b' }),
  ]) {
    await handle(strange);
  }
  expect(deleted()).toEqual([]);

  const ids = await write({ text: 'Hello', entities: { broken: true }, caption_entities: 5 });
  expect(deleted()).toEqual(ids);
});
