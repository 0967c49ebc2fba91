/** A picture that is sent to the bot in private as a file tells its recipe, and Nori opens with it. */
import { beforeEach, expect, test } from 'vitest';

import { readSentRecipe } from '#contract/endpoints/picture-sharing';
import { formatOwnRecipe, readOwnRecipe } from '#contract/images/recipe-text';
import { ann, bo, type CommandGroup, cy, dan, personWith, startGroup } from '#tests/command-group';
import { pngChunk, tinyPng, withPngChunks } from '#tests/picture-files';
import { groupId } from '#tests/test-bot';
import { minute } from '#tests/test-server';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup({ variables: { PUBLIC_URL: 'https://nori.example' } });
});

const lastTo = (id: number) => group.api.messages.findLast(({ to }) => to === id);
const withText = (key: string, text: string) =>
  withPngChunks(tinyPng, pngChunk('iTXt', Buffer.from(`${key}\0\0\0\0\0${text}`)));

const ours = withText(
  'nori',
  formatOwnRecipe({
    provider: 'pixai',
    prompt: 'a fox, “autumn” 秋',
    negativePrompt: 'blurry',
    modelId: 'model-1',
    loras: {},
    seed: '4711',
    width: 832,
    height: 1248,
  }),
);

/** Sends a file as a document, or what Telegram makes of a photo. */
const sends = (
  file: Buffer,
  { chatId = ann, ...fields }: { readonly chatId?: number; readonly [field: string]: unknown } = {},
) =>
  group.writes('', {
    chatId,
    from: ann,
    fields: {
      text: undefined,
      document: {
        file_id: group.api.stickers.addFile(file),
        file_unique_id: 'u',
        file_name: 'fox.png',
        mime_type: 'image/png',
        file_size: file.length,
      },
      ...fields,
    },
  });

function readButton(): string {
  const { inline_keyboard: rows } = Object(lastTo(ann)?.body['reply_markup']);
  return String(rows?.[0]?.[0]?.web_app?.url ?? '');
}

test('a file of Nori is answered with its recipe, and a button that opens Nori with it', async () => {
  await sends(ours);

  expect(lastTo(ann)?.text).toBe(
    'The recipe of this picture:\n\na fox, “autumn” 秋\n\nNegative prompt: blurry\nModel: model-1\nSeed: 4711\nSize: 832 × 1248',
  );
  const url = new URL(readButton());
  expect(url.pathname + url.search).toMatch(
    /^\/models\?provider=pixai&view=generator&recipe=[\w-]{36}$/,
  );
  const id = url.searchParams.get('recipe') ?? '';

  const { body, status } = await group.server.call(readSentRecipe, { link: id });

  expect(status).toBe(200);
  expect(body).toMatchObject({ program: 'nori' });
  expect(readOwnRecipe(Object(body).recipe)).toMatchObject({
    prompt: 'a fox, “autumn” 秋',
    seed: '4711',
  });
});

test('the recipe is gone after a day, and nobody finds one by guessing', async () => {
  await sends(ours);
  const id = new URL(readButton()).searchParams.get('recipe') ?? '';

  group.server.wait(24 * 60 * minute + 1);

  expect((await group.server.call(readSentRecipe, { link: id })).status).toBe(404);
  expect((await group.server.call(readSentRecipe, { link: 'f'.repeat(36) })).status).toBe(404);
  expect((await group.server.call(readSentRecipe, { link: 'short' })).status).toBe(422);
});

test('a file of A1111 is read, too', async () => {
  await sends(
    withText(
      'parameters',
      'a lighthouse\nSteps: 20, Sampler: Euler a, Seed: 7, Model: dreamshaper_8',
    ),
  );

  expect(lastTo(ann)?.text).toBe(
    'The recipe of this picture:\n\na lighthouse\n\nModel: dreamshaper_8\nSeed: 7',
  );
});

