/** Packs of stickers: what goes in, whose they are, what happens when they are full or gone, and stickers as files. */
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';

import { ann, bo, type CommandGroup, dan, startGroup } from '#tests/command-group';
import { groupId } from '#tests/test-bot';

let group: CommandGroup;
beforeEach(async () => {
  group = await startGroup();
});

const makePicture = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#0b7a5c' } })
    .png()
    .toBuffer();

const toSetName = (number: number, id = ann) => `p${number}_${id}_by_nori_test_bot`;
const findSet = (number: number, id = ann) => group.api.stickers.findSet(toSetName(number, id));

/** A reply to a message of Dan with this in it. */
const reply = (fields: Readonly<Record<string, unknown>>) => ({
  fields: { reply_to_message: { ...group.toMessage(dan, fields), text: undefined } },
});

function toSticker(fileId: string, fields: Readonly<Record<string, unknown>> = {}) {
  const facts = { type: 'regular', width: 512, height: 512, is_animated: false, is_video: false };
  return { sticker: { file_id: fileId, file_unique_id: `u-${fileId}`, ...facts, ...fields } };
}

async function addPhoto(width = 1280, height = 640) {
  const fileId = group.api.stickers.addFile(await makePicture(width, height));
  return { photo: [{ file_id: fileId, file_unique_id: 'u', width, height }] };
}

test('a picture becomes a sticker of 512 pixels in a pack of the person', async () => {
  await group.says(ann, '/kang 🦦', reply(await addPhoto()));
  expect(group.api.messages.at(-1)).toMatchObject({
    text: 'It is in your pack.',
    body: {
      reply_markup: {
        inline_keyboard: [
          [{ text: 'Open the pack', url: `https://t.me/addstickers/${toSetName(1)}` }],
        ],
      },
    },
  });
  const set = findSet(1);
  expect(set).toMatchObject({
    title: 'Stickers of Ann',
    owner: ann,
    stickers: [{ format: 'static', emoji: '🦦' }],
  });
  const [upload] = group.api.callsTo('uploadStickerFile');
  expect(upload?.body).toMatchObject({ user_id: String(ann), sticker_format: 'static' });
});

test.each([
  ['static', {}, '😺'],
  ['animated', { is_animated: true }, '😺'],
  ['video', { is_video: true }, '😺'],
])('a %s sticker goes in as it is, with its emoji', async (format, fields, emoji) => {
  const fileId = group.api.stickers.addFile(Buffer.from('a sticker'));
  await group.says(ann, '/sticker', reply(toSticker(fileId, { ...fields, emoji })));
  expect(findSet(1)?.stickers).toEqual([{ fileId, format, emoji }]);
  expect(group.api.callsTo('uploadStickerFile')).toEqual([]);
});

test('a pack that is full, or was deleted, is followed by the next', async () => {
  const photo = await addPhoto();
  await group.says(ann, '/kang', reply(photo));
  group.api.stickers.fill(toSetName(1));
  await group.says(ann, '/kang', reply(photo));
  expect(findSet(2)?.stickers).toHaveLength(1);
  await group.says(ann, '/kang', reply(photo));
  expect(findSet(2)?.stickers).toHaveLength(2);
  group.api.stickers.removeSet(toSetName(2));
  await group.says(ann, '/kang', reply(photo));
  expect(findSet(3)?.stickers).toHaveLength(1);
  expect(group.lastText()).toBe('It is in your pack.');
});

test('after Forget me the pack at Telegram is found again by its name', async () => {
  const photo = await addPhoto();
  await group.says(ann, '/kang', reply(photo));
  await group.server.services.personal.forget(ann);
  await group.says(ann, '/kang', reply(photo));
  expect(findSet(1)?.stickers).toHaveLength(2);
  expect(
    await group.server.db.selectFrom('sticker_packs').select(['name', 'number']).execute(),
  ).toEqual([{ name: toSetName(1), number: 1 }]);
});

test('two at once are both in the pack', async () => {
  const photo = await addPhoto();
  await Promise.all([
    group.says(ann, '/kang', reply(photo)),
    group.says(ann, '/kang', reply(photo)),
  ]);
  expect(findSet(1)?.stickers).toHaveLength(2);
});

test('while a large picture is loaded, others are answered in the chat', async () => {
  const photo = await addPhoto();
  const { promise: isLoaded, resolve: load } = Promise.withResolvers<void>();
  group.api.hold('getFile', isLoaded);
  const added = group.says(ann, '/kang', reply(photo));
  await expect.poll(() => group.api.callsTo('getFile')).toHaveLength(1);
  const muted = group.says(bo, '/mute', { to: dan });
  await expect.poll(() => group.lastText()).toBe('Dan is muted.');
  load();
  await Promise.all([added, muted]);
  expect(group.lastText()).toBe('It is in your pack.');
});

test('a command that is handled again adds nothing', async () => {
  await group.says(ann, '/kang', reply(await addPhoto()));
  await group.hearsAgain();
  expect(findSet(1)?.stickers).toHaveLength(1);
});

test('who has not started the bot is told to', async () => {
  group.api.setReach(ann, 'never started');
  await group.says(ann, '/kang', reply(await addPhoto()));
  expect(group.lastText()).toBe(
    'Write /start to me in private first, then I may make a pack for you.',
  );
});

test('what is no picture, or is missing, is refused', async () => {
  await group.says(ann, '/kang');
  expect(group.lastText()).toBe('Reply to a sticker or a picture.');
  await group.says(ann, '/kang', reply({ video: { file_id: 'x' } }));
  expect(group.lastText()).toBe('Reply to a sticker or a picture.');
  const fileId = group.api.stickers.addFile(Buffer.from('no picture'));
  const photo = [{ file_id: fileId, file_unique_id: 'u', width: 9, height: 9 }];
  await group.says(ann, '/kang', reply({ photo }));
  expect(findSet(1)).toBeUndefined();
  expect(group.server.logLines.join('')).not.toContain(group.api.token);
});

test('only the person takes stickers out of their pack', async () => {
  await group.says(ann, '/kang', reply(await addPhoto()));
  const [own] = findSet(1)?.stickers ?? [];
  const found = toSticker(own?.fileId ?? '', { set_name: toSetName(1) });
  await group.says(bo, '/unkang', reply(found));
  expect(group.lastText()).toBe('Reply to a sticker of one of the packs that I have made for you.');
  expect(findSet(1)?.stickers).toHaveLength(1);
  await group.says(ann, '/unkang', reply(found));
  expect(group.lastText()).toBe('It is in your pack no more.');
  expect(findSet(1)?.stickers).toEqual([]);
  const [row] = await group.server.db.selectFrom('sticker_packs').select('count').execute();
  expect(row?.count).toBe(0);
});

test('a sticker is sent as a file; an animated one is none', async () => {
  const still = group.api.stickers.addFile(
    await sharp(await makePicture(512, 300))
      .webp()
      .toBuffer(),
  );
  await group.says(ann, '/getsticker', reply(toSticker(still)));
  const [png] = group.api.documents;
  expect(png).toMatchObject({ to: groupId, name: 'sticker.png' });
  expect((await sharp(png?.bytes).metadata()).format).toBe('png');
  const film = group.api.stickers.addFile(Buffer.from('webm'));
  await group.says(ann, '/getsticker', reply(toSticker(film, { is_video: true })));
  expect(group.api.documents.at(-1)).toMatchObject({ name: 'sticker.webm' });
  await group.says(ann, '/getsticker', reply(toSticker(film, { is_animated: true })));
  expect(group.lastText()).toBe('An animated sticker is no picture.');
});
