/** What is for adults: who switches it on and where, what else keeps it off, and that it is covered and deleted in time. */
import * as v from 'valibot';
import { expect, onTestFinished, test } from 'vitest';

import { valuePresets } from '#contract/chats/value-presets';
import { listChanges, revertChange } from '#contract/endpoints/chat-changes';
import { changeValues, readValues } from '#contract/endpoints/chat-values';
import { addChat, addTopic, verifyChat } from '#contract/endpoints/chats';
import { signIn } from '#tests/chats';
import { ann, anonymous, bo, type CommandGroup, olga, startGroup } from '#tests/command-group';
import { startStandIn } from '#tests/stand-in';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

const picture = { body: Buffer.from('a picture'), headers: { 'Content-Type': 'image/png' } };
const films = { page: 2, videos: [{ title: 'First film' }, { title: 'Second 🎬 film' }] };

const readDue = ({ server }: CommandGroup) =>
  server.db.selectFrom('due_deletions').select(['message_id', 'due_at']).execute();

async function start(
  group: Parameters<typeof startGroup>[0] = {},
  isAllowed = true,
  list: object = films,
) {
  /** What is to be deleted when a picture is loaded, which is before it is sent. */
  const atLoad: ReturnType<typeof readDue>[] = [];
  const upstream = await startStandIn(({ path }) => {
    if (path.startsWith('/anime/nsfw')) {
      return { body: { result: '/picture.png' } };
    }
    if (path.startsWith('/hanime')) {
      return { body: list };
    }
    atLoad.push(readDue(started));
    return picture;
  });
  onTestFinished(upstream.close);
  const started = await startGroup({
    ...group,
    variables: { PUBLIC_API_UPSTREAM: upstream.url, ...(isAllowed ? { ADULT: 'on' } : {}) },
  });
  const writeInPrivate = (text: string) => started.writes(text, { chatId: ann, from: ann });
  const { api } = started;
  const photos = () => api.messages.filter((message) => api.show(message)?.media !== undefined);
  return { ...started, upstream, writeInPrivate, photos, atLoad };
}

const notHere = 'This is not switched on here.';
const forAdults = 'This is for adults only.';
const isOn = 'Content for adults is allowed here. /nsfwmode off ends that.';
const isOff = 'Content for adults is not allowed here.';

test('it is off until the owner of the group switches it on; then it is covered, protected and deleted in time', async () => {
  const group = await start();
  await group.says(ann, '/nsfw');
  expect(group.lastText()).toBe(notHere);
  await group.says(ann, '/hanime');
  expect(group.lastText()).toBe(notHere);
  expect(group.upstream.calls).toEqual([]);
  await group.says(bo, '/nsfwmode on');
  expect(group.lastText()).toBe('Only the owner of the group can do this.');

  await group.says(olga, '/nsfwmode on');
  expect(group.lastText()).toBe(isOn);
  const command = await group.says(ann, '/nsfw Hatsune Miku');
  expect(group.upstream.calls[0]?.path).toBe('/anime/nsfw?character=Hatsune+Miku');
  const [photo] = group.photos();
  expect(photo).toMatchObject({
    to: groupId,
    text: forAdults,
    body: { protect_content: true, reply_parameters: { message_id: command } },
  });
  expect(photo && group.api.show(photo)).toMatchObject({
    text: '',
    media: { kind: 'photo', hasSpoiler: true },
  });
  const sent = photo?.messageId;
  const dueAt = group.server.now() + 10 * minute;
  for (const rows of [await group.atLoad[0], await readDue(group)]) {
    expect(rows).toContainEqual({ message_id: command, due_at: dueAt });
    expect(rows).toContainEqual({ message_id: sent, due_at: dueAt });
  }

  await group.says(olga, '/nsfwmode off');
  expect(group.lastText()).toBe(isOff);
  await group.says(ann, '/nsfw');
  expect(group.lastText()).toBe(notHere);
});

test('a list of films is covered, and what stays how long is set by the owner', async () => {
  const group = await start();
  await group.says(olga, '/nsfwmode on');
  for (const wrong of ['59s', '25h', 'soon']) {
    await group.says(olga, `/nsfwclean ${wrong}`);
    expect(group.lastText()).toBe('Between 1 minute and 24 hours: /nsfwclean 10m');
  }
  await group.says(olga, '/nsfwclean 1h');
  expect(group.lastText()).toBe('What is for adults is deleted after 1 hour.');

  await group.says(ann, '/hanime 2');
  const text = '• First film\n• Second 🎬 film';
  expect(group.upstream.calls.at(-1)?.path).toBe('/hanime?page=2');
  const list = group.api.messages.at(-1);
  expect(list).toMatchObject({ text: forAdults, body: { protect_content: true } });
  expect(list && group.api.show(list)).toMatchObject({
    text,
    entities: [{ type: 'spoiler', offset: 0, length: text.length }],
  });
  const { due_at } = await group.server.db
    .selectFrom('due_deletions')
    .select('due_at')
    .orderBy('due_at', 'desc')
    .executeTakeFirstOrThrow();
  expect(due_at).toBe(group.server.now() + 60 * minute);
  await group.says(ann, '/hanime next');
  expect(group.lastText()).toBe('Which page? /hanime 2');
});

