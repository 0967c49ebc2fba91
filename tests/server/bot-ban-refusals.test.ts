/** Why a ban, a removal or a mute is not done, in the words of its administrator, and what happens over a failure. */
import { expect, test } from 'vitest';

import { inboxRules } from '#server/lib/limits';
import {
  ann,
  anonymous,
  bo,
  type CommandGroup,
  continueWith,
  cy,
  dan,
  olga,
  startGroup,
} from '#tests/command-group';
import { botUser, groupId } from '#tests/test-bot';
import { createTestServer, openTestDatabase } from '#tests/test-server';

const verbs = ['ban', 'unban', 'kick', 'mute', 'unmute'] as const;

const methods = {
  ban: 'banChatMember',
  unban: 'unbanChatMember',
  kick: 'unbanChatMember',
  mute: 'restrictChatMember',
  unmute: 'restrictChatMember',
} as const;

/** Each is given as a reply, as an ID would name. */
async function tryAll(group: CommandGroup, from: number, to: number): Promise<unknown[]> {
  const said: unknown[] = [];
  for (const verb of verbs) {
    await group.says(from, `/${verb}`, { to });
    said.push(group.lastText());
  }
  return said;
}

const countCalls = ({ api }: CommandGroup) =>
  api.calls.filter(({ method }) => Object.values<string>(methods).includes(method)).length;

const needsBan =
  'I need the right “Ban users” for this. Give it to me in the list of administrators.';

test('administrators, the owner and oneself are left alone', async () => {
  const group = await startGroup();
  const { says } = group;
  for (const [to, name] of [
    [cy, 'Cy'],
    [olga, 'Olga'],
  ] as const) {
    const said = `${name} is an administrator. I leave administrators alone.`;
    expect(await tryAll(group, bo, to)).toEqual(verbs.map(() => said));
  }
  expect(await tryAll(group, bo, bo)).toEqual(verbs.map(() => 'That would be you.'));
  const toBot = { reply_to_message: { ...group.toMessage(bo), from: botUser } };
  await says(bo, '/ban', { fields: toBot });
  expect(group.lastText()).toBe('That would be me.');
  // Those who hide behind the name of the group are administrators.
  const toAnonymous = { reply_to_message: { ...group.toMessage(bo), ...anonymous } };
  await says(bo, '/ban', { fields: toAnonymous });
  expect(group.lastText()).toBe('Otters is an administrator. I leave administrators alone.');

  expect(countCalls(group)).toBe(0);
  expect(await group.listActions()).toEqual([]);
  expect(group.api.messages.every(({ ephemeral }) => ephemeral?.to === bo)).toBe(true);
});

test('who lacks the right is told which, and so is the group whose bot lacks it', async () => {
  const group = await startGroup({ group: { administratorRights: { [cy]: ['delete', 'info'] } } });
  const lacks = 'Only administrators with the right “Ban users” can do this.';
  expect(await tryAll(group, cy, ann)).toEqual(verbs.map(() => lacks));
  expect(await tryAll(group, dan, ann)).toEqual(verbs.map(() => lacks));

  const powerless = await startGroup({ group: { botRights: ['delete', 'pin'] } });
  expect(await tryAll(powerless, bo, ann)).toEqual(verbs.map(() => needsBan));
  const asMember = await startGroup({ group: { bot: 'member' } });
  await asMember.says(bo, '/ban', { to: ann });
  expect(asMember.lastText()).toBe(needsBan);
  // Then an answer for one person alone is refused, and goes after a minute.
  const [answer] = asMember.api.messages;
  expect(answer?.ephemeral).toBeUndefined();
  expect(answer && asMember.api.show(answer)?.text).toBe(needsBan);
  asMember.server.wait(60_000);
  await asMember.server.services.deletions.deleteDue();
  expect(answer && asMember.api.show(answer)).toBeUndefined();
  expect([group, powerless, asMember].map(countCalls)).toEqual([0, 0, 0]);
});

test.each(verbs)('/%s of no one, or of one whom the bot has not seen, is refused', async (verb) => {
  const group = await startGroup();
  await group.says(bo, `/${verb}`);
  expect(group.lastText()).toBe('Whom? Reply to a message, or write @name or an ID.');
  await group.says(bo, `/${verb} @zoe_fox`);
  expect(group.lastText()).toBe(
    'I have not seen @zoe_fox yet. Reply to one of their messages, or use their ID.',
  );

  expect(countCalls(group)).toBe(0);
  expect(await group.listActions()).toEqual([]);
});

