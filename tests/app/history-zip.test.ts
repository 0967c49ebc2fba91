/** Several pictures saved as one ZIP file, from what the device has and what the server gives. */
import { screen, waitFor, within } from '@testing-library/react';
import { strFromU8, unzipSync } from 'fflate';
import { describe, expect, test, vi } from 'vitest';

import { readRecipe } from '#contract/images/recipe-file';
import { dialog, history, openHistory } from '#tests/history';
import { pngChunk, tinyPng, withPngChunks } from '#tests/picture-files';
import { makePng, save, startWithPeople, toKey } from '#tests/pictures';
import { remembered } from '#tests/remembered';

type App = Awaited<ReturnType<typeof openHistory>>;

/** The files that the browser was asked to save. */
function watchDownloads() {
  const blobs = new Map<string, Blob>();
  const saved: { readonly name: string; readonly file: Blob | undefined }[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
    const url = `blob:${blobs.size}`;
    if (file instanceof Blob) {
      blobs.set(url, file);
    }
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, file: blobs.get(this.href) });
  });
  return saved;
}

/** Keeps the files of these pictures on the device. */
async function keep(ids: readonly string[], size = 100): Promise<void> {
  const { saveFile } = await import('#lib/device-files');
  for (const [index, id] of ids.entries()) {
    const bytes = new Uint8Array(size).fill(index + 1);
    await saveFile(`${id}/original`, new Blob([bytes], { type: 'image/png' }));
  }
}

/** Selects all pictures, and presses Download. */
async function download({ user }: App): Promise<void> {
  await user.click(await history().findByRole('button', { name: 'Select' }));
  const bar = within(await screen.findByRole('region', { name: 'Selected images' }));
  await user.click(bar.getByRole('button', { name: 'All' }));
  await user.click(bar.getByRole('button', { name: 'Download' }));
}

async function unzip(file: Blob | undefined) {
  const entries = unzipSync(new Uint8Array((await file?.arrayBuffer()) ?? new ArrayBuffer(0)));
  const { 'recipes.json': list, ...pictures } = entries;
  return { pictures, recipes: JSON.parse(strFromU8(list ?? new Uint8Array())) };
}

/** The device has only the records; the server's links lead nowhere. */
const onDevice = (number: number, change: Readonly<Record<string, unknown>> = {}) =>
  remembered(number, { imageUrl: undefined, timestamp: Date.UTC(2026, 0, number), ...change });

test('has each picture unchanged, and a list of the recipes', async () => {
  const saved = watchDownloads();
  const app = await openHistory([onDevice(2), onDevice(1, { seed: '4711' })]);
  await keep(['picture-1', 'picture-2']);

  await download(app);

  const shown = await dialog('Download as ZIP');
  expect(await shown.findByText(/^2 images are in the file/)).toBeVisible();
  await waitFor(() => expect(saved).toHaveLength(1));
  expect(saved[0]?.name).toMatch(/^nori-images-\d{4}-\d{2}-\d{2}\.zip$/);
  const { pictures, recipes } = await unzip(saved[0]?.file);
  expect(Object.keys(pictures)).toEqual([
    'model-2-2026-01-02T00-00-00-000.png',
    'model-1-2026-01-01T00-00-00-000.png',
  ]);
  expect(pictures['model-1-2026-01-01T00-00-00-000.png']).toEqual(new Uint8Array(100).fill(1));
  expect(recipes).toMatchObject([
    { file: 'model-2-2026-01-02T00-00-00-000.png', prompt: 'A heron at dusk, number 2' },
    {
      file: 'model-1-2026-01-01T00-00-00-000.png',
      seed: '4711',
      created: '2026-01-01T00:00:00.000Z',
    },
  ]);
});

test('says nothing of the recipes when its user keeps them out of files', async () => {
  const saved = watchDownloads();
  const text = 'a fox\nSteps: 20, Sampler: Euler a, Seed: 4711';
  const file = withPngChunks(tinyPng, pngChunk('tEXt', `parameters\0${text}`));
  localStorage.setItem('nori_keeps_recipe', 'false');
  const app = await openHistory([onDevice(2), onDevice(1)]);
  const { saveFile } = await import('#lib/device-files');
  for (const id of ['picture-1', 'picture-2']) {
    await saveFile(`${id}/original`, new Blob([new Uint8Array(file)], { type: 'image/png' }));
  }

  await download(app);

  const shown = await dialog('Download as ZIP');
  expect(await shown.findByText(/^2 images are in the file \([\d.]+ MB\)\.$/)).toBeVisible();
  await waitFor(() => expect(saved).toHaveLength(1));
  const entries = unzipSync(new Uint8Array((await saved[0]?.file?.arrayBuffer()) ?? []));
  expect(Object.keys(entries)).toEqual([
    expect.stringMatching(/^model-2-.*\.png$/),
    expect.stringMatching(/^model-1-.*\.png$/),
  ]);
  expect(readRecipe(file)).toMatchObject({ seed: '4711' });
  expect(Object.values(entries).map((bytes) => readRecipe(bytes))).toEqual([undefined, undefined]);
});

