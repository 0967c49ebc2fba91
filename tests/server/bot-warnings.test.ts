/** Warnings: they count, are taken back, expire, and at the limit the member is muted, banned or removed. */
import { expect, test } from 'vitest';

import { openDatabase } from '#server/db/client';
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
import { collectEvents, groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const day = 24 * 60 * minute;

const listWarnings = async ({ server }: Pick<CommandGroup, 'server'>, telegramId = ann) =>
  (await server.services.memberCommands.warnings.listOpen(groupId, telegramId)).map(
    ({ reason }) => reason,
  );

const notEnoughRights = {
  error_code: 400,
  description: 'Bad Request: not enough rights to restrict/unrestrict chat member',
};
const needsRight =
  'I need the right “Ban users” for this. Give it to me in the list of administrators.';

const listKinds = async (group: CommandGroup) =>
  (await group.listActions()).map(({ kind }) => kind);

test('warnings count for all to see, and the warned member and administrators can list them', async () => {
  const group = await startGroup();
  const { api, says, server } = group;
  const events = collectEvents(group);

  const command = await says(bo, '/warn spam, again', { to: ann });
  expect(api.messages.at(-1)).toMatchObject({
    text: 'Ann: warning 1 of 3. Reason: spam, again',
    body: {
      reply_parameters: { message_id: command },
      entities: [{ type: 'text_mention', offset: 0, length: 3, user: { id: ann } }],
    },
  });
  expect(api.messages.at(-1)?.ephemeral).toBeUndefined();
  const [answer] = api.messages;
  expect(answer && api.show(answer)?.buttons).toEqual([['Take back']]);
  expect(events.map(({ kind }) => kind)).toContain('action');

  server.wait(day);
  await says(cy, `/warn ${ann}`);
  expect(group.lastText()).toBe('Ann: warning 2 of 3.');

  const list = 'Ann: 2 of 3.\n1) spam, again, 21 Nov\n2) 22 Nov';
  await says(ann, '/warns');
  expect(api.messages.at(-1)).toMatchObject({ text: list, ephemeral: { to: ann } });
  await says(bo, '/warns @ann_otter');
  expect(group.lastText()).toBe(list);
  await says(dan, '/warns');
  expect(group.lastText()).toBe('You have no warnings.');
  await says(dan, '/warns', { to: ann });
  expect(group.lastText()).toBe('Only administrators with the right “Ban users” can do this.');
  await says(bo, '/warns', { to: dan });
  expect(group.lastText()).toBe('Dan has no warnings.');

  expect(await group.listActions()).toEqual([
    { kind: 'warn', by_id: bo, target_id: ann, reason: 'spam, again' },
    { kind: 'warn', by_id: cy, target_id: ann, reason: '' },
  ]);
  // The answers to /warn stay, and so does what they answer.
  await server.services.deletions.deleteDue();
  expect(api.deletions.of(groupId)).not.toContain(command);
  expect(answer && api.show(answer)).toBeDefined();
});

const until = (seconds: number) => ({
  until_date: Date.parse('2026-11-21T12:00:00Z') / 1000 + seconds,
});

const mutedFields = { can_send_messages: false };

test.each([
  {
    mode: 'mute 1d',
    method: 'restrictChatMember',
    fields: until(86_400),
    said: 'Ann is muted for 1 day.',
    status: 'restricted',
  },
  {
    mode: 'mute',
    method: 'restrictChatMember',
    fields: {},
    said: 'Ann is muted.',
    status: 'restricted',
  },
  {
    mode: 'ban 2h',
    method: 'banChatMember',
    fields: until(7200),
    said: 'Ann is banned for 2 hours.',
    status: 'kicked',
  },
  { mode: 'ban', method: 'banChatMember', fields: {}, said: 'Ann is banned.', status: 'kicked' },
  {
    mode: 'kick',
    method: 'unbanChatMember',
    fields: {},
    said: 'Ann was removed and may come back.',
    status: 'left',
  },
])('at the limit with /warnmode $mode', async ({ mode, method, fields, said, status }) => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, `/warnmode ${mode}`);
  await says(bo, '/warnlimit 2');
  await says(bo, '/warn', { to: ann });
  expect(api.callsTo(method)).toEqual([]);

  await says(bo, '/warn spam', { to: ann });

  expect(group.lastText()).toBe(`Ann: warning 2 of 2. Reason: spam\n${said}`);
  const {
    permissions = mutedFields,
    use_independent_chat_permissions: _isIndependent,
    ...body
  } = api.callsTo(method)[0]?.body ?? {};
  expect(body).toEqual({ chat_id: groupId, user_id: ann, ...fields });
  expect(permissions).toMatchObject(mutedFields);
  expect(api.callsTo(method)).toHaveLength(1);
  expect(api.members.read(groupId, ann).status).toBe(status);
  expect(await listWarnings(group)).toEqual([]);
  const [kind = ''] = mode.split(' ');
  expect(new Set(await listKinds(group))).toEqual(new Set(['warn', kind]));
  const message = api.messages.at(-1);
  expect(message && api.show(message)?.buttons).toEqual(kind === 'kick' ? [] : [['Undo']]);
});

