/** Bans, removals and mutes: what Telegram is asked for, what the group reads, and what buttons undo. */
import { expect, test } from 'vitest';

import {
  ann,
  asChannel,
  bo,
  channelId,
  type CommandGroup,
  cy,
  dan,
  olga,
  personWith,
  startGroup,
} from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const hour = 60 * minute;
const startedAt = Date.parse('2026-11-21T12:00:00Z') / 1000;
const onlyBanUsers = 'Only administrators with the right “Ban users” can do this.';
const alreadyUndone = 'This cannot be undone, or was undone already.';

const nothing = {
  can_send_messages: false,
  can_send_audios: false,
  can_send_documents: false,
  can_send_photos: false,
  can_send_videos: false,
  can_send_video_notes: false,
  can_send_voice_notes: false,
  can_send_polls: false,
  can_send_other_messages: false,
  can_add_web_page_previews: false,
  can_react_to_messages: false,
};

const annInGroup = { chat_id: groupId, user_id: ann };

/** The calls that change members, and how they ended. */
const memberCalls = ({ api }: CommandGroup) =>
  api.calls.filter(({ method }) => /^(?:un)?ban|^restrict/.test(method));

const muted = (fields: object) => [
  {
    method: 'restrictChatMember',
    body: {
      ...annInGroup,
      permissions: nothing,
      use_independent_chat_permissions: true,
      ...fields,
    },
  },
];
const banned = (fields: object) => [
  { method: 'banChatMember', body: { ...annInGroup, ...fields } },
];
const until = (seconds: number) => ({ until_date: startedAt + seconds });

test('administrators ban, mute and remove a member, and all read it', async () => {
  const group = await startGroup();
  const { api } = group;
  const steps = [
    ['/mute 1h', muted(until(3600)), 'Ann is muted for 1 hour.', 'restricted'],
    ['/tmute 30m spam', muted(until(1800)), 'Ann is muted for 30 minutes. Reason: spam'],
    ['/mute', muted({}), 'Ann is muted.', 'restricted'],
    [
      '/ban 2d spam\nagain',
      banned(until(172_800)),
      'Ann is banned for 2 days. Reason: spam\nagain',
    ],
    // Again is another time.
    ['/tban 1d12h', banned(until(129_600)), 'Ann is banned for 36 hours.', 'kicked'],
    ['/BAN', banned({}), 'Ann is banned.', 'kicked'],
  ] as const;
  for (const [typed, calls, said, status = 'any'] of steps) {
    api.forgetCalls();
    const command = await group.says(bo, typed, { to: ann });

    expect(memberCalls(group)).toEqual(calls);
    const answer = api.messages.at(-1);
    expect(answer).toMatchObject({
      text: said,
      body: {
        entities: [{ type: 'text_mention', offset: 0, length: 3, user: { id: ann } }],
        reply_parameters: { message_id: command, allow_sending_without_reply: true },
      },
    });
    expect(answer?.ephemeral).toBeUndefined();
    expect(['any', api.members.read(groupId, ann).status]).toContain(status);
  }
  expect(await group.listActions()).toHaveLength(steps.length);
  // What all shall read stays, and so does what it answers.
  group.server.wait(hour);
  await group.server.services.deletions.deleteDue();
  expect(api.deletions.all).toEqual([]);
});

test('what is taken back is for the administrator alone, and a removal is for all', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, '/mute', { to: ann });
  api.forgetCalls();
  await says(bo, '/unmute spared', { to: ann });
  expect(memberCalls(group)).toMatchObject([
    {
      method: 'restrictChatMember',
      body: { use_independent_chat_permissions: true, permissions: { can_send_messages: true } },
    },
  ]);
  expect(api.messages.at(-1)).toMatchObject({
    text: 'Ann may write again. Reason: spared',
    ephemeral: { to: bo },
  });
  expect(api.members.read(groupId, ann)).toEqual({ status: 'member' });

  api.forgetCalls();
  await says(bo, `/kick ${ann} “see you”`);
  expect(memberCalls(group)).toEqual([{ method: 'unbanChatMember', body: annInGroup }]);
  expect(group.lastText()).toBe('Ann was removed and may come back. Reason: see you');
  expect(api.messages.at(-1)?.ephemeral).toBeUndefined();
  expect(api.members.read(groupId, ann)).toEqual({ status: 'left' });
  await says(bo, `/kick ${ann}`);
  expect(group.lastText()).toBe('Ann is not here.');

  await says(bo, `/ban ${ann}`);
  api.forgetCalls();
  await says(bo, `/unban ${ann}`);
  expect(memberCalls(group)).toEqual([
    { method: 'unbanChatMember', body: { ...annInGroup, only_if_banned: true } },
  ]);
  expect(api.messages.at(-1)).toMatchObject({ text: 'Ann may join again.', ephemeral: { to: bo } });
  expect(api.members.read(groupId, ann)).toEqual({ status: 'left' });
  await says(bo, `/unban ${ann}`);
  expect(group.lastText()).toBe('Ann is not banned.');

  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual([
    'ban',
    'kick',
    'mute',
    'unban',
    'unmute',
  ]);
});