test('names are free, and safe on Windows', async () => {
  const saved = watchDownloads();
  const timestamp = Date.UTC(2026, 0, 1);
  const app = await openHistory([
    onDevice(1, { timestamp, modelId: 'Model' }),
    onDevice(2, { timestamp, modelId: 'model' }),
    onDevice(3, { timestamp: 0, modelId: 'a/b:c*"<>|?' }),
  ]);
  await keep(['picture-1', 'picture-2', 'picture-3']);

  await download(app);

  await waitFor(() => expect(saved).toHaveLength(1));
  const names = Object.keys((await unzip(saved[0]?.file)).pictures);
  expect(names).toContain('Model-2026-01-01T00-00-00-000.png');
  expect(names).toContain('model-2026-01-01T00-00-00-000 (2).png');
  expect(names.every((name) => /^[\w .()-]+$/.test(name))).toBe(true);
});

test('without a network has what the device has, and names what is missing', async () => {
  const saved = watchDownloads();
  const app = await openHistory([onDevice(1), onDevice(2), remembered(3)]);
  await keep(['picture-2']);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));

  await download(app);

  const shown = await dialog('Download as ZIP');
  expect(await shown.findByText(/^1 image is in the file/)).toBeVisible();
  expect(shown.getByText(/^Not in the file: 2 of 3\./)).toBeVisible();
  expect(shown.getByText('A heron at dusk, number 1')).toBeVisible();
  expect(shown.getByText('A heron at dusk, number 3')).toBeVisible();
  expect(Object.keys((await unzip(saved[0]?.file)).pictures)).toHaveLength(1);
});

test('of pictures that cannot be had is not made', async () => {
  const saved = watchDownloads();
  const app = await openHistory([onDevice(1), onDevice(2)]);

  await download(app);

  expect(
    await screen.findByText('None of these images is on this device, and none could be fetched.'),
  ).toBeVisible();
  expect(saved).toEqual([]);
});

test('has the pictures of the account, which the server gives', async () => {
  const saved = watchDownloads();
  const { server, tokens } = await startWithPeople();
  await save(server, tokens.ann, { prompt: 'a lighthouse', job_key: toKey('one') });
  await save(server, tokens.ann, {
    prompt: 'a harbour',
    image: await makePng(32, 32, '#ff0000'),
    job_key: toKey('two'),
  });
  const app = await openHistory([], { server, as: { telegramId: 111_222_333, token: tokens.ann } });
  await history().findByRole('listitem', { name: /a harbour$/ });

  await download(app);

  await waitFor(() => expect(saved).toHaveLength(1));
  const { pictures, recipes } = await unzip(saved[0]?.file);
  expect(Object.values(pictures).every((bytes) => bytes.length > 60)).toBe(true);
  expect(recipes).toHaveLength(2);
});

test('has at most 100 pictures; the rest are in the next file', async () => {
  const saved = watchDownloads();
  const rows = Array.from({ length: 103 }, (_row, index) => onDevice(index + 1));
  const app = await openHistory(rows);
  await keep(
    rows.map(({ id }) => id),
    1,
  );

  await download(app);

  const shown = await dialog('Download as ZIP');
  expect(await shown.findByText('A file has at most 100 images and 500 MB.')).toBeVisible();
  await app.user.click(shown.getByRole('button', { name: 'Pack the next 3' }));
  expect(await shown.findByText(/^3 images are in the file/)).toBeVisible();
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(saved[1]?.name).not.toBe(saved[0]?.name);
  const all = await Promise.all(saved.map(({ file }) => unzip(file)));
  expect(all.map(({ recipes }) => recipes.length)).toEqual([100, 3]);
});

test('closing the dialog stops the work: nothing is saved', async () => {
  const saved = watchDownloads();
  const app = await openHistory([onDevice(1), remembered(2, { timestamp: 1000 })]);
  await keep(['picture-1']);
  let answer: (response: Response) => void = () => undefined;
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
  await download(app);
  const shown = await dialog('Download as ZIP');
  expect(await shown.findByText('Packed: 1 of 2')).toBeVisible();

  await app.user.click(shown.getByRole('button', { name: 'Cancel' }));
  answer(new Response('bytes', { headers: { 'Content-Type': 'image/png' } }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(saved).toEqual([]);
  expect(screen.getByText('2 selected')).toBeVisible();
});

test('one picture is saved as it is', async () => {
  const saved = watchDownloads();
  const app = await openHistory([onDevice(1)]);
  await keep(['picture-1']);

  await download(app);

  await waitFor(() =>
    expect(saved.map(({ name }) => name)).toEqual([expect.stringMatching(/\.png$/)]),
  );
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('inside Telegram, which saves no such file', () => {
  test('it is said where that works, and the browser is offered', async () => {
    const app = await openHistory([onDevice(1), onDevice(2)], { launch: { telegramId: 4242 } });
    await keep(['picture-1', 'picture-2']);

    await download(app);

    const shown = await dialog('Download as ZIP');
    expect(shown.getByText(/^Telegram does not save ZIP files\./)).toBeVisible();
    await app.user.click(shown.getByRole('button', { name: 'Open the browser' }));
    expect(app.bridge?.sent).toContainEqual({
      name: 'web_app_open_link',
      data: expect.objectContaining({ url: expect.stringMatching(/\/models\?provider=pixai/) }),
    });
  });
});