test.each([
  ['mute', 'Ann may write again.', 'member'],
  ['ban', 'Ann may join again.', 'left'],
])('a %s at the limit is undone by its button', async (kind, said, status) => {
  const group = await startGroup();
  await group.set({ warn_limit: 1, warn_action: { kind } });
  await group.says(bo, '/warn', { to: ann });

  const { shown } = await group.press([cy, 'Undo']);

  expect(shown?.text).toBe(`${said}\n\nUndone by Cy.`);
  expect(group.api.members.read(groupId, ann).status).toBe(status);
});

test('a warning counts for the time that is set, or until it is taken back', async () => {
  const group = await startGroup();
  const { says, server } = group;
  await says(bo, '/warntime 2d');
  await says(bo, '/warn one', { to: ann });
  server.wait(day);
  await says(bo, '/warn two', { to: ann });
  expect(group.lastText()).toBe('Ann: warning 2 of 3. Reason: two');

  server.wait(day);
  expect(await listWarnings(group)).toEqual(['two']);
  await says(bo, '/warntime off');
  await says(bo, '/warn three', { to: ann });
  expect(group.lastText()).toBe('Ann: warning 2 of 3. Reason: three');

  server.wait(500 * day);
  expect(await listWarnings(group)).toEqual(['three']);
});

test.each(['warns', 'unwarn', 'resetwarns'])(
  '/%s of one whom the bot has not seen is refused',
  async (verb) => {
    const group = await startGroup();
    await group.says(bo, `/${verb} @zoe_fox`);

    expect(group.lastText()).toBe(
      'I have not seen @zoe_fox yet. Reply to one of their messages, or use their ID.',
    );
  },
);

test('an anonymous administrator lists warnings, and shows who they are to take one back', async () => {
  const group = await startGroup();
  await group.says(bo, '/warn spam', { to: ann });
  const anonymousId = 1_087_968_824;
  await group.says(anonymousId, '/warns', { to: ann, fields: anonymous });
  expect(group.lastText()).toBe('Ann: 1 of 3.\n1) spam, 21 Nov');

  await group.says(anonymousId, '/unwarn', { to: ann, fields: anonymous });
  expect(await listWarnings(group)).toEqual(['spam']);
  await group.press([cy, 'Confirm: I am an administrator']);
  expect(group.lastText()).toBe('A warning of Ann was taken back.');
  expect(await listWarnings(group)).toEqual([]);
});

