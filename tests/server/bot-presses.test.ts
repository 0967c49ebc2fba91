/** Pressed buttons: what the bot takes, what it leaves alone, and in which language it answers. */
import { expect, test } from 'vitest';

import { inboxRules } from '#server/lib/limits';
import {
  ann,
  bo,
  cy,
  dan,
  type CommandGroup,
  continueWith,
  personWith,
  startGroup,
} from '#tests/command-group';
import { standInLanguages } from '#tests/stand-in-languages';
import { administrator, groupId, left, moved } from '#tests/test-bot';
import { createTestServer, minute, openTestDatabase } from '#tests/test-server';

const expired = 'This button has expired.';
const unknown = 'This is no longer in the list of what was done.';
const chat = { id: groupId, type: 'supergroup', title: 'Otters' };

/** Presses a button with these data. Resolves with what the presser is shown. */
async function press(
  group: CommandGroup,
  data: string | undefined,
  fields: object = { message: { message_id: 1, date: 0, chat } },
): Promise<string | undefined> {
  const id = String(group.api.presses.answers.length + 1);
  await group.hears({
    callback_query: { id, from: personWith(bo), chat_instance: '1', data, ...fields },
  });
  return group.api.presses.answers.find(({ pressId }) => pressId === id)?.text;
}

async function pressAll(group: CommandGroup, all: readonly (string | undefined)[]) {
  const results: unknown[] = [];
  for (const data of all) {
    results.push([data, await press(group, data)]);
  }
  return results;
}

/** Ann is banned; the data of the button that undoes it. */
async function banAnn(group: CommandGroup): Promise<string> {
  await group.says(bo, '/ban', { to: ann });
  const [, data = ''] =
    /"callback_data":"(v1:undo:[^"]+)"/.exec(JSON.stringify(group.api.messages.at(-1))) ?? [];
  return data;
}

test('buttons that are none of ours, or of another time, say that they have expired', async () => {
  const group = await startGroup();
  const id = (await banAnn(group)).split(':')[2] ?? '';
  // The reactions of who is banned go, too.
  await group.server.services.dueJobs.runDue();
  group.api.forgetCalls();
  const others = ['', 'v1', 'v1:', `v0:undo:${id}`, `v2:undo:${id}`, `undo:${id}`, ':::', id];
  const verbs = ['v1:fly:1', 'v1:constructor:1', 'v1:__proto__:1', 'v1:confirm:', 'v1:confirm:1'];
  const strange = [undefined, ...others, ...verbs, '\uD83D:😀:'.repeat(9)];
  expect(await pressAll(group, strange)).toEqual(strange.map((data) => [data, expired]));
  const lost = ['v1:undo:', 'v1:undo:1', `v1:undo: ${id}`, "v1:undo:' or 1=1 --", 'v1:wipe:'];
  expect(await pressAll(group, lost)).toEqual(lost.map((data) => [data, unknown]));

  const methods = new Set(group.api.calls.map(({ method }) => method));
  expect([...methods].filter((method) => /member|edit|delete|send/i.test(method))).toEqual([]);
  expect(group.api.members.read(groupId, ann).status).toBe('kicked');
});

test('a button of another group does nothing', async () => {
  const group = await startGroup();
  const data = await banAnn(group);
  const other = -1_002_222_222_222;
  group.api.addChat({ id: other, title: 'Seals', creator: bo });
  const message = { message_id: 1, date: 0, chat: { ...chat, id: other } };

  expect(await press(group, data, { message })).toBe(unknown);
  expect(group.api.members.read(groupId, ann).status).toBe('kicked');
});

test('a button under a message that Telegram shows no more still works', async () => {
  const group = await startGroup();
  const data = await banAnn(group);
  // Too old: only its place is known.
  const message = { message_id: 999, date: 0, chat };

  expect(await press(group, data, { message })).toBe('Undone.');
  expect(group.api.members.read(groupId, ann).status).toBe('left');
});

test('a button of an inline message is answered, and nothing else happens', async () => {
  const group = await startGroup();
  const data = await banAnn(group);

  expect(await press(group, data, { inline_message_id: 'BAAAAM' })).toBe('');
  expect(group.api.members.read(groupId, ann).status).toBe('kicked');
});

