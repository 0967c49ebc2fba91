/** Administrators and tags by command: who may give what to whom. */
import { expect, test } from 'vitest';

import { type Right } from '#contract/commands/command';
import {
  ann,
  anonymous,
  asChannel,
  bo,
  type CommandGroup,
  cy,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { groupId } from '#tests/test-bot';

const botId = 123_456_789;

const all: readonly Right[] = [
  'delete',
  'restrict',
  'invite',
  'pin',
  'topics',
  'promote',
  'tags',
  'info',
];

/** What a call of promoteChatMember gives. */
const listGiven = ({ api }: CommandGroup, at = -1) =>
  Object.entries(api.callsTo('promoteChatMember').at(at)?.body ?? {})
    .filter(([, value]) => value === true)
    .map(([name]) => name);

test('a member gets the rights that both the bot and the one who promotes have, but not to promote', async () => {
  const group = await startGroup({
    group: {
      botRights: ['delete', 'restrict', 'pin', 'promote', 'tags'],
      administratorRights: { [bo]: ['promote', 'delete', 'pin', 'info'] },
    },
  });
  const { api, says } = group;

  await says(bo, '/promote', { to: ann });

  expect(api.messages.at(-1)).toMatchObject({ text: 'Ann is an administrator now.' });
  expect(api.messages.at(-1)?.ephemeral).toBeUndefined();
  expect(listGiven(group)).toEqual(['can_delete_messages', 'can_pin_messages']);
  expect(api.callsTo('promoteChatMember').at(-1)?.body).toMatchObject({
    chat_id: groupId,
    user_id: ann,
    can_promote_members: false,
    can_restrict_members: false,
    is_anonymous: false,
  });
  expect(api.callsTo('setChatAdministratorCustomTitle')).toEqual([]);
  expect(api.members.read(groupId, ann)).toEqual({
    status: 'administrator',
    rights: ['delete', 'pin'],
  });
  expect(await group.listActions()).toEqual([
    { kind: 'promote', by_id: bo, target_id: ann, reason: '' },
  ]);

  // The owner has all rights, and one that the bot has made can be given others.
  await says(olga, `/promote ${ann}`);
  expect(api.members.read(groupId, ann).rights).toEqual(['delete', 'restrict', 'pin', 'tags']);
});

test('rights that are passed on are asked for anew', async () => {
  const group = await startGroup({
    group: { botRights: all, administratorRights: { [bo]: ['promote', 'delete', 'pin'] } },
  });
  await group.says(bo, '/admins');
  group.group.administratorRights = { [bo]: ['promote', 'delete'] };
  group.group.botRights = ['promote', 'delete', 'pin'];

  await group.says(bo, '/promote', { to: ann });

  expect(group.api.members.read(groupId, ann).rights).toEqual(['delete']);
});

test.each(['/promote', '/demote', 'Undo'])(
  '%s: who has lost the right a moment ago cannot use it any more',
  async (how) => {
    const { api, says, press, lastText, group } = await startGroup({
      group: { administratorRights: { [bo]: all } },
    });
    if (how !== '/promote') {
      await says(bo, '/promote', { to: ann });
    }
    await says(bo, '/admins');
    const calls = api.callsTo('promoteChatMember').length;
    // No update about it has come yet.
    group.administratorRights = { [bo]: ['delete', 'restrict'] };

    const refusal =
      how === 'Undo'
        ? (await press([bo, 'Undo'])).answers[0]
        : await says(bo, how, { to: ann }).then(lastText);

    expect(refusal).toBe('Only administrators with the right “Add new admins” can do this.');
    expect(api.callsTo('promoteChatMember')).toHaveLength(calls);
  },
);

test('a bot that has lost the right a moment ago says so', async () => {
  const { api, says, lastText, group } = await startGroup();
  await says(olga, '/admins');
  group.botRights = ['delete', 'restrict'];
  await says(olga, '/promote', { to: ann });

  expect(lastText()).toBe(
    'I need the right “Add new admins” for this. Give it to me in the list of administrators.',
  );
  expect(api.callsTo('promoteChatMember')).toEqual([]);
});

test.each([
  ['Event team', 'Ann is an administrator now: Event team.', 'Event team'],
  ['Sixteen letters!', 'Ann is an administrator now: Sixteen letters!.', 'Sixteen letters!'],
  ['Boss 🦦', 'Ann is an administrator now. A title has no emoji.', undefined],
])('the title “%s”', async (title, said, expected) => {
  const group = await startGroup({ group: { administratorRights: { [bo]: all } } });
  await group.says(bo, `/promote ${ann} ${title}`);

  expect(group.lastText()?.replace(String(ann), 'Ann')).toBe(said);
  expect(group.api.members.read(groupId, ann)).toMatchObject({ status: 'administrator' });
  expect(group.api.members.read(groupId, ann).title).toBe(expected);
});

test('a promotion is undone by its button, by who may promote', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(olga, '/promote', { to: ann });
  expect((await group.press([cy, 'Undo'])).answers).toEqual([
    'Only administrators with the right “Add new admins” can do this.',
  ]);

  const { shown } = await group.press([olga, 'Undo']);

  expect(shown?.text).toBe('Ann is no longer an administrator.\n\nUndone by Olga.');
  expect(listGiven(group)).toEqual([]);
  expect(api.members.read(groupId, ann).status).toBe('member');
});