test('names are linked as they are, beside emoji and where they look like markup', async () => {
  const group = await startGroup();
  for (const first_name of [
    '😀 Ann 👨‍👩‍👧',
    '<b>Ann</b> [x](tg://user?id=1) *_`',
    'Ann \uE000\uE001',
  ]) {
    const from = { id: ann, is_bot: false, first_name };
    await group.says(bo, '/mute 1h 😀 \uE000 spam', {
      fields: { reply_to_message: { ...group.toMessage(ann), from } },
    });

    const { text = '', body } = group.api.messages.at(-1) ?? {};
    expect(text).toBe(`${first_name} is muted for 1 hour. Reason: 😀 \uFFFD spam`);
    expect(body).not.toHaveProperty('parse_mode');
    expect(body?.['entities']).toEqual([
      {
        type: 'text_mention',
        offset: 0,
        length: first_name.length,
        user: { id: ann, is_bot: false, first_name },
      },
    ]);
  }
});

test('what is done in a quiet group is told to the administrator alone', async () => {
  const group = await startGroup();
  const { api } = group;
  await group.set({ quiet_actions: true });
  await group.says(bo, '/ban', { to: ann });
  expect(api.messages.at(-1)).toMatchObject({ text: 'Ann is banned.', ephemeral: { to: bo } });

  // The same message, which no one else sees, says so.
  const { answers, shown } = await group.press([bo, 'Undo']);
  expect(answers).toEqual(['Undone.']);
  expect(shown?.text).toBe('Ann may join again.\n\nUndone by Bo.');
  expect(api.messages).toHaveLength(1);
});

test('/dban deletes the message, too', async () => {
  const group = await startGroup();
  const replied = group.toMessage(ann);
  await group.says(bo, '/dban spam', { fields: { reply_to_message: replied } });

  expect(group.lastText()).toBe('Ann is banned. Reason: spam');
  expect(group.api.deletions.gone(groupId)).toEqual([replied.message_id]);
});

test('a button deletes what the banned member has written in the last 48 hours', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['restrict'] } } });
  const { api, says, server } = group;
  const old = await says(ann, 'Old');
  server.wait(49 * hour);
  const written = [await says(ann, 'One'), await says(ann, 'Two')];
  await says(dan, 'Mine');
  await says(bo, '/ban', { to: ann });

  const refused = await group.press([dan, 'Delete messages'], [cy, 'Delete messages']);
  const right = 'Only administrators with the right “Delete messages” can do this.';
  expect(refused.answers).toEqual([right, right]);
  expect(api.deletions.gone(groupId)).toEqual([]);

  expect((await group.press([bo, 'Delete messages'])).answers).toEqual(['2 messages deleted.']);
  expect(new Set(api.deletions.gone(groupId))).toEqual(new Set(written));
  expect(api.deletions.of(groupId)).not.toContain(old);

  const { answers } = await group.press([bo, 'Delete messages']);
  expect(answers).toEqual(['I have seen no messages of theirs in the last 48 hours.']);
});

test('where the bot may not delete, the button says what it needs', async () => {
  const group = await startGroup({ group: { botMayDelete: false } });
  await group.says(ann, 'One');
  await group.says(bo, '/ban', { to: ann });

  expect((await group.press([bo, 'Delete messages'])).answers).toEqual([
    'I need the right “Delete messages” for this. Give it to me in the list of administrators.',
  ]);
});

test('an administrator undoes a ban by a button, and a member does not', async () => {
  const group = await startGroup();
  const { api } = group;
  await group.says(bo, '/ban', { to: ann });
  expect(await group.press([ann, 'Undo'], [dan, 'Undo'])).toMatchObject({
    answers: [onlyBanUsers, onlyBanUsers],
    shown: { text: 'Ann is banned.', buttons: [['Undo'], ['Delete messages']] },
  });
  expect(api.members.read(groupId, ann).status).toBe('kicked');

  api.forgetCalls();
  const { answers, shown } = await group.press([cy, 'Undo']);
  expect(answers).toEqual(['Undone.']);
  const text = 'Ann may join again.\n\nUndone by Cy.';
  expect(shown).toMatchObject({
    text,
    buttons: [],
    entities: [
      { offset: 0, length: 3, user: { id: ann } },
      { offset: text.indexOf('Cy'), length: 2, user: { id: cy } },
    ],
  });
  expect(memberCalls(group)).toEqual([
    { method: 'unbanChatMember', body: { ...annInGroup, only_if_banned: true } },
  ]);
  expect(await group.listActions()).toEqual([
    { kind: 'unban', by_id: cy, target_id: ann, reason: '' },
    { kind: 'ban', by_id: bo, target_id: ann, reason: '' },
  ]);
});