test('who presses reads the language of the group, and in private their own', async () => {
  const group = await startGroup({ languages: standInLanguages('fa', 'ru') });
  await group.hears(moved(left, administrator, { ...personWith(bo), language_code: 'fa' }));
  const from = { ...personWith(bo), language_code: 'ru' };
  const fields = { message: { message_id: 1, date: 0, chat }, from };
  expect(await press(group, 'v1:fly:1', fields)).toBe(`<fa>${expired}</fa>`);

  const data = await banAnn(group);
  expect(await press(group, data, fields)).toBe('<fa>Undone.</fa>');
  const { text = '', body } = group.api.messages.at(-1) ?? {};
  const [before = '', after = ''] = text.split('Ann');
  expect([before, after]).toEqual([expect.stringMatching(/^<fa>ban\.done /), '\u2069</fa>']);
  expect(body?.['entities']).toMatchObject([{ offset: before.length, length: 3 }]);

  const ownChat = { id: bo, type: 'private', first_name: 'Bo' };
  const inPrivate = { message: { message_id: 1, date: 0, chat: ownChat }, from };
  expect(await press(group, 'v1:fly:1', inPrivate)).toBe(`<ru>${expired}</ru>`);
});

test('a message that one person alone sees is replaced, with its buttons, like others', async () => {
  const group = await startGroup();
  const { api, says, set } = group;
  await set({ quiet_actions: true });
  await says(bo, '/ban', { to: ann });
  const [banned] = api.messages;
  expect(banned).toMatchObject({ text: 'Ann is banned.', ephemeral: { to: bo } });

  const { answers, shown } = await group.press([bo, 'Undo']);
  expect(answers).toEqual(['Undone.']);
  expect(shown).toMatchObject({ text: 'Ann may join again.\n\nUndone by Bo.', buttons: [] });
  expect(api.messages).toHaveLength(1);
});

test.each([
  ['that is gone', { error_code: 400, description: 'Bad Request: MESSAGE_ID_INVALID' }],
  [
    'of a server that cannot change it',
    { error_code: 404, description: 'Not Found: method not found' },
  ],
])('a press under a message for one person %s is answered by another', async (_why, failure) => {
  const group = await startGroup();
  const { api, says, set } = group;
  await set({ quiet_actions: true });
  await says(bo, '/ban', { to: ann });
  api.fail('editEphemeralMessageText', failure);
  await group.press([bo, 'Undo']);

  expect(api.messages.slice(1)).toMatchObject([
    { text: 'Ann may join again.\n\nUndone by Bo.', ephemeral: { to: bo } },
  ]);
});

test('while Telegram does not answer, a press says when to try again, and changes nothing', async () => {
  const group = await startGroup();
  const data = await banAnn(group);
  group.api.fail('unbanChatMember', { error_code: 500, description: 'Internal Server Error' });
  expect(await press(group, data)).toBe(
    'Telegram does not answer right now. Try again in 30 seconds.',
  );
  expect(await group.listActions()).toMatchObject([{ kind: 'ban' }]);

  expect(await press(group, data)).toBe('Undone.');
});

type Message = CommandGroup['api']['messages'][number];

/** The calls that change members. */
const memberCalls = ({ api }: CommandGroup) =>
  api.calls.filter(({ method }) => /^(?:un)?ban|^restrict/.test(method));

const alreadyUndone = 'This cannot be undone, or was undone already.';

/** Presses a button of this message. Resolves with what the one who pressed is shown. */
async function pressUnder(
  { api, server }: CommandGroup,
  message: Message | undefined,
  label: string,
) {
  const id = message && api.presses.press(message, bo, label);
  await api.updates.confirmed();
  await server.handled();
  return api.presses.answers.find(({ pressId }) => pressId === id)?.text;
}

test('the Undo of a mute leaves a ban that came after it', async () => {
  const group = await startGroup();
  const { api, says, server } = group;
  await says(bo, '/mute', { to: ann });
  const mute = api.messages.at(-1);
  server.wait(minute);
  await says(bo, '/ban', { to: ann });
  api.forgetCalls();

  expect(await pressUnder(group, mute, 'Undo')).toBe(alreadyUndone);
  expect(memberCalls(group)).toEqual([]);
  expect(api.members.read(groupId, ann).status).toBe('kicked');
  expect(mute && api.show(mute)?.text).toBe('Ann is muted.');
  expect((await group.listActions()).map(({ kind }) => kind)).toEqual(['mute', 'ban']);
});

test.each([
  ['ban', 'kicked', 'Ann is banned for 1 hour.'],
  ['mute', 'restricted', 'Ann is muted for 1 hour.'],
] as const)('the Undo of an older %s leaves the newer one in force', async (verb, status, said) => {
  const group = await startGroup();
  const { api, says, server } = group;
  await says(bo, `/${verb} 1h`, { to: ann });
  const older = api.messages.at(-1);
  server.wait(minute);
  await says(bo, `/${verb}`, { to: ann });
  const newer = api.messages.at(-1);
  api.forgetCalls();

  expect(await pressUnder(group, older, 'Undo')).toBe(alreadyUndone);
  expect(memberCalls(group)).toEqual([]);
  expect(api.members.read(groupId, ann)).toMatchObject({ status, until: 0 });
  expect(older && api.show(older)?.text).toBe(said);

  expect(await pressUnder(group, newer, 'Undo')).toBe('Undone.');
  expect(api.members.read(groupId, ann).status).toBe(verb === 'ban' ? 'left' : 'member');
});

