/** A picture that is dropped, pasted or chosen tells its recipe, and the form takes it. Nothing leaves the device. */
import { createEvent, fireEvent, screen, waitFor } from '@testing-library/react';
import sharp from 'sharp';
import { describe, expect, test, vi } from 'vitest';

import { readJob } from '#contract/endpoints/images';
import { readSentRecipe } from '#contract/endpoints/picture-sharing';
import { readRecipe } from '#contract/images/recipe-file';
import { formatOwnRecipe } from '#contract/images/recipe-text';
import {
  button,
  field,
  fillIn,
  finished,
  generateButton,
  model,
  openGenerator,
  ratio,
  result,
  weight,
} from '#tests/generator';
import { pngChunk, tinyPng, withPngChunks } from '#tests/picture-files';
import { renderApp } from '#tests/render-app';

const toFile = (bytes: Buffer, name = 'fox.png') =>
  new File([new Uint8Array(bytes)], name, { type: 'image/png' });
const withText = (key: string, text: string) =>
  toFile(withPngChunks(tinyPng, pngChunk('iTXt', Buffer.from(`${key}\0\0\0\0\0${text}`))));

const ours = withText(
  'nori',
  formatOwnRecipe({
    provider: 'pixai',
    prompt: 'a fox, “autumn” 秋\nin the snow',
    negativePrompt: 'blurry',
    modelId: '1983308862240288769',
    modelName: 'Tide Pool',
    loras: { '2001': 0.7 },
    seed: '9223372036854775807',
    width: 832,
    height: 1248,
  }),
);
const ofA1111 = withText(
  'parameters',
  'a lighthouse\nNegative prompt: fog\nSteps: 20, Sampler: Euler a, Seed: 4711, Size: 1280x720, Model: dreamshaper_8',
);
const plain = toFile(tinyPng);

function choose(file: File): void {
  const input = document.querySelector('input[type="file"]');
  if (!(input instanceof HTMLInputElement)) {
    throw new TypeError('There is no field for files.');
  }
  fireEvent.change(input, { target: { files: [file] } });
}

/** As a browser tells it of a file from elsewhere. Returns whether the page took it. */
async function drop(file: File): Promise<boolean> {
  const dataTransfer = { types: ['Files'], files: [file] };
  fireEvent.dragOver(document.body, { dataTransfer });
  expect(await screen.findByText('Drop the picture to read its recipe.')).toBeVisible();
  return !fireEvent.drop(document.body, { dataTransfer });
}

function paste(file: File, types: readonly string[] = ['Files']): boolean {
  const event = createEvent.paste(document.body, { clipboardData: { files: [file], types } });
  return !fireEvent(document.body, event);
}

const found = () => screen.findByText('Recipe found');

describe('a picture of Nori', () => {
  test.each([
    ['chosen', choose],
    ['dropped', drop],
    ['pasted', paste],
  ] as const)('that is %s shows its recipe, and fills the form', async (_how, give) => {
    const app = await openGenerator();
    const requests = vi.spyOn(window, 'fetch');

    await give(ours);

    expect(await found()).toBeVisible();
    expect(screen.getByText('Tide Pool')).toBeVisible();
    expect(screen.getByText('9223372036854775807')).toBeVisible();
    expect(field('Prompt')).toHaveValue('');
    expect(requests).not.toHaveBeenCalled();

    await app.user.click(button('Remix'));

    expect(field('Prompt')).toHaveValue('a fox, “autumn” 秋\nin the snow');
    expect(field('Negative Prompt')).toHaveValue('blurry');
    expect(field('Model ID')).toHaveValue('1983308862240288769');
    expect(field('Seed')).toHaveValue('9223372036854775807');
    expect(ratio('2:3')).toBeChecked();
    expect(weight('2001')).toHaveValue('70');
    expect(screen.queryByText('Recipe found')).toBeNull();
    expect(button('Read a picture’s recipe')).toHaveFocus();
  });

  test('can be undone: what was in the form is there again', async () => {
    const app = await openGenerator();
    await fillIn(app, 'a long walk', '1001');
    choose(ours);
    await found();
    await app.user.click(button('Remix'));

    await app.user.click(await screen.findByRole('button', { name: 'Undo' }));

    expect(field('Prompt')).toHaveValue('a long walk');
    expect(field('Model ID')).toHaveValue('1001');
    expect(field('Seed')).toHaveValue('');
  });

  test('can be ignored', async () => {
    const app = await openGenerator();
    await fillIn(app, 'a long walk', '1001');
    choose(ours);
    await found();

    await app.user.click(button('Ignore'));

    expect(screen.queryByText('Recipe found')).toBeNull();
    expect(field('Prompt')).toHaveValue('a long walk');
  });
});