test('a prompt that no form takes is shown without a button', async () => {
  await sends(withText('parameters', `${'a'.repeat(9000)}\nSteps: 20, Sampler: Euler a, Seed: 7`));

  expect(lastTo(ann)?.text).toContain('Seed: 7');
  expect(lastTo(ann)?.text.length).toBeLessThanOrEqual(4096);
  expect(readButton()).toBe('');
});

test.each([
  [
    'without a recipe',
    {},
    'No recipe in this file. Messengers and many sites remove it: send me the original picture as a file.',
  ],
  [
    'that is a photo',
    { document: undefined, photo: [{ file_id: 'p', file_unique_id: 'p', width: 9, height: 9 }] },
    'Telegram removes the recipe from photos. Send me the picture as a file, and I read it.',
  ],
  [
    'of more than 20 MB',
    {
      document: {
        file_id: 'x',
        file_unique_id: 'x',
        mime_type: 'image/png',
        file_size: 20 * 1024 * 1024 + 1,
      },
    },
    'I can read files of up to 20 MB.',
  ],
  [
    'that Telegram does not have',
    { document: { file_id: 'gone', file_unique_id: 'x', mime_type: 'image/png', file_size: 9 } },
    'I could not fetch the file from Telegram. Send it again.',
  ],
])('a picture %s says what to do', async (_what, fields, text) => {
  await sends(tinyPng, fields);

  expect(lastTo(ann)?.text).toBe(text);
});

test('too many files are refused, and Telegram is not asked for them', async () => {
  for (let sent = 0; sent < 20; sent += 1) {
    await sends(tinyPng);
  }
  const before = group.api.callsTo('getFile').length;

  await sends(ours);

  expect(before).toBe(20);
  expect(group.api.callsTo('getFile')).toHaveLength(20);
  expect(lastTo(ann)?.text).toMatch(/^Too many|Try again/);
});

test('nothing is said of pictures in groups, of other files, and of what a command is about', async () => {
  const before = group.api.messages.length;

  await sends(ours, { chatId: groupId });
  await sends(Buffer.from('a text'), {
    document: { file_id: 'x', file_unique_id: 'x', mime_type: 'text/plain', file_size: 6 },
  });
  await sends(ours, { via_bot: { id: 5, is_bot: true, first_name: 'Gif', username: 'gif' } });

  expect(group.api.messages).toHaveLength(before);
});

test('Forget me deletes the recipe, which /privacy names', async () => {
  await sends(ours);
  const id = new URL(readButton()).searchParams.get('recipe') ?? '';

  await group.writes('/privacy', { chatId: ann, from: ann });

  expect(lastTo(ann)?.text).toContain(
    'The recipe of a picture that you send me, I keep for a day.',
  );
  await group.press([ann, 'Forget me']);
  expect((await group.server.call(readSentRecipe, { link: id })).status).toBe(404);
});

test('many files that are sent at the same time are read few at a time', async () => {
  const { promise: isLoaded, resolve: load } = Promise.withResolvers<void>();
  const fetches = () => group.api.callsTo('getFile').length;
  const sendersSeen = async () =>
    (await group.server.db.selectFrom('rate_buckets').select('key').execute()).length;
  const sent: Promise<unknown>[] = [];
  const before = await sendersSeen();
  for (const from of [ann, bo, cy, dan]) {
    group.api.hold('getFile', isLoaded);
    sent.push(sends(ours, { chatId: from, from: personWith(from) }));
    await expect.poll(sendersSeen).toBe(before + sent.length);
    await expect.poll(fetches).toBe(Math.min(sent.length, 2));
  }
  expect(fetches()).toBe(2);
  group.api.hold('getFile', Promise.resolve());
  load();
  await Promise.all(sent);
  expect(fetches()).toBe(4);
  for (const to of [ann, bo, cy, dan]) {
    expect(lastTo(to)?.text).toContain('a fox');
  }
});