test('an administrator whom the bot made is demoted, and only once by one update', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(olga, '/promote', { to: ann });
  await says(olga, '/demote', { to: ann });

  expect(group.lastText()).toBe('Ann is no longer an administrator.');
  expect(listGiven(group)).toEqual([]);
  expect(api.members.read(groupId, ann).status).toBe('member');
  const calls = api.callsTo('promoteChatMember').length;

  await group.hearsAgain();
  expect(group.lastText()).toBe('Ann is no longer an administrator.');
  expect(api.callsTo('promoteChatMember')).toHaveLength(calls);
  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual([
    'demote',
    'promote',
  ]);
});

test('a promotion that is handled again leaves one entry', async () => {
  const group = await startGroup();
  await group.says(olga, '/promote Team', { to: ann });
  await group.hearsAgain();

  expect(group.api.members.read(groupId, ann)).toMatchObject({ title: 'Team' });
  expect(await group.listActions()).toHaveLength(1);
});

test('of two who undo a promotion at once, one has done it', async () => {
  const group = await startGroup({ group: { administratorRights: { [bo]: all } } });
  await group.says(olga, '/promote', { to: ann });

  const { answers } = await group.press([olga, 'Undo'], [bo, 'Undo']);

  expect(new Set(answers)).toEqual(
    new Set(['This cannot be undone, or was undone already.', 'Undone.']),
  );
  expect(group.api.members.read(groupId, ann).status).toBe('member');
  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual([
    'demote',
    'promote',
  ]);
});

test('a tag that is given again by the same update stays', async () => {
  const group = await startGroup();
  await group.says(bo, '/tag Tester', { to: ann });
  await group.hearsAgain();

  expect(group.lastText()).toBe('Ann has the tag “Tester” now.');
  expect(group.api.members.read(groupId, ann)).toEqual({ status: 'member', tag: 'Tester' });
  expect(await group.listActions()).toEqual([]);
});

const who = 'Whom? Reply to a message, or write @name or an ID.';
const owner = 'Olga is an administrator. I leave administrators alone.';
const foreign = 'Only who made Cy an administrator, or the owner, can change that.';
const channel = 'A channel can only be banned.';
const unseen = 'I have not seen @zoe_fox yet. Reply to one of their messages, or use their ID.';
const group = 'Otters is an administrator. I leave administrators alone.';

test.each<
  [
    text: string,
    to: { id: number; fields?: Readonly<Record<string, unknown>> } | undefined,
    said: string,
  ]