test('the Undo of a mute leaves an administrator who was one of the muted members', async () => {
  const group = await startGroup();
  const { api } = group;
  await group.says(bo, '/mute', { to: ann });
  group.group.administrators = [bo, cy, ann];
  group.group.promotedBy = { [ann]: 123_456_789 };
  group.group.botRights = ['restrict', 'promote'];
  api.forgetCalls();

  expect((await group.press([bo, 'Undo'])).answers).toEqual([alreadyUndone]);
  expect(memberCalls(group)).toEqual([]);
  expect(api.members.read(groupId, ann).status).toBe('administrator');
});

test('who is merely muted is not banned, and stays muted when a ban is lifted', async () => {
  const group = await startGroup();
  const { api } = group;
  await group.says(bo, '/ban', { to: ann });
  const ban = api.messages.at(-1);
  group.group.members = [ann, dan];
  api.members.put(groupId, ann, { status: 'restricted' });
  api.forgetCalls();
  await group.says(bo, '/unban', { to: ann });
  expect(group.lastText()).toBe('Ann is not banned.');
  expect(memberCalls(group)).toEqual([]);

  expect(await pressUnder(group, ban, 'Undo')).toBe('Undone.');
  expect(api.members.read(groupId, ann).status).toBe('restricted');
});

const waitLong = {
  error_code: 429,
  description: 'Too Many Requests: retry after 600',
  parameters: { retry_after: 600 },
};

test.each([
  ['ban', 'Undo', 'Ann may join again.\n\nUndone by Bo.', 'unban'],
  ['mute', 'Undo', 'Ann may write again.\n\nUndone by Bo.', 'unmute'],
  ['warn', 'Take back', 'A warning of Ann was taken back.\n\nUndone by Bo.', 'unwarn'],
])(
  'what a press has undone of a %s is shown by the next server when this one is killed before that',
  async (...[verb, label, said, opposite]) => {
    const group = await startGroup();
    const { api } = group;
    await group.says(bo, `/${verb}`, { to: ann });
    const message = api.messages.at(-1);
    api.fail('editMessageText', waitLong);
    const pressing = group.press([bo, label]).catch(() => undefined);
    await expect.poll(() => api.callsTo('editMessageText')).toHaveLength(1);
    await continueWith(group);
    await pressing;

    expect(message && api.show(message)).toMatchObject({ text: said, buttons: [] });
    expect(api.presses.answers.map(({ text }) => text)).toEqual(['Undone.']);
    expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual(
      [verb, opposite].toSorted(),
    );
  },
);

/** The next server takes over while a call of the first has taken effect and is not answered. */
async function pressAndTakeOver(group: CommandGroup, method: string, label: string) {
  const { api, server } = group;
  const answered = Promise.withResolvers<void>();
  api.hold(method, answered.promise);
  const pressing = group.press([bo, label]);
  await expect.poll(() => api.callsTo(method)).toHaveLength(1);
  const { database } = server;
  const next = await createTestServer({
    bot: { api },
    database: { ...database, close: () => Promise.resolve() },
  });
  next.wait(inboxRules.leaseMs);
  await expect.poll(() => api.presses.answers).toHaveLength(1);
  await next.close();
  answered.resolve();
  await pressing;
}

async function startKeptGroup(): Promise<CommandGroup> {
  const database = await openTestDatabase();
  return startGroup({ database: { ...database, close: () => Promise.resolve() } });
}

test('a press that Telegram has heard and the killed server has not is finished by the next, once', async () => {
  const group = await startKeptGroup();
  await group.says(bo, '/ban', { to: ann });
  const message = group.api.messages.at(-1);
  await pressAndTakeOver(group, 'unbanChatMember', 'Undo');

  expect(message && group.api.show(message)?.text).toBe('Ann may join again.\n\nUndone by Bo.');
  expect(group.api.presses.answers.map(({ text }) => text)).toEqual(['Undone.']);
  expect((await group.listActions()).map(({ kind }) => kind).toSorted()).toEqual(['ban', 'unban']);
  expect(group.api.members.read(groupId, ann).status).toBe('left');
});

test('a deletion of all messages by a button is finished by the next server, too', async () => {
  const group = await startKeptGroup();
  const { api, says } = group;
  const written = [await says(ann, 'One'), await says(ann, 'Two')];
  await says(bo, '/ban', { to: ann });
  await pressAndTakeOver(group, 'deleteMessages', 'Delete messages');

  expect(new Set(api.deletions.gone(groupId))).toEqual(new Set(written));
  expect(api.members.read(groupId, ann).status).toBe('kicked');
});
