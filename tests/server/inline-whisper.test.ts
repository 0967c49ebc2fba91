/** Whispers: messages in any chat that one person alone can read. */
import { beforeEach, describe, expect, test } from 'vitest';

import { sweep } from '#server/services/maintenance';
import { ann, bo, type CommandGroup, dan, olga, startGroup } from '#tests/command-group';
import { typeQuery, listTexts } from '#tests/inline';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

const minute = 60_000;
const day = 24 * 60 * minute;

async function settle(): Promise<void> {
  await group.api.updates.confirmed();
  await group.server.handled();
}

/** Olga writes a whisper and sends it. */
async function send(words: string) {
  const { id } = await typeQuery(group, `whisper ${words}`, { from: olga });
  const sent = group.api.inline.choose(id);
  await settle();
  return sent;
}

/** What someone is shown who presses its button. */
async function read(sent: Awaited<ReturnType<typeof send>>, from: number) {
  const pressId = group.api.inline.press(sent, from, 'Read');
  await settle();
  return group.api.presses.answers.find((answer) => answer.pressId === pressId);
}

const stored = () => group.server.db.selectFrom('whispers').selectAll().execute();

test('is offered to its writer alone, and says for whom it is', async () => {
  const shown = await typeQuery(group, 'whisper @ann_otter See you at eight', { from: olga });

  expect(shown).toMatchObject({ isPersonal: true, cacheS: 0 });
  expect(shown.results).toMatchObject([
    { title: 'Whisper to @ann_otter', description: 'See you at eight' },
  ]);
  expect(listTexts(shown)).toEqual([
    'A whisper for @ann_otter. Only they and the writer can read it.',
  ]);
  expect(JSON.stringify(shown.results?.[0]?.['reply_markup'])).not.toContain('eight');
});

test.each([
  ['who has the name', '@ann_otter', ann],
  ['who has the name in another case', '@ANN_Otter', ann],
  ['with the ID', String(dan), dan],
  ['who wrote it', '@ann_otter', olga],
])('is read by the person %s', async (_who, to, reader) => {
  const sent = await send(`${to} See you at eight`);

  expect(await read(sent, reader)).toMatchObject({ text: 'See you at eight', isAlert: true });
  expect(await read(sent, reader)).toMatchObject({ text: 'See you at eight' });
});

test('is not read by others, who are told for whom it is', async () => {
  const sent = await send('@ann_otter See you at eight');

  for (const other of [bo, dan]) {
    expect(await read(sent, other)).toMatchObject({
      text: 'This whisper is for @ann_otter.',
      isAlert: true,
    });
  }
});

test('with an ID names the person as the bot has seen them', async () => {
  await group.says(dan, 'Hello');

  const sent = await send(`${dan} See you at eight`);

  expect((await read(sent, bo))?.text).toBe('This whisper is for Dan.');
});

test('belongs to the first who has the name, also when the name moves on', async () => {
  const sent = await send('@ann_otter See you at eight');
  await read(sent, ann);
  group.api.addPerson({ id: dan, first_name: 'Dan', username: 'ann_otter' });

  expect((await read(sent, dan))?.text).toBe('This whisper is for @ann_otter.');
  expect((await read(sent, ann))?.text).toBe('See you at eight');
});

test('is stored sealed', async () => {
  await send('@ann_otter See you at eight');

  const rows = await stored();

  expect(rows).toMatchObject([{ from_id: olga, to_username: 'ann_otter' }]);
  expect(JSON.stringify(rows)).not.toContain('eight');
});

describe('how long it is kept', () => {
  test('ten minutes where it was not sent', async () => {
    await typeQuery(group, 'whisper @ann_otter See you at eight', { from: olga });

    group.server.wait(10 * minute - 1);
    await sweep(group.server.deps);
    expect(await stored()).toHaveLength(1);
    group.server.wait(1);
    await sweep(group.server.deps);
    expect(await stored()).toEqual([]);
  });

  test('seven days where it was', async () => {
    const sent = await send('@ann_otter See you at eight');

    group.server.wait(7 * day - 1);
    expect((await read(sent, ann))?.text).toBe('See you at eight');
    group.server.wait(1);
    expect((await read(sent, ann))?.text).toBe('This whisper is gone.');
    await sweep(group.server.deps);
    expect(await stored()).toEqual([]);
  });

  test('seven days also where Telegram has not told that it was sent, but someone has pressed', async () => {
    const sent = await send('@ann_otter See you at eight');
    const unsent = group.server.now() + 10 * minute;
    await group.server.db.updateTable('whispers').set({ expires_at: unsent }).execute();

    await read(sent, dan);
    group.server.wait(6 * day);

    expect((await read(sent, ann))?.text).toBe('See you at eight');
  });
});

test.each([
  ['', 'Write @name or an ID, then the whisper'],
  [' @ann_otter', 'Write @name or an ID, then the whisper'],
  [' ann See you', 'Write @name or an ID, then the whisper'],
  [` @ann_otter ${'x'.repeat(201)}`, 'At most 200 characters'],
])('“whisper%s” says what is missing, and stores nothing', async (words, text) => {
  expect(await typeQuery(group, `whisper${words}`, { from: olga })).toMatchObject({
    results: [],
    button: { text },
  });
  expect(await stored()).toEqual([]);
});

test('of 200 emoji is shown whole', async () => {
  const sent = await send(`@ann_otter ${'🦦'.repeat(200)}`);

  expect((await read(sent, ann))?.text).toBe('🦦'.repeat(200));
});

test.each([
  ['v1:whisper:nosuch', 'This whisper is gone.'],
  ['v1:whisper:', 'This whisper is gone.'],
  ['v1:undo:1', ''],
  ['nonsense', ''],
])('a forged button (%s) shows nothing of anyone', async (data, text) => {
  await send('@ann_otter See you at eight');
  await group.hears({
    callback_query: {
      id: '77',
      from: { id: dan, is_bot: false, first_name: 'Dan', username: 'ann_otters' },
      inline_message_id: 'elsewhere',
      chat_instance: '1',
      data,
    },
  });

  expect(group.api.presses.answers.at(-1)).toMatchObject({ pressId: '77', text });
});

test('while someone types, only what is left standing is stored', async () => {
  for (const words of ['S', 'Se', 'See', 'See you']) {
    group.api.inline.typeQuery(olga, `whisper @ann_otter ${words}`);
  }
  await settle();

  expect(await stored()).toHaveLength(1);
});