>([
  ['/promote', undefined, who],
  ['/promote', { id: olga }, owner],
  ['/promote', { id: cy }, foreign],
  ['/promote', { id: bo }, 'That would be you.'],
  [`/promote ${botId}`, undefined, 'That would be me.'],
  ['/promote @Nori_Test_Bot', undefined, 'That would be me.'],
  ['/promote @zoe_fox', undefined, unseen],
  ['/demote @zoe_fox', undefined, unseen],
  ['/tag @zoe_fox Tester', undefined, unseen],
  ['/promote', { id: dan, fields: asChannel }, channel],
  ['/promote', { id: dan, fields: anonymous }, group],
  ['/promote Seventeen letters', { id: ann }, 'A title has at most 16 characters.'],
  ['/promote', { id: 777_777 }, 'Person 777777 is not here.'],
  ['/demote', undefined, who],
  ['/demote', { id: olga }, owner],
  ['/demote', { id: cy }, foreign],
  ['/demote', { id: bo }, 'That would be you.'],
  ['/demote', { id: ann }, 'Ann is not an administrator.'],
  ['/tag Tester', undefined, who],
  ['/tag Tester', { id: olga }, owner],
  ['/tag Tester', { id: cy }, 'Cy is an administrator. I leave administrators alone.'],
  [`/tag ${botId} Tester`, undefined, 'That would be me.'],
  ['/tag Tester', { id: dan, fields: asChannel }, channel],
  ['/tag Tester', { id: dan, fields: anonymous }, group],
  ['/tag Seventeen letters', { id: ann }, 'A tag has at most 16 characters.'],
  ['/tag Tester 🦦', { id: ann }, 'A tag has no emoji.'],
  ['/tag Tester', { id: 777_777 }, 'Telegram does not know this person.'],
])('%s to %o is refused', async (text, to, said) => {
  const { api, says, toMessage, listActions } = await startGroup({
    group: { administratorRights: { [bo]: all } },
  });
  const fields = to === undefined ? {} : { reply_to_message: toMessage(to.id, to.fields) };

  await says(bo, text, { fields });

  expect(api.messages.map((message) => [message.text, message.ephemeral?.to])).toEqual([
    [said, bo],
  ]);
  expect(await listActions()).toEqual([]);
  expect(api.members.read(groupId, ann)).toEqual({ status: 'member' });
});

test.each([
  ['/promote', 'Add new admins', 'promote'],
  ['/demote', 'Add new admins', 'promote'],
  ['/tag Tester', 'Edit member tags', 'tags'],
] as const)('%s needs the right “%s” on both sides', async (text, label, right) => {
  const {
    api,
    says,
    lastText,
    server,
    group: chat,
  } = await startGroup({
    group: { administratorRights: { [bo]: all.filter((one) => one !== right) } },
  });
  await says(bo, text, { to: ann });
  expect(lastText()).toBe(`Only administrators with the right “${label}” can do this.`);

  chat.botRights = all.filter((one) => one !== right);
  server.services.memberCommands.rights.forget(groupId);
  await says(olga, text, { to: ann });
  expect(lastText()).toBe(
    `I need the right “${label}” for this. Give it to me in the list of administrators.`,
  );
  expect([...api.callsTo('promoteChatMember'), ...api.callsTo('setChatMemberTag')]).toEqual([]);
});

test('who shares no other right with the bot can pass none on', async () => {
  const { says, lastText } = await startGroup({
    group: { botRights: ['promote', 'pin'], administratorRights: { [bo]: ['promote', 'delete'] } },
  });
  await says(bo, '/promote', { to: ann });

  expect(lastText()).toBe('You and I share no right that I could pass on.');
});

test('an anonymous administrator has to show who they are to promote, also where others are trusted', async () => {
  const { api, says, press, set } = await startGroup({
    group: { administratorRights: { [bo]: ['promote', 'delete'] } },
  });
  await set({ trust_anonymous: true });
  await says(bo, `/promote ${ann}`, { fields: anonymous });
  expect(api.callsTo('promoteChatMember')).toEqual([]);

  await press([bo, 'Confirm: I am an administrator']);

  expect(api.members.read(groupId, ann)).toMatchObject({ rights: ['delete'] });
});