test('a time has to be possible, and some verbs need one', async () => {
  const group = await startGroup();
  for (const typed of [
    '/tban',
    '/tban spam',
    '/tmute',
    '/tmute “1h”',
    '/ban 29s',
    '/tban 367d',
    '/mute 29s',
    '/mute 366d1s spam',
  ]) {
    await group.says(bo, typed, { to: ann });
    expect(`${typed}: ${group.lastText()}`).toBe(
      `${typed}: Between 30 seconds and 366 days: 30m, 2h, 3d, 1w.`,
    );
  }

  expect(countCalls(group)).toBe(0);
  expect(await group.listActions()).toEqual([]);
});

test('a mute, an unmute or a removal of a banned person would lift the ban, and is refused', async () => {
  const group = await startGroup();
  const { api } = group;
  api.members.put(groupId, ann, { status: 'kicked' });
  for (const verb of ['mute', 'tmute 1h', 'unmute', 'kick']) {
    await group.says(bo, `/${verb}`, { to: ann });
    expect(group.lastText()).toBe('Ann is not here.');
  }

  expect(countCalls(group)).toBe(0);
  expect(api.members.read(groupId, ann).status).toBe('kicked');
  expect(await group.listActions()).toEqual([]);
});

test.each([
  ['mute', 'restrictChatMember'],
  ['unmute', 'restrictChatMember'],
  ['kick', 'unbanChatMember'],
] as const)(
  '/%s that waits for Telegram leaves a ban that another administrator sets meanwhile',
  async (verb, method) => {
    const group = await startGroup();
    const { api } = group;
    api.fail(method, {
      error_code: 429,
      description: 'Too Many Requests: retry after 600',
      parameters: { retry_after: 600 },
    });
    const saying = group.says(bo, `/${verb}`, { to: ann }).catch(() => undefined);
    await expect.poll(() => api.callsTo(method)).toHaveLength(1);
    api.members.put(groupId, ann, { status: 'kicked' });
    await continueWith(group);
    await saying;

    expect(group.lastText()).toBe('Ann is not here.');
    expect(api.callsTo(method)).toHaveLength(1);
    expect(api.members.read(groupId, ann).status).toBe('kicked');
  },
);

test('members who try the commands of administrators are answered ten times a minute', async () => {
  const group = await startGroup();
  await Promise.all(Array.from({ length: 12 }, () => group.says(dan, '/ban', { to: ann })));
  expect(group.api.messages).toHaveLength(10);

  await group.says(bo, '/ban', { to: ann });
  expect(group.lastText()).toBe('Ann is banned.');
});

test('what Telegram refuses is said in our words', async () => {
  const group = await startGroup();
  const { api } = group;
  api.members.put(groupId, dan, { status: 'kicked' });
  const sentences = [
    ['Bad Request: not enough rights to restrict/unrestrict chat member', needsBan],
    ['Bad Request: CHAT_ADMIN_REQUIRED', needsBan],
    [
      'Bad Request: user is an administrator of the chat',
      'NAME is an administrator. I leave administrators alone.',
    ],
    [
      "Bad Request: can't remove chat owner",
      'NAME is an administrator. I leave administrators alone.',
    ],
    ['Bad Request: PARTICIPANT_ID_INVALID', 'Telegram does not know this person.'],
    ['Bad Request: user not found', 'Telegram does not know this person.'],
    [
      'Bad Request: method is available only for supergroups',
      'This works in supergroups only. A group becomes one when its history is shown to newcomers.',
    ],
    ['Forbidden: bot was kicked from the supergroup chat', 'I am not in this group any more.'],
    ['Bad Request: SOMETHING_NEW', 'Telegram refuses this: Bad Request: SOMETHING_NEW'],
  ] as const;
  for (const [index, [description, said]] of sentences.entries()) {
    // The first for each command, the others for one.
    for (const verb of index === 0 ? verbs : verbs.slice(index % 5, (index % 5) + 1)) {
      const [to, name] = verb === 'unban' ? [dan, 'Dan'] : [ann, 'Ann'];
      const error_code = description.startsWith('Forbidden') ? 403 : 400;
      api.fail(methods[verb], { error_code, description });
      await group.says(bo, `/${verb}`, { to });
      expect(`/${verb}: ${group.lastText()}`).toBe(`/${verb}: ${said.replace('NAME', name)}`);
    }
  }
  expect(await group.listActions()).toEqual([]);
  expect(api.members.read(groupId, ann)).toEqual({ status: 'member' });

  // Once it works, the same is done: nothing of a refused try is left.
  await group.says(bo, '/kick', { to: ann });
  expect(await group.listActions()).toMatchObject([{ kind: 'kick' }]);
});

test('a bot that was removed says nothing, and the operator can read why', async () => {
  const group = await startGroup();
  await group.says(bo, '/mute 1h', { to: ann });
  group.group.bot = 'kicked';
  await group.says(bo, '/ban', { to: ann });

  expect(group.api.messages).toHaveLength(1);
  expect(await group.listActions()).toMatchObject([{ kind: 'mute' }]);
  expect(group.server.logLines.join('\n')).toContain('an answer could not be sent');
});