test('a picture of another program keeps the model of the form, and says so', async () => {
  const app = await openGenerator();
  await fillIn(app, 'a long walk', '1001');

  choose(ofA1111);
  await found();
  expect(screen.getByText('dreamshaper_8')).toBeVisible();
  expect(
    screen.getByText('Another program made it, so choose a model like this one.'),
  ).toBeVisible();
  await app.user.click(button('Remix'));

  expect(field('Prompt')).toHaveValue('a lighthouse');
  expect(field('Seed')).toHaveValue('4711');
  expect(ratio('16:9')).toBeChecked();
  expect(model().getByRole('textbox', { name: 'Model ID' })).toHaveValue('1001');
});

const none =
  'No recipe in this picture. Messengers and many sites remove it: use the original file.';

test.each([
  ['without a recipe', plain, none],
  ['that is broken', toFile(Buffer.from('\x89PNG\r\n\u001a\nno picture', 'latin1')), none],
  ['that is no picture', new File(['a fox'], 'fox.png', { type: 'image/png' }), none],
  [
    'of more than 30 MB',
    new File([new Uint8Array(30 * 1024 * 1024 + 1)], 'fox.png'),
    'The file is larger than 30 MB. Use a smaller one.',
  ],
])('a file %s says what to do, and leaves the form alone', async (_what, file, text) => {
  const app = await openGenerator();
  await fillIn(app, 'a long walk', '1001');

  choose(file);

  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Remix' })).toBeNull();
  expect(field('Prompt')).toHaveValue('a long walk');

  choose(ours);
  expect(await found()).toBeVisible();
  expect(screen.queryByText(text)).toBeNull();
});

test('a file that has gone meanwhile has no recipe', async () => {
  await openGenerator();
  const gone = toFile(tinyPng);
  vi.spyOn(gone, 'arrayBuffer').mockRejectedValue(new DOMException('gone', 'NotFoundError'));

  choose(gone);

  expect(await screen.findByText(none)).toBeVisible();
});

test('of two pictures the later one counts, although the first one is read longer', async () => {
  await openGenerator();
  const { promise, resolve } = Promise.withResolvers<ArrayBuffer>();
  const slow = toFile(tinyPng);
  vi.spyOn(slow, 'arrayBuffer').mockReturnValue(promise);

  choose(slow);
  choose(ours);
  await found();
  resolve(new ArrayBuffer(8));

  await expect(
    waitFor(() => expect(screen.getByText(none)).toBeVisible(), { timeout: 200 }),
  ).rejects.toThrow(/Unable to find/);
  expect(screen.getByText('Recipe found')).toBeVisible();
});

test('text that is pasted with a picture of it stays text, and text that is dropped is left alone', async () => {
  await openGenerator();

  expect(paste(ours, ['text/plain', 'Files'])).toBe(false);
  expect(
    fireEvent.drop(document.body, { dataTransfer: { types: ['text/plain'], files: [] } }),
  ).toBe(true);

  expect(screen.queryByText('Recipe found')).toBeNull();
});

test.each(['imagine-art', 'midjourney'])(
  'the form of %s takes the prompt, too',
  async (provider) => {
    const app = await renderApp(`/models?provider=${provider}`);
    await screen.findByRole('textbox', { name: 'Prompt' });

    choose(ofA1111);
    await found();
    await app.user.click(button('Remix'));

    expect(field('Prompt')).toHaveValue('a lighthouse');
  },
);

