/** Pictures that others are made from: one of the user's own, and a part of one that is repainted. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';

import { listGenerations, uploadSource } from '#contract/endpoints/generations';
import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { generate } from '#contract/endpoints/images';
import { readCapabilities } from '#contract/endpoints/site';
import { type Network } from '#tests/app-server';
import { fillIn, generateButton, openGenerator, ratio, sentRequests } from '#tests/generator';
import { card } from '#tests/history';
import { makePng } from '#tests/pictures';
import { person } from '#tests/providers';

const able = (modes: readonly string[]) => (server: Network) => {
  server.refuse(readCapabilities, { status: 200, body: { capabilities: [imageAbilities] } });
  server.refuse(readImageAbilities, { status: 200, body: { providers: { pixai: { modes } } } });
};
const openWith = (
  modes: readonly string[],
  options: Parameters<typeof openGenerator>[0] = { as: person },
) => openGenerator({ onConnect: able(modes), ...options });
type App = Awaited<ReturnType<typeof openWith>>;

const chooser = () => screen.findByLabelText('Start from a picture', { selector: 'input' });
const own = () => within(screen.getByRole('region', { name: 'Start from a picture' }));

async function choose(app: App, file?: File): Promise<void> {
  const picture = new File([await makePng(300, 200)], 'own.png', { type: 'image/png' });
  await app.user.upload(await chooser(), file ?? picture);
}

const sources = (app: App) => sentRequests(app).map((body) => Object(body).source as unknown);

test('a picture of one’s own is sent once, and what is made from it has its shape', async () => {
  const app = await openWith(['variation']);
  await fillIn(app);
  await choose(app);

  expect(await own().findByRole('img', { name: 'The picture that it starts from' })).toBeVisible();
  await waitFor(() => expect(ratio('3:2')).toBeChecked());
  fireEvent.change(own().getByRole('slider', { name: 'Strength of the variation (%)' }), {
    target: { value: '40' },
  });
  await app.user.click(generateButton());
  await waitFor(() => expect(sentRequests(app)).toHaveLength(1));

  expect(sources(app)).toEqual([
    { source_id: expect.stringMatching(/^[\w-]{20,}$/), mode: 'variation', strength: 0.4 },
  ]);
  expect(sentRequests(app)).toMatchObject([{ ratio: '3:2', prompt: 'a red fox' }]);
  expect(app.server.requestsTo(uploadSource)).toHaveLength(1);
});

test('what is removed again is not made anything from', async () => {
  const app = await openWith(['variation']);
  await fillIn(app);
  await choose(app);
  await app.user.click(await own().findByRole('button', { name: 'Remove the picture' }));

  expect(own().queryByRole('img')).toBeNull();
  await app.user.click(generateButton());
  await waitFor(() => expect(sentRequests(app)).toHaveLength(1));

  expect(sources(app)).toEqual([undefined]);
});

test.each([
  ['is no picture', ['GIF89a'], /picture/],
  ['is larger than 20 MB', [new Uint8Array(20 * 1024 * 1024 + 1)], /larger than 20 MB/],
])('a file that %s is refused, and the form stays as it is', async (_what, parts, reason) => {
  const app = await openWith(['variation']);
  await fillIn(app);

  await choose(app, new File(parts, 'own.png', { type: 'image/png' }));

  expect(await own().findByRole('alert')).toHaveTextContent(reason);
  expect(own().queryByRole('img')).toBeNull();
  expect(screen.getByRole('textbox', { name: 'Prompt' })).toHaveValue('a red fox');
});

test.each([
  ['the engine makes pictures from words alone', [], { as: person }],
  ['a visitor uses it', ['variation'], {}],
])('none is offered where %s', async (_why, modes, options) => {
  const app = await openWith(modes, options);
  await fillIn(app);

  expect(screen.queryByRole('button', { name: 'Start from a picture' })).toBeNull();
});

/** What a browser makes of a canvas, which has no pixels here. */
async function drawCanvases(): Promise<void> {
  const mask = await makePng(90, 60, '#ffffff');
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(mask));
  onTestFinished(() => void vi.restoreAllMocks());
}