test('the message is gone after its time', async () => {
  const group = await start();
  await group.says(olga, '/nsfwmode on');
  const command = await group.says(ann, '/nsfw');
  const sent = group.api.messages.at(-1)?.messageId ?? 0;
  group.server.wait(10 * minute);
  await group.server.services.deletions.deleteDue();
  expect(group.api.deletions.gone(groupId)).toEqual(expect.arrayContaining([command, sent]));
});

test.each([
  ['/nsfw', 'editMessageMedia'],
  ['/hanime', 'editMessageText'],
])('where it is not known whether %s is there, its message goes at once', async (text, method) => {
  const group = await start();
  await group.says(olga, '/nsfwmode on');
  group.api.fail(method, 'html');
  await group.says(ann, text);
  expect(group.lastText()).toMatch(/^Telegram does not answer right now/);
  const held = group.api.messages.find((message) => message.text === forAdults);
  expect(group.api.deletions.gone(groupId)).toContain(held?.messageId);
});

test('a list with the longest titles is covered to its end', async () => {
  const group = await start({}, true, {
    page: 1,
    videos: Array.from({ length: 30 }, () => ({ title: '🎬'.repeat(200) })),
  });
  await group.says(olga, '/nsfwmode on');
  await group.says(ann, '/hanime');
  const list = group.api.messages.at(-1);
  const { text = '', entities } = (list && group.api.show(list)) ?? {};
  expect(text.length).toBeGreaterThan(4000);
  expect(entities).toEqual([{ type: 'spoiler', offset: 0, length: text.length }]);
});

test.each([
  ['a public link', { username: 'otters' }],
  ['a linked channel', { linkedId: -1_009_111_111_111 }],
])('not in a group with %s, also when that comes later', async (_what, open) => {
  const group = await start();
  const refusal = 'Not in a group that has a public link or a linked channel.';
  Object.assign(group.group, open);
  await group.says(olga, '/nsfwmode on');
  expect(group.lastText()).toBe(refusal);

  Object.assign(group.group, { username: undefined, linkedId: undefined });
  await group.says(olga, '/nsfwmode on');
  expect(group.lastText()).toBe(isOn);
  Object.assign(group.group, open);
  for (const command of ['/nsfw', '/hanime']) {
    await group.says(ann, command);
    expect(group.lastText()).toBe(refusal);
  }
  expect(group.photos()).toEqual([]);
});

test('while Telegram does not say what the group is, nothing is sent', async () => {
  const group = await start();
  await group.says(olga, '/nsfwmode on');
  group.api.fail('getChat', 'html');
  await group.says(ann, '/nsfw');
  expect(group.lastText()).toMatch(/^Telegram does not answer right now/);
  expect(group.photos()).toEqual([]);
});

test('in a forum a topic is switched on alone, or all with one word', async () => {
  const group = await start({ group: { isForum: true } });
  const answerIn = async (topicId: number | undefined) => {
    const before = group.photos().length;
    await group.says(ann, '/nsfw', { topicId });
    return group.photos().length > before;
  };
  await group.says(olga, '/nsfwmode on', { topicId: 7 });
  expect([await answerIn(7), await answerIn(8), await answerIn(undefined)]).toEqual([
    true,
    false,
    false,
  ]);

  await group.says(olga, '/nsfwmode on all', { topicId: 7 });
  await group.says(olga, '/nsfwmode off', { topicId: 7 });
  expect([await answerIn(7), await answerIn(8)]).toEqual([false, true]);
  await group.says(olga, '/nsfwmode off all', { topicId: 8 });
  expect([await answerIn(7), await answerIn(8)]).toEqual([false, false]);
});

test('an anonymous administrator shows by a button to be the owner, also where anonymous ones are trusted', async () => {
  const group = await start();
  await group.set({ trust_anonymous: true });
  await group.says(bo, '/nsfwmode on', { fields: anonymous });
  const byBo = await group.press([bo, 'Confirm: I am an administrator']);
  expect(byBo.answers).toEqual(['Only the owner of the group can do this.']);
  await group.press([olga, 'Confirm: I am an administrator']);
  expect(group.lastText()).toBe(isOn);
});