test('what Telegram refuses at the limit is said, and tried again with the next warning', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await group.set({ warn_limit: 1, warn_action: { kind: 'ban' } });
  api.fail('banChatMember', notEnoughRights);
  await says(bo, '/warn one', { to: ann });
  expect(group.lastText()).toBe(`Ann: warning 1 of 1. Reason: one\n${needsRight}`);
  expect(await listWarnings(group)).toEqual(['one']);
  expect(await listKinds(group)).toEqual(['warn']);

  api.fail('banChatMember', { error_code: 500, description: 'Internal Server Error' });
  await says(bo, '/warn two', { to: ann });
  expect(group.lastText()).toBe(
    'Ann: warning 1 of 1. Reason: two\nTelegram does not answer right now. Try again in 30 seconds.',
  );
  expect(await listWarnings(group)).toHaveLength(2);

  await says(bo, '/warn three', { to: ann });
  expect(group.lastText()).toBe('Ann: warning 1 of 1. Reason: three\nAnn is banned.');
  expect(await listWarnings(group)).toEqual([]);
});

test('of two administrators who reach the limit at once, one mutes, and no warning is left', async () => {
  // Its statements run one after the other, so that both have warned before one looks at the limit.
  const group = await startGroup({ database: openDatabase({}) });
  const { api, server, toMessage } = group;
  await group.set({ warn_limit: 2 });
  await group.says(olga, '/warn', { to: ann });
  const together = Promise.withResolvers<void>();
  server.services.memberCommands.rights.forget(groupId);
  api.hold('getChatAdministrators', together.promise);

  for (const by of [bo, cy]) {
    const entities = [{ type: 'bot_command', offset: 0, length: 5 }];
    const fields = { text: '/warn', entities, reply_to_message: toMessage(ann) };
    api.updates.push({ message: toMessage(by, fields) });
  }
  await api.updates.confirmed();
  // Both have learned who wrote, and wait for the list of administrators.
  const readSeen = () => server.db.selectFrom('seen_messages').selectAll().execute();
  await expect.poll(readSeen).toHaveLength(3);
  await expect.poll(() => api.callsTo('getChatAdministrators')).toHaveLength(2);
  together.resolve();
  await server.handled();

  expect(api.callsTo('restrictChatMember')).toHaveLength(1);
  expect(await listWarnings(group)).toEqual([]);
  expect(api.messages.map(({ text }) => text).toSorted()).toEqual([
    'Ann: warning 1 of 2.',
    'Ann: warning 2 of 2.',
    'Ann: warning 2 of 2.\nAnn is muted for 1 day.',
  ]);
});

test('warnings are taken back one by one or all at once, by administrators who may', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['delete'] } } });
  const { says, server } = group;
  await group.set({ warn_limit: 9 });
  for (const reason of ['one', 'two', 'three', 'four']) {
    await says(bo, `/warn ${reason}`, { to: ann });
    server.wait(minute);
  }
  for (const from of [ann, cy]) {
    for (const text of [`/unwarn ${ann}`, `/resetwarns ${ann}`]) {
      await says(from, text);
      expect(group.lastText()).toBe('Only administrators with the right “Ban users” can do this.');
    }
  }

  await says(bo, '/unwarn', { to: ann });
  expect(group.lastText()).toBe('A warning of Ann was taken back.');
  expect(await listWarnings(group)).toEqual(['one', 'two', 'three']);
  await says(bo, '/resetwarns @ann_otter');
  expect(group.lastText()).toBe('3 warnings of Ann taken back.');
  await says(bo, '/resetwarns', { to: ann });
  expect(group.lastText()).toBe('Ann has no warnings.');
  await says(bo, '/unwarn');
  expect(group.lastText()).toBe('Whom? Reply to a message, or write @name or an ID.');
  expect((await listKinds(group)).filter((kind) => kind === 'unwarn')).toHaveLength(2);
});

