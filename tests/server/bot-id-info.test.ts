/** /id and /info: what Telegram says of a chat and of people. */
import { describe, expect, test } from 'vitest';

import { ann, anonymous, asChannel, bo, channelId, olga, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';

describe('/id', () => {
  test('names the chat and the one who asks, to them alone', async () => {
    const group = await startGroup();
    await group.says(ann, '/id');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: `This chat: ${groupId}\nYou: ${ann}`,
      ephemeral: { to: ann },
    });
  });

  test('names the topic, and of a reply the writer and the message', async () => {
    const group = await startGroup({ group: { isForum: true } });
    const replied = group.toMessage(bo, { message_thread_id: 7 });
    await group.says(ann, '/id', { topicId: 7, fields: { reply_to_message: replied } });
    expect(group.lastText()).toBe(
      `This chat: ${groupId}\nThis topic: 7\nBo: ${bo}\nThe message: ${replied.message_id}`,
    );
  });

  test('names a channel that writes in the group, and no one who hides', async () => {
    const group = await startGroup();
    const fields = { reply_to_message: group.toMessage(bo, asChannel) };
    await group.says(ann, '/id', { fields });
    expect(group.lastText()).toContain(`News: ${channelId}`);
    await group.says(bo, '/id', { fields: anonymous });
    expect(group.lastText()).toBe(`This chat: ${groupId}`);
  });

  test('names the user in private', async () => {
    const group = await startGroup();
    await group.writes('/id', { chatId: ann, from: ann });
    expect(group.lastText()).toBe(`You: ${ann}`);
  });
});

describe('/info', () => {
  test('says who asks, and what they are here', async () => {
    const group = await startGroup();
    await group.says(ann, '/info');
    expect(group.api.messages.at(-1)).toMatchObject({
      text: `Ann\nID: ${ann}\nUsername: @ann_otter\nMember of this group`,
      ephemeral: { to: ann },
      body: { entities: [{ type: 'text_mention', user: { id: ann } }] },
    });
  });

  test('says of others whether they own the group, are gone, or were banned', async () => {
    const group = await startGroup();
    await group.says(ann, '/info', { to: olga });
    expect(group.lastText()).toBe(`Olga\nID: ${olga}\nOwner of this group`);
    await group.says(ann, '/info 777777');
    expect(group.lastText()).toBe('777777\nID: 777777\nNot in this group');
    await group.says(bo, `/ban ${ann}`);
    await group.says(bo, `/info ${ann}`);
    expect(group.lastText()).toContain('Banned from this group');
  });

  test('says of @name whom the bot has seen, and of a channel what it is', async () => {
    const group = await startGroup();
    await group.says(bo, 'Hello');
    await group.says(ann, '/info @bo_otter');
    expect(group.lastText()).toContain(`ID: ${bo}`);
    await group.says(ann, '/info @nobody_here');
    expect(group.lastText()).toBe(
      'I have not seen @nobody_here yet. Reply to one of their messages, or use their ID.',
    );
    await group.says(ann, '/info', {
      fields: { reply_to_message: group.toMessage(bo, asChannel) },
    });
    expect(group.lastText()).toBe(`News\nID: ${channelId}\nThis is a channel or a group.`);
  });

  test('says nothing of an anonymous administrator', async () => {
    const group = await startGroup();
    await group.says(ann, '/info', {
      fields: { reply_to_message: group.toMessage(bo, anonymous) },
    });
    expect(group.lastText()).not.toContain(String(bo));
  });

  test('says what it knows while Telegram says nothing, and in private', async () => {
    const group = await startGroup();
    group.api.fail('getChatMember', 'reset', 2);
    await group.says(ann, '/info');
    expect(group.lastText()).toBe(`Ann\nID: ${ann}\nUsername: @ann_otter`);
    await group.writes('/info', { chatId: ann, from: ann });
    expect(group.lastText()).toMatch(new RegExp(`ID: ${ann}`));
  });
});