const saved = {
  id: 'g1',
  prompt: 'A heron at dusk',
  model_id: 'model-1',
  seed: '42',
  ratio: '3:2',
  status: 'completed',
  image_url: '/heron.png',
  created_at: new Date().toISOString(),
};

/** Opens the dialog for a picture of the history. */
async function openRepainting() {
  await drawCanvases();
  const app = await openGenerator({
    as: person,
    onConnect: (server) => {
      able(['inpaint'])(server);
      server.refuse(listGenerations, { status: 200, body: { generations: [saved] } });
    },
  });
  await app.user.click((await card('A heron at dusk')).getByRole('button', { name: 'Info' }));
  const details = within(await screen.findByRole('dialog', { name: 'Image details' }));
  await app.user.click(await details.findByRole('button', { name: 'Repaint a part' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Repaint a part' }));
  const canvas = dialog.getByRole('application');
  return { app, dialog, canvas, start: () => dialog.getByRole('button', { name: 'Repaint' }) };
}

test('a part that is painted over is made anew, by other words', async () => {
  const { app, dialog, canvas, start } = await openRepainting();
  expect(start()).toBeDisabled();

  fireEvent.pointerDown(canvas, { button: 0, pointerId: 1, clientX: 10, clientY: 10 });
  fireEvent.pointerMove(canvas, { pointerId: 1, clientX: 20, clientY: 10 });
  fireEvent.pointerUp(canvas, { pointerId: 1 });
  const words = dialog.getByRole('textbox', { name: 'What the picture should show' });
  expect(words).toHaveValue('A heron at dusk');
  await app.user.clear(words);
  await app.user.type(words, 'a red hat');
  await app.user.click(start());

  await waitFor(() => expect(app.server.requestsTo(generate)).toHaveLength(1));
  expect(app.server.requestsTo(generate).map(({ body }) => body)).toMatchObject([
    {
      prompt: 'a red hat',
      seed: '',
      source: {
        generation_id: 'g1',
        mode: 'inpaint',
        strength: 0.75,
        mask_id: expect.stringMatching(/^[\w-]{20,}$/),
      },
    },
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the keyboard paints, too, and what is painted is taken back', async () => {
  const { app, dialog, canvas, start } = await openRepainting();
  const undo = () => dialog.getByRole('button', { name: 'Undo' });
  canvas.focus();

  await app.user.keyboard('{ArrowRight}{ArrowDown} ');
  expect(start()).toBeEnabled();
  await app.user.click(undo());

  expect(start()).toBeDisabled();
  expect(undo()).toBeDisabled();
});

test('when the mask cannot be sent, what is painted stays, and the next try sends it', async () => {
  const { app, dialog, canvas, start } = await openRepainting();
  canvas.focus();
  await app.user.keyboard(' ');
  app.server.refuse(uploadSource, {
    status: 503,
    body: { detail: 'The server is busy.', code: 'busy' },
  });

  await app.user.click(start());
  expect(await dialog.findByRole('alert')).toHaveTextContent('The server is busy.');
  expect(app.server.requestsTo(generate)).toHaveLength(0);
  app.server.heal(uploadSource);
  await app.user.click(start());

  await waitFor(() => expect(app.server.requestsTo(generate)).toHaveLength(1));
});

test('what is cancelled while the mask is sent is not made, and what is painted stays', async () => {
  const { app, dialog, canvas, start } = await openRepainting();
  canvas.focus();
  await app.user.keyboard(' ');
  const release = app.server.hang(uploadSource);
  await app.user.click(start());
  await waitFor(() => expect(app.server.requestsTo(uploadSource)).toHaveLength(1));

  await app.user.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Repaint a part' })).toBeNull());
  release();
  app.server.heal(uploadSource);
  const details = within(screen.getByRole('dialog', { name: 'Image details' }));
  await app.user.click(details.getByRole('button', { name: 'Repaint a part' }));

  expect(await screen.findByRole('button', { name: 'Undo' })).toBeEnabled();
  expect(app.server.requestsTo(generate)).toHaveLength(0);
});