test('the button takes its own warning back, once', async () => {
  const group = await startGroup();
  const { says } = group;
  await says(bo, '/warn one', { to: ann });
  await says(bo, '/warn two', { to: ann });

  expect((await group.press([dan, 'Take back'])).answers).toEqual([
    'Only administrators with the right “Ban users” can do this.',
  ]);
  const { answers, shown } = await group.press([cy, 'Take back'], [olga, 'Take back']);

  expect(new Set(answers)).toEqual(
    new Set(['This cannot be undone, or was undone already.', 'Undone.']),
  );
  expect(shown).toMatchObject({ buttons: [] });
  expect(shown?.text).toMatch(/^A warning of Ann was taken back\.\n\nUndone by (?:Cy|Olga)\.$/);
  expect(await listWarnings(group)).toEqual(['one']);
  expect(await listKinds(group)).toEqual(['warn', 'warn', 'unwarn']);
});

test('a warning that the limit has ended cannot be taken back', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await group.set({ warn_limit: 2, warn_action: { kind: 'kick' } });
  await says(bo, '/warn', { to: ann });
  await says(bo, '/warn', { to: ann });
  expect(api.messages).toHaveLength(2);

  expect((await group.press([bo, 'Take back'])).answers).toEqual([
    'This cannot be undone, or was undone already.',
  ]);
  expect((await listKinds(group)).toSorted()).toEqual(['kick', 'warn', 'warn']);
});

test.each<
  [
    string,
    { from?: number; text?: string; to?: number; fields?: Readonly<Record<string, unknown>> },
    string,
  ]
>([
  ['names no one', {}, 'Whom? Reply to a message, or write @name or an ID.'],
  [
    'names one whom the bot has not seen',
    { text: '/warn @zoe_fox' },
    'I have not seen @zoe_fox yet. Reply to one of their messages, or use their ID.',
  ],
  [
    'is about an administrator',
    { to: cy },
    'Cy is an administrator. I leave administrators alone.',
  ],
  [
    'is about an anonymous administrator',
    { to: bo, fields: anonymous },
    'Otters is an administrator. I leave administrators alone.',
  ],
  ['is about a channel', { to: bo, fields: asChannel }, 'A channel can only be banned.'],
  ['is about the bot', { text: '/warn 123456789' }, 'That would be me.'],
  ['is about oneself', { to: bo }, 'That would be you.'],
  [
    'is by one who may not',
    { from: dan, to: ann },
    'Only administrators with the right “Ban users” can do this.',
  ],
  ['has a long reason', { to: ann, text: `/warn ${'x'.repeat(301)}` }, 'At most 300 characters.'],
])(
  'a warning is refused when it %s',
  async (_why, { from = bo, text = '/warn', to, fields }, said) => {
    const group = await startGroup();
    const replied = to === undefined ? {} : { reply_to_message: group.toMessage(to, fields) };

    await group.says(from, text, { fields: replied });

    expect(group.api.messages.map((message) => [message.text, message.ephemeral?.to])).toEqual([
      [said, from],
    ]);
    expect(await group.listActions()).toEqual([]);
  },
);

test('a warning is refused while the bot lacks the right, or Telegram does not answer', async () => {
  const group = await startGroup({ group: { botRights: ['delete'] } });
  const { api, says, server } = group;
  await says(bo, '/warn', { to: ann });
  expect(group.lastText()).toBe(needsRight);

  server.wait(minute);
  api.fail('getChatAdministrators', { error_code: 500, description: 'Internal Server Error' });
  await says(bo, '/warn', { to: ann });
  expect(group.lastText()).toBe('Telegram does not answer right now. Try again in 5 seconds.');
  expect(await group.listActions()).toEqual([]);
});

test('in a basic group warnings count, but members are neither muted nor banned', async () => {
  const group = await startGroup({ group: { type: 'group' } });
  const { says } = group;
  await group.set({ warn_limit: 1 });
  await says(bo, '/warn', { to: ann });
  expect(group.lastText()).toBe(
    'Ann: warning 1 of 1.\nThis works in supergroups only. A group becomes one when its history is shown to newcomers.',
  );

  await group.set({ warn_action: { kind: 'kick' } });
  await says(bo, '/warn', { to: ann });
  expect(group.lastText()).toBe('Ann: warning 1 of 1.\nAnn was removed and may come back.');
  expect(await listWarnings(group)).toEqual([]);
});
