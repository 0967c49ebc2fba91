/** Bans that count in all chats of a community, and in those of one owner, where their owners want that. */
import { expect, test } from 'vitest';

import { wholeChatId } from '#server/db/chat-values';
import { giveChats, signIn } from '#tests/chats';
import { ann, bo, cy, olga, personWith, startGroup } from '#tests/command-group';
import { administrator, groupId, left, moved } from '#tests/test-bot';

const [lodge, pond] = [-1_001_000_000_501, -1_001_000_000_502];
const hour = 3600;

/** Three groups with the same people. Those of `sharing` share their bans; Olga manages those of `owned` in Nori. */
async function startGroups(sharing: readonly number[], owned: readonly number[] = []) {
  const group = await startGroup();
  const { api, server } = group;
  if (owned.length > 0) {
    await signIn(server, olga);
    await giveChats(
      server,
      olga,
      owned.map((id) => ({ id, isDemo: false })),
    );
  }
  const added = async (id: number) => {
    const { my_chat_member: move } = moved(left, administrator, personWith(olga));
    const chat = { id, type: 'supergroup', title: 'Otters' };
    await group.hears({ my_chat_member: { ...move, chat } });
  };
  for (const [id, title] of [
    [lodge, 'Lodge'],
    [pond, 'Pond'],
  ] as const) {
    api.addChat({ id, title, creator: olga, administrators: [bo, cy], members: [ann] });
    await added(id);
  }
  await added(groupId);
  const share = (chatId: number, isShared: boolean | null) =>
    server.services.chatValues.changeByCommand(
      { chatId, chatName: 'Otters', by: olga, kind: 'values' },
      new Map([[wholeChatId, { shared_bans: isShared }]]),
    );
  for (const chatId of sharing) {
    await share(chatId, true);
  }
  const tellCommunity = (chatId: number, communityId: number | undefined) =>
    group.hears({
      message: {
        ...group.toMessage(olga, { text: undefined }),
        chat: { id: chatId, type: 'supergroup', title: 'Otters' },
        ...(communityId === undefined
          ? { community_chat_removed: {} }
          : { community_chat_added: { community: { id: communityId, name: 'Rivers' } } }),
      },
    });
  /** The calls about bans in other chats than the one where the command was given, once all is done. */
  const listCalls = async () => {
    await server.services.dueJobs.runDue();
    return api.calls
      .filter(
        ({ method, body }) => /^(?:un)?banChatMember/.test(method) && body['chat_id'] !== groupId,
      )
      .map(({ method, body }) => [method, body['chat_id'], body['user_id']]);
  };
  return { ...group, share, tellCommunity, listCalls };
}

test('a ban counts in the sharing chats of the community, with its reason, and so does its end', async () => {
  const { tellCommunity, says, listCalls, server, api } = await startGroups([groupId, lodge]);
  for (const chatId of [groupId, lodge, pond]) {
    await tellCommunity(chatId, 77);
  }
  await says(bo, '/ban 1d spam', { to: ann });

  // The third chat does not share.
  expect(await listCalls()).toEqual([['banChatMember', lodge, ann]]);
  const rows = await server.db
    .selectFrom('actions')
    .select(['chat_id', 'kind', 'by_id', 'reason', 'shared_from'])
    .orderBy('chat_id')
    .execute();
  expect(rows).toMatchObject([
    { chat_id: groupId, by_id: bo, reason: 'spam', shared_from: null },
    { chat_id: lodge, by_id: bo, reason: 'spam', shared_from: expect.any(String) },
  ]);
  expect(api.members.read(lodge, ann)).toMatchObject({ status: 'kicked' });

  await says(cy, `/unban ${ann}`);
  expect(await listCalls()).toEqual([
    ['banChatMember', lodge, ann],
    ['unbanChatMember', lodge, ann],
  ]);
  expect(api.members.read(lodge, ann).status).toBe('left');
});

test('an unban elsewhere lifts the ban there alone', async () => {
  const { tellCommunity, says, listCalls, server } = await startGroups([groupId, lodge]);
  await tellCommunity(groupId, 77);
  await tellCommunity(lodge, 77);
  await says(bo, '/ban', { to: ann });
  await listCalls();
  await server.services.memberCommands.unban({
    chatId: lodge,
    by: { telegramId: cy, name: 'Cy' },
    target: { telegramId: ann, name: 'Ann' },
    reason: '',
    key: 'elsewhere',
    isBasicGroup: false,
  });
  await server.services.dueJobs.runDue();
  const lifted = await server.db
    .selectFrom('actions')
    .select('chat_id')
    .where('kind', '=', 'unban')
    .execute();
  expect(lifted).toEqual([{ chat_id: lodge }]);
});

test('chats of the same owner share without a community', async () => {
  const { says, listCalls } = await startGroups([groupId, lodge, pond], [groupId, lodge]);
  await says(bo, '/ban', { to: ann });
  expect(await listCalls()).toEqual([['banChatMember', lodge, ann]]);
});

test('nothing is shared by a chat that does not, by one that has left, or with one that has switched it off', async () => {
  const { tellCommunity, says, share, listCalls, api, server } = await startGroups([lodge, pond]);
  await tellCommunity(groupId, 77);
  await tellCommunity(lodge, 77);
  await tellCommunity(pond, 77);
  await says(bo, '/ban', { to: ann });
  expect(await listCalls()).toEqual([]);

  await share(groupId, true);
  await tellCommunity(pond, undefined);
  await says(bo, '/unban', { to: ann });
  // The job that shares the ban is done only after the chat has stopped sharing.
  await server.services.dueJobs.stop();
  await says(bo, '/ban 1h', { to: ann });
  await share(lodge, null);
  expect(await listCalls()).toEqual([]);
  expect(api.members.read(lodge, ann).status).toBe('member');
});

test('who is an administrator in the other chat stays, and a ban that Telegram puts off is made later', async () => {
  const { tellCommunity, says, listCalls, api, server, group } = await startGroups([
    groupId,
    lodge,
    pond,
  ]);
  for (const chatId of [groupId, lodge, pond]) {
    await tellCommunity(chatId, 77);
  }
  const there = api.addChat({
    id: lodge,
    title: 'Lodge',
    creator: olga,
    administrators: [bo, cy, ann],
  });
  expect(there.administrators).toContain(ann);
  expect(group.members).toContain(ann);
  await says(bo, '/ban', { to: ann });
  api.fail('banChatMember', { error_code: 500, description: 'Internal Server Error' });
  await listCalls();
  expect(api.members.read(pond, ann).status).toBe('member');
  server.wait(hour * 1000);
  await listCalls();
  expect(api.members.read(lodge, ann).status).toBe('administrator');
  expect(api.members.read(pond, ann).status).toBe('kicked');
});