const serverError = { error_code: 500, description: 'Internal Server Error' };

test('while Telegram does not answer, the administrator is told when to try again', async () => {
  const group = await startGroup();
  const { api, says, server } = group;
  api.fail('getChatAdministrators', serverError);
  await says(bo, '/ban', { to: ann });
  const soon = 'Telegram does not answer right now. Try again in 5 seconds.';
  expect(group.lastText()).toBe(soon);
  server.wait(5000);

  api.fail('banChatMember', serverError);
  await says(bo, '/ban', { to: ann });
  expect(group.lastText()).toBe('Telegram does not answer right now. Try again in 30 seconds.');

  for (const verb of ['unban', 'kick']) {
    api.fail('getChatMember', serverError);
    await says(bo, `/${verb}`, { to: ann });
    expect(group.lastText()).toBe(soon);
  }
  expect(await group.listActions()).toEqual([]);
});

test.each(['mute', 'unmute'] as const)(
  'while Telegram does not answer, /%s says when to try again',
  async (verb) => {
    const group = await startGroup();
    const { api } = group;
    for (const method of ['restrictChatMember', 'getChatMember']) {
      api.fail(method, serverError);
      await group.says(bo, `/${verb}`, { to: ann });
      expect(group.lastText()).toBe('Telegram does not answer right now. Try again in 30 seconds.');
    }
    expect(await group.listActions()).toEqual([]);

    await group.says(bo, `/${verb}`, { to: ann });
    expect(await group.listActions()).toMatchObject([{ kind: verb }]);
  },
);

test('after a flood limit the chat waits as long as Telegram says, and no other chat does', async () => {
  const group = await startGroup();
  const { api } = group;
  const other = -1_002_222_222_222;
  api.addChat({ id: other, title: 'Seals', creator: olga, administrators: [bo], members: [dan] });
  api.fail('banChatMember', {
    error_code: 429,
    description: 'Too Many Requests: retry after 1',
    parameters: { retry_after: 1 },
  });
  const began = performance.now();
  const waiting = group.says(bo, '/ban', { to: ann });
  await expect.poll(() => api.callsTo('banChatMember')).toHaveLength(1);

  api.updates.push({
    message: {
      ...group.toMessage(bo),
      chat: { id: other, type: 'supergroup', title: 'Seals' },
      text: `/ban ${dan}`,
      entities: [{ type: 'bot_command', offset: 0, length: 4 }],
    },
  });
  await expect.poll(() => api.messages.map(({ to }) => to)).toEqual([other]);
  expect(performance.now() - began).toBeLessThan(1000);

  await waiting;
  expect(performance.now() - began).toBeGreaterThanOrEqual(1000);
  expect(api.messages.map(({ to, text }) => [to, text])).toEqual([
    [other, `${dan} is banned.`],
    [groupId, 'Ann is banned.'],
  ]);
});

test('in a group that has become a supergroup meanwhile, it is done there', async () => {
  const newId = -1_003_333_333_333;
  const group = await startGroup();
  const { api } = group;
  const written = { ...group.toMessage(bo), reply_to_message: group.toMessage(ann) };
  api.upgrade(groupId, newId);
  const entities = [{ type: 'bot_command', offset: 0, length: 4 }];
  await group.hears({ message: { ...written, text: '/ban', entities } });

  expect(api.callsTo('banChatMember').map(({ body }) => body['chat_id'])).toEqual([groupId, newId]);
  expect(api.messages.at(-1)).toMatchObject({ to: newId, text: 'Ann is banned.' });
  const { shown } = await group.press([bo, 'Undo']);
  expect(shown?.text).toBe('Ann may join again.\n\nUndone by Bo.');
  expect(api.members.read(newId, ann).status).toBe('left');
});

test.each([
  ['unban', 'Ann may join again.', 'left'],
  ['mute', 'Ann is muted.', 'restricted'],
  ['unmute', 'Ann may write again.', 'member'],
] as const)(
  '/%s in a group that has become a supergroup meanwhile is done there, once',
  async (verb, said, status) => {
    const newId = -1_003_333_333_333;
    const group = await startGroup();
    const { api } = group;
    if (verb !== 'mute') {
      api.members.put(groupId, ann, { status: verb === 'unban' ? 'kicked' : 'restricted' });
    }
    const { chat } = group.toMessage(bo);
    const fields = { chat, reply_to_message: group.toMessage(ann) };
    api.upgrade(groupId, newId);
    await group.says(bo, `/${verb}`, { fields });

    expect(api.callsTo(methods[verb]).map(({ body }) => body['chat_id'])).toEqual([groupId, newId]);
    expect(api.messages.at(-1)).toMatchObject({ to: newId, text: said });
    expect(api.members.read(newId, ann).status).toBe(status);

    // Also when the update, with the ID that the group had, is handled again.
    await group.hearsAgain();
    expect(api.callsTo(methods[verb])).toHaveLength(2);
    expect(group.lastText()).toBe(said);
    expect(await group.listActions()).toMatchObject([{ kind: verb }]);
  },
);

