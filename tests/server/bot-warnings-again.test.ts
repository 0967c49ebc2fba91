/** Warnings that are handled again, or over a stop of the server, a ban or an upgrade of the group. */
import { expect, test } from 'vitest';

import { ann, bo, type CommandGroup, continueWith, cy, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const listWarnings = async ({ server }: Pick<CommandGroup, 'server'>) =>
  (await server.services.memberCommands.warnings.listOpen(groupId, ann)).map(
    ({ reason }) => reason,
  );

const listKinds = async (group: CommandGroup) =>
  (await group.listActions()).map(({ kind }) => kind);

const notEnoughRights = {
  error_code: 400,
  description: 'Bad Request: not enough rights to restrict/unrestrict chat member',
};
const needsRight =
  'I need the right “Ban users” for this. Give it to me in the list of administrators.';

test('an update that is handled again warns once, takes back once, and mutes once', async () => {
  const group = await startGroup();
  const { api, says } = group;
  await says(bo, '/warn one', { to: ann });
  await group.hearsAgain();

  expect(await listWarnings(group)).toEqual(['one']);
  expect(api.messages.map(({ text }) => text)).toEqual([
    'Ann: warning 1 of 3. Reason: one',
    'Ann: warning 1 of 3. Reason: one',
  ]);
  expect(await listKinds(group)).toEqual(['warn']);
});

test('an /unwarn that is handled again takes no other warning back', async () => {
  const group = await startGroup();
  const { says, server } = group;
  for (const reason of ['one', 'two']) {
    await says(bo, `/warn ${reason}`, { to: ann });
    server.wait(minute);
  }
  await says(bo, '/unwarn', { to: ann });
  await group.hearsAgain();

  expect(group.lastText()).toBe('A warning of Ann was taken back.');
  expect(await listWarnings(group)).toEqual(['one']);
  expect(await listKinds(group)).toEqual(['warn', 'warn', 'unwarn']);
});

test('a /resetwarns that is handled again takes no later warning back', async () => {
  const group = await startGroup();
  const { says, server } = group;
  for (const reason of ['one', 'two']) {
    await says(bo, `/warn ${reason}`, { to: ann });
  }
  server.wait(minute);
  await says(bo, '/resetwarns', { to: ann });
  await server.services.memberCommands.warnings.warn({
    chatId: groupId,
    by: { telegramId: cy, name: 'Cy' },
    target: { telegramId: ann, name: 'Ann' },
    reason: 'three',
    key: 'another update',
    isBasicGroup: false,
  });
  await group.hearsAgain();

  expect(group.lastText()).toBe('2 warnings of Ann taken back.');
  expect(await listWarnings(group)).toEqual(['three']);
  expect((await listKinds(group)).filter((kind) => kind === 'unwarn')).toHaveLength(1);
});

test('a last warning that is handled again brings the same mute, and leaves one entry', async () => {
  const group = await startGroup();
  const { says } = group;
  await group.set({ warn_limit: 1 });
  await says(bo, '/warn', { to: ann });
  await group.hearsAgain();

  expect(group.lastText()).toBe('Ann: warning 1 of 1.\nAnn is muted for 1 day.');
  expect(await listWarnings(group)).toEqual([]);
  expect((await listKinds(group)).toSorted()).toEqual(['mute', 'warn']);
});

test.each([
  ['mute', 'Ann is muted.', 'unmute', 'member'],
  ['ban', 'Ann is banned.', 'unban', 'left'],
] as const)(
  'a last warning that is handled again after Undo brings no other %s',
  async (...[kind, said, opposite, status]) => {
    const group = await startGroup();
    const { api } = group;
    await group.set({ warn_limit: 1, warn_action: { kind } });
    await group.says(bo, '/warn', { to: ann });
    const { id = '' } =
      (await group.server.db
        .selectFrom('actions')
        .select('id')
        .where('kind', '=', kind)
        .executeTakeFirst()) ?? {};
    const by = { telegramId: cy, name: 'Cy' };
    await group.server.services.memberCommands.undo({
      chatId: groupId,
      actionId: id,
      by,
      key: 'press',
    });
    expect(api.members.read(groupId, ann).status).toBe(status);
    const calls = api.calls.filter(({ method }) => /^(?:un)?ban|^restrict/.test(method)).length;
    await group.hearsAgain();

    expect(group.lastText()).toBe(`Ann: warning 1 of 1.\n${said}`);
    expect(api.messages.at(-1)?.body).not.toHaveProperty('reply_markup');
    expect(api.members.read(groupId, ann).status).toBe(status);
    expect(api.calls.filter(({ method }) => /^(?:un)?ban|^restrict/.test(method))).toHaveLength(
      calls,
    );
    expect((await listKinds(group)).toSorted()).toEqual([kind, opposite, 'warn'].toSorted());
    expect(await listWarnings(group)).toEqual([]);
  },
);

test('a warning that is handled again after it was taken back counts no more', async () => {
  const group = await startGroup();
  await group.says(bo, '/warn one', { to: ann });
  const { warnings } = group.server.services.memberCommands;
  const whom = { target: { telegramId: ann, name: 'Ann' }, by: { telegramId: cy, name: 'Cy' } };
  await warnings.withdraw({ ...whom, chatId: groupId, key: 'press' }, 'last');
  await group.hearsAgain();

  expect(group.lastText()).toBe('Ann: warning 1 of 3. Reason: one');
  expect(await listWarnings(group)).toEqual([]);
});

test.each(['mute', 'kick'])('a %s at the limit lifts no ban', async (kind) => {
  const group = await startGroup();
  const { api } = group;
  await group.set({ warn_limit: 1, warn_action: { kind } });
  api.members.put(groupId, ann, { status: 'kicked' });
  await group.says(bo, '/warn', { to: ann });

  expect(group.lastText()).toBe('Ann: warning 1 of 1.\nAnn is not here.');
  expect(api.members.read(groupId, ann).status).toBe('kicked');
  expect(await listWarnings(group)).toEqual(['']);
  expect(await listKinds(group)).toEqual(['warn']);
});

const upgradedId = -1_003_333_333_333;

test('at the limit in a group that has become a supergroup meanwhile, it is done there, once', async () => {
  const group = await startGroup();
  const { api } = group;
  await group.set({ warn_limit: 1 });
  const fields = { chat: group.toMessage(bo).chat, reply_to_message: group.toMessage(ann) };
  api.upgrade(groupId, upgradedId);
  await group.says(bo, '/warn', { fields });

  const said = 'Ann: warning 1 of 1.\nAnn is muted for 1 day.';
  expect(api.messages.at(-1)).toMatchObject({ to: upgradedId, text: said });
  const chats = () => api.callsTo('restrictChatMember').map(({ body }) => body['chat_id']);
  expect(chats()).toEqual([groupId, upgradedId]);
  const { shown } = await group.press([cy, 'Undo']);
  expect(shown?.text).toBe('Ann may write again.\n\nUndone by Cy.');
  expect(api.members.read(upgradedId, ann).status).toBe('member');
  expect((await listKinds(group)).toSorted()).toEqual(['mute', 'unmute', 'warn']);
});

test('what Telegram refuses there is given back there', async () => {
  const group = await startGroup();
  const { api } = group;
  await group.set({ warn_limit: 1 });
  const fields = { chat: group.toMessage(bo).chat, reply_to_message: group.toMessage(ann) };
  api.fail('restrictChatMember', {
    error_code: 400,
    description: 'Bad Request: group chat was upgraded to a supergroup chat',
    parameters: { migrate_to_chat_id: upgradedId },
  });
  api.fail('restrictChatMember', notEnoughRights);
  api.upgrade(groupId, upgradedId);
  await group.says(bo, '/warn', { fields });

  expect(group.lastText()).toBe(`Ann: warning 1 of 1.\n${needsRight}`);
  const { warnings } = group.server.services.memberCommands;
  expect(await warnings.listOpen(upgradedId, ann)).toHaveLength(1);
  expect(await listKinds(group)).toEqual(['warn']);
});

/** Telegram lets the bot wait for what the limit brings, and the server is stopped meanwhile. */
async function stopAtLimit(
  group: CommandGroup,
  ...toNextServer: readonly Parameters<CommandGroup['api']['fail']>[1][]
): Promise<void> {
  const { api, says } = group;
  await group.set({ warn_limit: 2 });
  await says(bo, '/warn one', { to: ann });
  api.fail('restrictChatMember', {
    error_code: 429,
    description: 'Too Many Requests: retry after 600',
    parameters: { retry_after: 600 },
  });
  for (const failure of toNextServer) {
    api.fail('restrictChatMember', failure);
  }
  const warning = says(bo, '/warn two', { to: ann }).catch(() => undefined);
  await expect.poll(() => api.callsTo('restrictChatMember')).toHaveLength(1);
  expect(await listWarnings(group)).toEqual([]);
  expect(api.members.read(groupId, ann).status).toBe('member');
  await continueWith(group);
  await warning;
}

test('what the limit brings is done by the next server when this one is killed before Telegram answers', async () => {
  const group = await startGroup();
  await stopAtLimit(group);

  expect(group.lastText()).toBe('Ann: warning 2 of 2. Reason: two\nAnn is muted for 1 day.');
  expect(group.api.members.read(groupId, ann).status).toBe('restricted');
  expect(await listWarnings(group)).toEqual([]);
  expect((await listKinds(group)).toSorted()).toEqual(['mute', 'warn', 'warn']);
});

test('when Telegram refuses it to the next server, the warnings count again', async () => {
  const group = await startGroup();
  await stopAtLimit(group, notEnoughRights);

  expect(group.lastText()).toBe(`Ann: warning 2 of 2. Reason: two\n${needsRight}`);
  expect((await listWarnings(group)).toSorted()).toEqual(['one', 'two']);
  expect(await listKinds(group)).toEqual(['warn', 'warn']);
});