test('of two who undo a mute at once, one has done it', async () => {
  const group = await startGroup();
  await group.says(bo, '/mute', { to: ann });

  const { answers, shown } = await group.press([bo, 'Undo'], [cy, 'Undo']);
  expect(new Set(answers)).toEqual(new Set(['Undone.', alreadyUndone]));
  const [by, name] = answers[0] === 'Undone.' ? [bo, 'Bo'] : [cy, 'Cy'];
  expect(shown?.text).toBe(`Ann may write again.\n\nUndone by ${name}.`);
  expect(group.api.members.read(groupId, ann)).toEqual({ status: 'member' });
  expect(await group.listActions()).toContainEqual({
    kind: 'unmute',
    by_id: by,
    target_id: ann,
    reason: '',
  });
  expect(await group.listActions()).toHaveLength(2);
});

test('what is over cannot be undone', async () => {
  const group = await startGroup();
  await group.says(bo, '/mute 1h', { to: ann });
  group.server.wait(hour);

  expect((await group.press([bo, 'Undo'])).answers).toEqual([alreadyUndone]);
});

test('a channel is banned and may write again, and nothing else is done to it', async () => {
  const group = await startGroup();
  const { api, says } = group;
  const toNews = { fields: { reply_to_message: { ...group.toMessage(ann), ...asChannel } } };
  const channel = { chat_id: groupId, sender_chat_id: channelId };

  await says(bo, '/ban ads', toNews);
  expect(memberCalls(group)).toEqual([{ method: 'banChatSenderChat', body: channel }]);
  expect(api.messages.at(-1)).toMatchObject({ text: 'News is banned. Reason: ads' });
  // Telegram links no channels.
  expect(api.messages.at(-1)?.body).not.toHaveProperty('entities');
  expect(api.members.bannedChannels(groupId)).toEqual([channelId]);

  expect((await group.press([cy, 'Undo'])).shown?.text).toMatch(/^.* may write again\.\n\nUndone/);
  expect(api.members.bannedChannels(groupId)).toEqual([]);

  await says(bo, `/ban ${channelId}`);
  await says(bo, '/unban', toNews);
  expect(group.lastText()).toBe('News may write again.');
  expect(api.members.bannedChannels(groupId)).toEqual([]);

  api.forgetCalls();
  for (const verb of ['kick', 'mute', 'unmute']) {
    await says(bo, `/${verb}`, toNews);
    expect(group.lastText()).toBe('A channel can only be banned.');
  }
  await says(bo, '/ban 2d', toNews);
  expect(group.lastText()).toBe('A channel can only be banned for good, without a time.');
  group.group.linkedId = channelId;
  group.server.wait(2 * minute);
  await says(bo, '/ban', toNews);
  expect(group.lastText()).toBe('News is an administrator. I leave administrators alone.');
  expect(memberCalls(group)).toEqual([]);
});

test('a basic group has no bans and mutes, and who is removed there may come back', async () => {
  const group = await startGroup({ group: { type: 'group' } });
  const { api, says } = group;
  for (const verb of ['ban', 'tban', 'unban', 'mute', 'unmute']) {
    await says(bo, `/${verb} 1h`, { to: ann });
    expect(group.lastText()).toBe(
      'This works in supergroups only. A group becomes one when its history is shown to newcomers.',
    );
  }
  expect(memberCalls(group)).toEqual([]);

  await says(bo, '/kick', { to: ann });
  expect(memberCalls(group)).toEqual([{ method: 'banChatMember', body: annInGroup }]);
  expect(group.lastText()).toBe('Ann was removed and may come back.');
  expect(api.members.read(groupId, ann)).toEqual({ status: 'left' });
});

test('the owner and administrators with the right may, and the bot follows new rights at once', async () => {
  const group = await startGroup();
  const { says } = group;
  await says(cy, '/mute 1h', { to: ann });
  expect(group.lastText()).toBe('Ann is muted for 1 hour.');

  group.group.administratorRights = { [cy]: ['delete', 'info'] };
  await group.hears({
    chat_member: {
      chat: { id: groupId, type: 'supergroup', title: 'Otters' },
      from: personWith(olga),
      date: 0,
      old_chat_member: { status: 'administrator', user: personWith(cy) },
      new_chat_member: { status: 'administrator', user: personWith(cy) },
    },
  });
  await says(cy, '/unmute', { to: ann });
  expect(group.lastText()).toBe(onlyBanUsers);
  await says(olga, '/unmute', { to: ann });
  expect(group.lastText()).toBe('Ann may write again.');
});