test('only the menu and the help of that chat have these commands', async () => {
  const group = await start();
  const names = (scope: string) =>
    group.api.profile.commands(scope)?.map(({ command }) => command) ?? [];
  await expect.poll(() => names('all_group_chats')).toContain('status');
  for (const scope of [
    'default',
    'all_private_chats',
    'all_group_chats',
    'all_chat_administrators',
  ]) {
    expect(names(scope)).not.toContain('nsfw');
    expect(names(scope)).not.toContain('nsfwmode');
  }
  await group.says(ann, '/help');
  expect(group.lastText()).not.toContain('/nsfw');
  await group.says(ann, '/help nsfw');
  expect(group.lastText()).toBe('I know no command “nsfw”.');

  await group.says(olga, '/nsfwmode on');
  group.server.wait(minute);
  await group.server.services.dueJobs.runDue();
  expect(names(`chat:${groupId}`)).toEqual(expect.arrayContaining(['nsfw', 'hanime', 'status']));
  expect(names(`chat:${groupId}`)).not.toContain('nsfwmode');
  expect(names(`chat_administrators:${groupId}`)).toContain('nsfwmode');
  await group.says(ann, '/help');
  expect(group.lastText()).toContain('/nsfw');
  await group.says(olga, '/nsfwmode off');
  group.server.wait(minute);
  await group.server.services.dueJobs.runDue();
  expect(names(`chat:${groupId}`)).toEqual([]);
});

test('in private it is asked once whether they are adults, and Forget me forgets the answer', async () => {
  const group = await start();
  await group.writeInPrivate('/nsfw');
  expect(group.lastText()).toBe(forAdults);
  expect(group.photos()).toEqual([]);
  const { shown } = await group.press([ann, 'I am 18 or older']);
  expect(shown?.text).toBe('Good. Write the command once more.');
  await group.writeInPrivate('/nsfw');
  expect(group.photos()).toHaveLength(1);
  const rows = await group.server.db
    .selectFrom('due_deletions')
    .selectAll()
    .where('chat_id', '=', ann)
    .execute();
  expect(rows.map(({ due_at }) => due_at)).toContain(group.server.now() + 10 * minute);
  await group.writeInPrivate('/hanime');
  const list = group.api.messages.at(-1);
  expect(list && group.api.show(list)?.text).toContain('First film');
  expect(
    await group.server.db
      .selectFrom('due_deletions')
      .selectAll()
      .where('chat_id', '=', ann)
      .execute(),
  ).toHaveLength(rows.length + 2);

  await group.writeInPrivate('/privacy');
  await group.press([ann, 'Forget me']);
  await group.writeInPrivate('/nsfw');
  expect(group.lastText()).toBe(forAdults);
});

test('where the operator has not allowed it, there are no such commands', async () => {
  const group = await start({}, false);
  const before = group.api.messages.length;
  await group.says(olga, '/nsfwmode on');
  await group.writeInPrivate('/nsfw');
  expect(group.api.messages).toHaveLength(before);
});

const byOwner = 'The owner of the chat switches this on, with /nsfwmode there.';
const isOpen = 'Not in a group that has a public link or a linked channel.';

type Values = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The dashboard of a group with a topic, which Olga owns and Bo manages, too. */
async function startDashboard(isAllowed = true) {
  const group = await start({}, isAllowed);
  const { server } = group;
  const open = async (person: number) => {
    const as = await signIn(server, person);
    await server.call(addChat, { chat_id: groupId }, as);
    await server.call(verifyChat, { chat_id: groupId, otp: group.api.lastCode(olga) }, as);
    const put = (values: Values, kind: 'values' | 'copy' = 'values') =>
      server.call(changeValues, { chat_id: groupId, kind, values }, as);
    const listed = async () => {
      const { body } = await server.call(listChanges, { chat_id: groupId }, as);
      return v.parse(listChanges.output, body).changes;
    };
    return {
      as,
      put,
      /** Takes back the newest change, or an earlier one. */
      reverse: async (kind: 'undo' | 'revert', place = 0) => {
        const change_id = (await listed())[place]?.change_id ?? '';
        return server.call(revertChange, { chat_id: groupId, change_id, kind }, as);
      },
    };
  };
  const [owner, manager] = [await open(olga), await open(bo)];
  await server.call(addTopic, { chat_id: groupId, topic_id: 7 }, owner.as);
  const stored = async (): Promise<Values> => {
    const { body } = await server.call(readValues, { chat_id: groupId }, owner.as);
    return v.parse(readValues.output, body).values;
  };
  return { ...group, owner, manager, stored };
}

const on = { chat: { adult_mode: true } };

