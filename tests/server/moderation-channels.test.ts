/** Messages in the name of a channel: of any channel, or of the one that is linked to the group. */
import { expect, test } from 'vitest';

import { allMessageTypes } from '#contract/chats/message-types';
import { chatId, later, moderatedChat } from '#tests/moderated-chat';
import { samples } from '#tests/sample-messages';

/** The sender of messages in the name of a channel, as Telegram gives it. */
const asChannel = {
  from: { id: 136_817_688, is_bot: true, first_name: 'Channel' },
  sender_chat: { id: -1_001_000_000_777, type: 'channel', title: 'News' },
};

test('messages in the name of another channel are not exempt', async () => {
  const { block, write, deleted } = await moderatedChat();
  await block(['photo']);

  const ids = await write({ ...samples.photo, ...asChannel });

  expect(deleted()).toEqual(ids);
});

test('messages of the linked channel are exempt, and Telegram is called rarely', async () => {
  const linkedId = asChannel.sender_chat.id;
  const { api, block, write, deleted } = await moderatedChat({ chat: { linkedId } });
  await block(allMessageTypes);

  await write({ ...samples.photo, ...asChannel });
  await write({ ...samples.text, ...asChannel });
  const stranger = { ...asChannel.sender_chat, id: -1_001_000_000_778 };
  const ids = await write({ ...samples.photo, ...asChannel, sender_chat: stranger });

  expect(deleted()).toEqual(ids);
  expect(api.callsTo('getChat')).toHaveLength(1);
});

test('who may not write as a channel still may as the linked one, and anonymous administrators as the group', async () => {
  const linkedId = asChannel.sender_chat.id;
  const { api, block, write, deleted } = await moderatedChat({ chat: { linkedId } });
  await block(['channel_sender']);

  await write({ ...samples.text, ...asChannel });
  await write(
    { ...samples.photo, ...asChannel, from: { id: 777_000 }, is_automatic_forward: true },
    { ...samples.text, from: { id: 1_087_968_824, is_bot: true }, sender_chat: { id: chatId } },
    samples.text,
  );
  const stranger = { ...asChannel.sender_chat, id: -1_001_000_000_778 };
  const ids = await write({ ...samples.text, ...asChannel, sender_chat: stranger });

  expect(deleted()).toEqual(ids);
  expect(api.callsTo('getChatAdministrators')).toEqual([]);
});

test('messages of channels wait until Telegram says which channel is linked', async () => {
  const chat = await moderatedChat({ chat: { linkedId: asChannel.sender_chat.id } });
  await chat.block(['photo']);
  chat.api.fail('getChat', { error_code: 503, description: 'Service Unavailable' });

  const stranger = { ...asChannel.sender_chat, id: -1_001_000_000_778 };
  await chat.write({ ...samples.photo, ...asChannel });
  const ids = await chat.write({ ...samples.photo, ...asChannel, sender_chat: stranger });
  expect(chat.deleted()).toEqual([]);
  await later(chat, 10_000);

  expect(chat.deleted()).toEqual(ids);
});
