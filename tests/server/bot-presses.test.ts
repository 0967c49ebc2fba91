/** Pressed buttons: what the bot takes, what it leaves alone, and in which language it answers. */
import { expect, test } from 'vitest';

import { ann, bo, type CommandGroup, personWith, startGroup } from '#tests/command-group';
import { standInLanguages } from '#tests/stand-in-languages';
import { administrator, groupId, left, moved } from '#tests/test-bot';

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