test('on the dashboard the owner switches it on and off, for all or a topic, and says how long things stay', async () => {
  const group = await startDashboard();
  const { owner, stored } = group;
  expect((await owner.put(on)).status).toBe(200);
  expect((await owner.put({ chat: { adult_clean: 3600 } })).status).toBe(200);
  await group.says(ann, '/nsfw');
  expect(group.photos()).toHaveLength(1);
  const due = (await readDue(group)).map(({ due_at }) => due_at);
  expect(due).toContain(group.server.now() + 60 * minute);

  expect((await owner.put({ chat: { adult_mode: null } })).status).toBe(200);
  await group.says(ann, '/nsfw');
  expect(group.lastText()).toBe(notHere);
  expect((await owner.put({ '7': { adult_mode: true } })).status).toBe(200);
  expect(await stored()).toEqual({ chat: { adult_clean: 3600 }, '7': { adult_mode: true } });
  for (const seconds of [59, 24 * 60 * 60 + 1]) {
    expect((await owner.put({ chat: { adult_clean: seconds } })).status).toBe(422);
  }
});

test('who is not the owner switches it off there, and on in no way', async () => {
  const { owner, manager, stored } = await startDashboard();
  const refused = { code: 'telegram_refused', detail: byOwner };
  for (const kind of ['values', 'copy'] as const) {
    for (const values of [{ ...on, '7': { 'off:anime': true } }, { '7': { adult_mode: true } }]) {
      expect((await manager.put(values, kind)).body).toMatchObject(refused);
    }
  }
  expect(await stored()).toEqual({});

  await owner.put(on);
  await owner.put({ '7': { adult_mode: false } });
  // Without a value of its own, the topic would be on as the others are.
  expect((await manager.put({ '7': { adult_mode: null } })).body).toMatchObject(refused);
  expect((await manager.reverse('undo')).body).toMatchObject({ change: null, skipped: 1 });
  expect((await manager.put({ chat: { adult_mode: null } })).status).toBe(200);
  for (const kind of ['undo', 'revert'] as const) {
    expect((await manager.reverse(kind)).body).toMatchObject({ change: null, skipped: 1 });
  }
  expect(await stored()).toEqual({ '7': { adult_mode: false } });
});

test('the owner may undo that it was switched off, and what was changed with it comes back for all', async () => {
  const { owner, manager, stored } = await startDashboard();
  await owner.put({ chat: { adult_mode: true, reports: false } });
  await owner.put({ chat: { adult_mode: null, reports: null } });
  expect((await manager.reverse('revert')).body).toMatchObject({
    change: { values: [{ name: 'reports' }] },
    skipped: 1,
  });
  expect(await stored()).toEqual({ chat: { reports: false } });
  await owner.put(on);
  await owner.put({ chat: { adult_mode: null } });
  expect((await owner.reverse('undo')).body).toMatchObject({ skipped: 0 });
  expect(await stored()).toEqual({ chat: { adult_mode: true, reports: false } });
});

test.each([
  ['a public link', { username: 'otters' }],
  ['a linked channel', { linkedId: -1_009_111_111_111 }],
])('on the dashboard it stays off in a group with %s', async (_what, open) => {
  const group = await startDashboard();
  const { owner, stored } = group;
  await owner.put(on);
  await owner.put({ chat: { adult_mode: null } });
  Object.assign(group.group, open);
  for (const place of ['chat', '7']) {
    expect((await owner.put({ [place]: { adult_mode: true } })).body).toMatchObject({
      code: 'telegram_refused',
      detail: isOpen,
    });
  }
  for (const kind of ['undo', 'revert'] as const) {
    expect((await owner.reverse(kind)).body).toMatchObject({ change: null, skipped: 1 });
  }
  expect(await stored()).toEqual({});
});

test('on the dashboard it stays off where the operator has not allowed it, or Telegram does not answer', async () => {
  const without = await startDashboard(false);
  expect((await without.owner.put(on)).body).toMatchObject({
    code: 'telegram_refused',
    detail: notHere,
  });

  const group = await startDashboard();
  await group.owner.put(on);
  await group.owner.put({ chat: { adult_mode: null } });
  group.api.fail('getChat', 'html');
  expect((await group.owner.put(on)).body).toMatchObject({ code: 'telegram_unavailable' });
  group.api.fail('getChat', 'html');
  expect((await group.owner.reverse('undo')).body).toMatchObject({
    code: 'telegram_unavailable',
  });
  expect(await group.stored()).toEqual({});
});

test('no preset names it', () => {
  const names = Object.values(valuePresets).flatMap((values) => Object.keys(values));
  expect(names).not.toContain('adult_mode');
});