describe('a link of the bot', () => {
  const id = '0b0e7a9c-4f7e-4a55-9d1c-3f0b8f6f2a11';
  const open = (body: object, status = 200) => {
    const opened = renderApp(`/models?provider=pixai&view=generator&recipe=${id}`, {
      onConnect: (network) => network.refuse(readSentRecipe, { status, body }),
    });
    return opened;
  };

  test('shows the recipe of the file that was sent to it, once', async () => {
    const recipe = formatOwnRecipe({ prompt: 'a lighthouse', negativePrompt: '', loras: {} });
    const app = await open({ program: 'nori', recipe });

    await found();
    expect(app.server.requestsTo(readSentRecipe)).toHaveLength(1);
    expect(window.location.search).toBe('?provider=pixai&view=generator');
    await app.user.click(button('Remix'));

    expect(field('Prompt')).toHaveValue('a lighthouse');
  });

  test('that has expired says what to do', async () => {
    await open({ code: 'not_found', detail: 'gone' }, 404);

    expect(
      await screen.findByText('This recipe has expired. Send the picture to the bot again.'),
    ).toBeVisible();
  });
});

describe('what is downloaded', () => {
  const keeping = () =>
    screen.getByRole('checkbox', { name: 'Keep the recipe in files that I download' });

  /** Makes a picture, downloads it, and reads its file. */
  async function download(app: Awaited<ReturnType<typeof openGenerator>>) {
    const blobs: Blob[] = [];
    const create = URL.createObjectURL.bind(URL);
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
    await fillIn(app);
    await app.user.click(generateButton());
    await finished('a red fox');
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      blobs.push(file instanceof Blob ? file : new Blob());
      return create(file);
    });
    await app.user.click(result().getByRole('link', { name: 'Download' }));
    await waitFor(() => expect(blobs).toHaveLength(1));
    return new Uint8Array((await blobs[0]?.arrayBuffer()) ?? []);
  }

  test('has its recipe, unless its user says otherwise: then the file is smaller, and a picture still', async () => {
    const app = await openGenerator();
    expect(keeping()).toBeChecked();
    const whole = await download(app);
    expect(readRecipe(whole)).toMatchObject({ program: 'nori', prompt: 'a red fox' });
    vi.restoreAllMocks();

    await app.user.click(keeping());
    await app.reload();
    await screen.findByRole('button', { name: 'Change' });
    expect(keeping()).not.toBeChecked();
    const bare = await download(app);

    expect(readRecipe(bare)).toBeUndefined();
    expect(Buffer.from(bare).toString('latin1')).not.toMatch(/Nori|red fox|EXIF/);
    expect((await sharp(bare).metadata()).width).toBe((await sharp(whole).metadata()).width);
  });

  test('inside Telegram comes without it from the server, wherever the file is', async () => {
    const app = await openGenerator({ launch: { telegramId: 4242, kind: 'android' } });
    const job = { state: 'done', image_url: 'https://pictures.example/1.png?a=b' };
    app.server.refuse(readJob, { status: 200, body: job });
    await app.user.click(keeping());
    await fillIn(app);
    await waitFor(() =>
      expect(
        app.bridge?.sent.findLast(({ name }) => name === 'web_app_setup_main_button')?.data,
      ).toMatchObject({ is_visible: true, is_active: true }),
    );
    app.bridge?.emit('main_button_pressed');
    const link = await result().findByRole('link', { name: 'Download' });
    await waitFor(() => expect(app.server.requestsTo(readJob)).not.toHaveLength(0));

    app.server.refuse(readJob, { status: 200, body: job });
    // Each page has modules of its own.
    const { getPlatform } = await import('#lib/platform');
    const saving = vi.spyOn(getPlatform(), 'download').mockResolvedValue(true);
    await app.user.click(link);

    await waitFor(() => expect(saving).toHaveBeenCalledTimes(1));
    expect(saving.mock.calls[0]?.[0].url).toContain(
      '/pixai/api/v1/midjourney/download?url=https%3A%2F%2Fpictures.example%2F1.png%3Fa%3Db&recipe=none',
    );
  });
});