test('a removal in a basic group that becomes a supergroup is no ban', async () => {
  const newId = -1_003_333_333_333;
  const group = await startGroup({ group: { type: 'group' } });
  const { api } = group;
  const written = { ...group.toMessage(bo), reply_to_message: group.toMessage(ann) };
  api.upgrade(groupId, newId);
  const entities = [{ type: 'bot_command', offset: 0, length: 5 }];
  await group.hears({ message: { ...written, text: '/kick', entities } });

  expect(api.callsTo('banChatMember')).toHaveLength(1);
  expect(api.callsTo('unbanChatMember').map(({ body }) => body)).toEqual([
    { chat_id: newId, user_id: ann },
  ]);
  expect(group.lastText()).toBe('Ann was removed and may come back.');
});

test('an update that is handled again changes nothing', async () => {
  const group = await startGroup();
  await group.says(bo, '/ban 1h', { to: ann });
  await group.hearsAgain();

  expect(group.api.callsTo('banChatMember')).toHaveLength(1);
  expect(await group.listActions()).toHaveLength(1);
  expect(group.lastText()).toBe('Ann is banned for 1 hour.');
});

test.each(['unban', 'kick', 'mute', 'unmute'] as const)(
  '/%s that is handled again changes nothing',
  async (verb) => {
    const group = await startGroup();
    const { api } = group;
    if (verb === 'unban') {
      api.members.put(groupId, ann, { status: 'kicked' });
    }
    await group.says(bo, `/${verb}`, { to: ann });
    const said = group.lastText();
    // What another administrator does meanwhile stays.
    api.members.put(groupId, ann, { status: 'kicked' });
    await group.hearsAgain();

    expect(api.callsTo(methods[verb])).toHaveLength(1);
    expect(await group.listActions()).toMatchObject([{ kind: verb }]);
    expect(group.lastText()).toBe(said);
    expect(api.members.read(groupId, ann).status).toBe('kicked');
  },
);

test.each([
  ['ban', 'Ann is banned.', 'kicked'],
  ['kick', 'Ann was removed and may come back.', 'left'],
  ['unban', 'Ann may join again.', 'left'],
  ['mute', 'Ann is muted.', 'restricted'],
  ['unmute', 'Ann may write again.', 'member'],
] as const)(
  'a server that is killed after Telegram has done /%s records it at its next start',
  async (...[verb, said, status]) => {
    const database = await openTestDatabase();
    const group = await startGroup({ database: { ...database, close: () => Promise.resolve() } });
    const { api } = group;
    if (verb === 'unban') {
      api.members.put(groupId, ann, { status: 'kicked' });
    }
    let release: () => void = () => undefined;
    api.hold(
      methods[verb],
      new Promise((resolve) => {
        release = () => resolve(undefined);
      }),
    );
    const saying = group.says(bo, `/${verb}`, { to: ann });
    await expect.poll(() => api.callsTo(methods[verb])).toHaveLength(1);
    const readStatus = () => api.members.read(groupId, ann).status;
    // Who is removed is banned for a moment.
    await expect.poll(readStatus).toBe(status);
    expect(await group.listActions()).toEqual([]);

    // The first server never hears of it, and the next one starts with what is stored.
    const next = await createTestServer({
      bot: { api },
      database: { ...database, close: () => Promise.resolve() },
    });
    next.wait(inboxRules.leaseMs);
    await expect.poll(group.listActions).toMatchObject([{ kind: verb, by_id: bo, target_id: ann }]);
    await expect.poll(() => api.messages.map(({ text }) => text)).toEqual([said]);
    expect(readStatus()).toBe(status);
    await next.close();
    release();
    await saying;
    expect(await group.listActions()).toHaveLength(1);
    const begun = group.server.db.selectFrom('due_jobs').select('id').where('kind', '=', 'begun');
    expect(await begun.execute()).toEqual([]);
  },
);

test('what was waiting for Telegram when the server was stopped is done by the next', async () => {
  const group = await startGroup();
  const { api } = group;
  api.fail('banChatMember', {
    error_code: 429,
    description: 'Too Many Requests: retry after 30',
    parameters: { retry_after: 30 },
  });
  void group.says(bo, '/ban', { to: ann }).catch(() => undefined);
  await expect.poll(() => api.callsTo('banChatMember')).toHaveLength(1);
  await continueWith(group);

  expect(await group.listActions()).toMatchObject([{ kind: 'ban' }]);
  expect(group.lastText()).toBe('Ann is banned.');
});