test('while Telegram does not answer, no one is promoted', async () => {
  const { api, says, lastText, listActions } = await startGroup();
  api.fail('promoteChatMember', { error_code: 500, description: 'Internal Server Error' });
  await says(olga, '/promote', { to: ann });

  expect(lastText()).toBe('Telegram does not answer right now. Try again in 30 seconds.');
  expect(await listActions()).toEqual([]);
});

test('while Telegram does not answer, no one is demoted, and no tag is given', async () => {
  const { api, says, lastText, listActions } = await startGroup();
  const failure = { error_code: 500, description: 'Internal Server Error' };
  const away = 'Telegram does not answer right now. Try again in 30 seconds.';
  await says(olga, '/promote', { to: ann });

  api.fail('promoteChatMember', failure);
  await says(olga, '/demote', { to: ann });
  expect(lastText()).toBe(away);
  expect(api.members.read(groupId, ann).status).toBe('administrator');

  api.fail('setChatMemberTag', failure);
  await says(bo, '/tag Tester', { to: dan });
  expect(lastText()).toBe(away);
  expect((await listActions()).map(({ kind }) => kind)).toEqual(['promote']);
});

test('in a basic group no one is promoted, but members have tags', async () => {
  const { api, says, lastText } = await startGroup({ group: { type: 'group' } });
  await says(olga, '/promote', { to: ann });
  expect(lastText()).toBe(
    'This works in supergroups only. A group becomes one when its history is shown to newcomers.',
  );
  await says(olga, '/tag Tester', { to: ann });
  expect(api.members.read(groupId, ann)).toEqual({ status: 'member', tag: 'Tester' });
});

test('a tag is given, replaced and removed', async () => {
  const { api, says, lastText } = await startGroup();
  await says(bo, '/tag Tester', { to: ann });
  expect(api.messages.at(-1)).toMatchObject({
    text: 'Ann has the tag “Tester” now.',
    ephemeral: { to: bo },
  });
  expect(api.callsTo('setChatMemberTag').at(-1)?.body).toEqual({
    chat_id: groupId,
    user_id: ann,
    tag: 'Tester',
  });

  await says(bo, '/tag @ann_otter Sixteen letters!');
  expect(api.members.read(groupId, ann)).toEqual({ status: 'member', tag: 'Sixteen letters!' });

  await says(bo, '/tag', { to: ann });
  expect(lastText()).toBe('Ann has no tag any more.');
  expect(api.members.read(groupId, ann)).toEqual({ status: 'member' });
});

test('/admins names the owner first, with titles, and neither bots nor who hides', async () => {
  const {
    api,
    says,
    group: chat,
  } = await startGroup({
    group: { titles: { [olga]: 'Founder', [cy]: 'Night shift' } },
  });
  api.addPerson({ id: 888_888, first_name: 'Helper', is_bot: true });
  api.addPerson({ id: 999_999, first_name: 'Hidden' });
  chat.administrators = [bo, 888_888, 999_999, cy];
  chat.anonymous = [999_999];

  await says(dan, '/admins');

  expect(api.messages.at(-1)).toMatchObject({
    text: 'Who looks after this group:\n• Olga, owner – Founder\n• Bo\n• Cy – Night shift',
    ephemeral: { to: dan },
  });
  // No one is notified.
  expect(api.messages.at(-1)?.body).not.toHaveProperty('entities');
});

test('/admins says so when all of them hide, or Telegram does not answer', async () => {
  const { api, says, lastText, server, group: chat } = await startGroup();
  chat.anonymous = [olga, bo, cy];
  await says(dan, '/admins');
  expect(lastText()).toBe('Everyone who looks after this group hides their name.');

  server.services.memberCommands.rights.forget(groupId);
  api.fail('getChatAdministrators', { error_code: 500, description: 'Internal Server Error' });
  await says(dan, '/admins');
  expect(lastText()).toBe('Telegram does not answer right now. Try again in 5 seconds.');
});
