/** Each message type: deleted where it is blocked, kept where it is not. */
import { describe, expect, test } from 'vitest';

import { allMessageTypes, type MessageType } from '#contract/chats/message-types';
import { chatId, moderatedChat, people, topicId } from '#tests/moderated-chat';
import { hidingPlaces, otherForms, samples } from '#tests/sample-messages';

const inTopic = { is_topic_message: true, message_thread_id: topicId };
const byAdministrator = { from: { id: people.administrator, is_bot: false, first_name: 'Al' } };
const forwarded = { forward_origin: { type: 'hidden_user', date: 1, sender_user_name: 'Ada' } };
const edited = { edit_date: 1_800_000_000 };

const everythingBut = (type: MessageType) => allMessageTypes.filter((other) => other !== type);

const textTypes = ['url', 'mention', 'hashtag', 'bot_command', 'custom_emoji', 'spoiler'] as const;
const isTextType = (type: MessageType) => textTypes.some((one) => one === type);

describe.each(allMessageTypes)('%s', (type) => {
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
    // A message of these types is text as well.
    const alsoText = isTextType(type) || type === 'forward' || type === 'via_bot';
    await block(everythingBut(type).filter((other) => !(alsoText && other === 'text')));

    await write(sample, { ...sample, ...edited }, { ...sample, ...inTopic });

    expect(deleted()).toEqual([]);
  });

  test('stays when an administrator or the owner sent it', async () => {
    const { api, block, write, deleted } = await moderatedChat();
    await block([type]);

    await write(
      { ...sample, ...byAdministrator },
      { ...sample, ...byAdministrator, ...edited },
      { ...sample, from: { id: people.owner, is_bot: false, first_name: 'Olga' } },
    );

    expect(deleted()).toEqual([]);
    expect(api.callsTo('getChatAdministrators')).toHaveLength(1);
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

test('a message that another message replies to, quotes or pins does not count', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(everythingBut('text'));

  await write(
    { text: 'Yes', reply_to_message: { message_id: 5, ...samples.photo, ...samples.url } },
    { text: 'Yes', external_reply: { origin: forwarded.forward_origin, ...samples.photo } },
    { text: 'Yes', quote: { text: 'x', entities: samples.custom_emoji['entities'], position: 0 } },
    { pinned_message: { message_id: 5, chat: { id: chatId }, date: 1, ...samples.photo } },
  );

  expect(deleted()).toEqual([]);
});

test('service messages are never deleted', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(allMessageTypes);

  await write(
    { new_chat_members: [{ id: 9, is_bot: false, first_name: 'Zoe' }] },
    { left_chat_member: { id: 9, is_bot: false, first_name: 'Zoe' } },
    { new_chat_title: 'https://example.org' },
    { new_chat_photo: samples.photo['photo'] },
    { forum_topic_created: { name: 'Tea', icon_color: 1 } },
    {
      checklist_tasks_added: {
        tasks: [{ id: 1, text: 'x', text_entities: samples.url['entities'] }],
      },
    },
    { giveaway_created: {} },
    { video_chat_started: {} },
  );

  expect(deleted()).toEqual([]);
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
