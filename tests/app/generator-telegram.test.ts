/** The generator inside Telegram: the main button, the confirmation before closing, and haptics. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { generate, readJob } from '#contract/endpoints/images';
import {
  field,
  fillIn,
  finished,
  inTelegram,
  openGenerator,
  ratio,
  result,
  sentRequests,
} from '#tests/generator';
import { card, openHistory } from '#tests/history';
import { remembered } from '#tests/remembered';

type App = Awaited<ReturnType<typeof openGenerator>>;

const sentEvents = ({ bridge }: App, name: string): unknown[] =>
  (bridge?.sent ?? []).filter((event) => event.name === name).map(({ data }) => data);

const mainButton = (app: App) => sentEvents(app, 'web_app_setup_main_button').at(-1);
const closing = (app: App) => sentEvents(app, 'web_app_setup_closing_behavior').at(-1);
const haptics = (app: App) => sentEvents(app, 'web_app_trigger_haptic_feedback');

const notification = (kind: string) => ({ type: 'notification', notification_type: kind });
const impact = (style: string) => ({ type: 'impact', impact_style: style });

async function pressMainButton(app: App): Promise<void> {
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: true, is_active: true }));
  app.bridge?.emit('main_button_pressed');
}

test('the main button generates, and there is no second one', async () => {
  const app = await openGenerator(inTelegram);
  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({ text: 'Generate', is_visible: true, is_active: false }),
  );
  expect(screen.queryByRole('button', { name: 'Generate' })).toBeNull();
  const release = app.server.hang(generate);

  await fillIn(app);
  await pressMainButton(app);

  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({
      text: 'Starting Generation...',
      is_active: false,
      is_progress_visible: true,
    }),
  );
  release();
  await finished('a red fox');
  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({
      text: 'Generate',
      is_active: true,
      is_progress_visible: false,
    }),
  );
  expect(sentRequests(app)).toHaveLength(1);
});

test('the main button does nothing behind a dialog', async () => {
  const app = await openHistory([remembered(1)], inTelegram);
  await fillIn(app);
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: true, is_active: true }));

  const picture = await card('A heron at dusk, number 1');
  await app.user.click(await picture.findByRole('button', { name: /^Enlarge/ }));
  await screen.findByRole('dialog', { name: 'Image viewer' });
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: false }));
  // A press that Telegram had already sent when the dialog opened.
  app.bridge?.emit('main_button_pressed');
  app.bridge?.emit('back_button_pressed');

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: true, is_active: true }));
  expect(sentRequests(app)).toEqual([]);
});

test('closing has to be confirmed while a picture is being made', async () => {
  const app = await openGenerator(inTelegram);
  const release = app.server.hang(generate);
  await fillIn(app);

  await pressMainButton(app);
  await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: true }));
  release();

  await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: false }));
});

test('a generation gives haptic feedback when it starts and when it ends', async () => {
  const app = await openGenerator(inTelegram);
  await fillIn(app);
  const before = haptics(app).length;

  await pressMainButton(app);
  await finished('a red fox');

  expect(haptics(app).slice(before)).toEqual([impact('medium'), notification('success')]);
});

test('a failure gives haptic feedback once', async () => {
  const app = await openGenerator(inTelegram);
  app.server.refuse(generate, { status: 500 });
  await fillIn(app);
  const before = haptics(app).length;

  await pressMainButton(app);
  await result().findByRole('alert');

  expect(haptics(app).slice(before)).toEqual([impact('medium'), notification('error')]);
});

test('another aspect ratio gives haptic feedback, the same one does not', async () => {
  const app = await openGenerator(inTelegram);
  const before = haptics(app).length;

  await app.user.click(ratio('3:2'));
  await app.user.click(ratio('3:2'));

  expect(haptics(app).slice(before)).toEqual([{ type: 'selection_change' }]);
});

test('ticking a box gives haptic feedback', async () => {
  const app = await openGenerator(inTelegram);
  const before = haptics(app).length;

  await app.user.click(screen.getByRole('checkbox', { name: /NSFW/ }));

  expect(haptics(app).slice(before)).toEqual([impact('light')]);
});

test('a finished picture is announced to screen readers', async () => {
  const app = await openGenerator(inTelegram);
  const release = app.server.hang(generate);
  await fillIn(app);
  await pressMainButton(app);
  await result().findByText('Starting generation...');
  expect(screen.queryByText('The image is ready.')).toBeNull();

  release();

  expect(await result().findByText('The image is ready.')).toHaveProperty('tagName', 'OUTPUT');
});

test('Enter also says what is missing', async () => {
  const app = await openGenerator(inTelegram);
  const before = haptics(app).length;

  await app.user.type(field('Model ID'), '{Enter}');

  expect(await result().findByRole('alert')).toHaveTextContent(
    'Please specify a model ID and enter a prompt',
  );
  expect(haptics(app).slice(before)).toEqual([notification('error')]);
});

test('the main button disappears with the generator', async () => {
  const app = await openGenerator(inTelegram);
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: true }));

  app.goTo('/credits');

  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: false }));
});

test('the link to a picture is fetched before Download is pressed, as Android ignores late requests', async () => {
  const app = await openGenerator({ launch: { telegramId: 4242, kind: 'android' } });
  const job = { state: 'done', image_url: 'https://pictures.example/1.png' };
  app.server.refuse(readJob, { status: 200, body: job });
  await fillIn(app);
  await pressMainButton(app);
  const download = await result().findByRole('link', { name: 'Download' });
  await waitFor(() => expect(app.server.requestsTo(readJob)).toHaveLength(1));

  app.server.hang(readJob);
  await app.user.click(download);

  await waitFor(() =>
    expect(sentEvents(app, 'web_app_request_file_download')).toEqual([
      expect.objectContaining({ url: 'https://pictures.example/1.png' }),
    ]),
  );
  expect(app.server.requestsTo(readJob)).toHaveLength(1);
});

test('a link that could not be fetched before is fetched when Download is pressed', async () => {
  const app = await openGenerator({ launch: { telegramId: 4242, kind: 'android' } });
  app.server.drop(readJob);
  await fillIn(app);
  await pressMainButton(app);
  const download = await result().findByRole('link', { name: 'Download' });
  await waitFor(() => expect(app.server.requestsTo(readJob)).toHaveLength(1));
  const job = { state: 'done', image_url: 'https://pictures.example/1.png' };
  app.server.refuse(readJob, { status: 200, body: job });

  await app.user.click(download);

  await waitFor(() =>
    expect(sentEvents(app, 'web_app_request_file_download')).toEqual([
      expect.objectContaining({ url: 'https://pictures.example/1.png' }),
    ]),
  );
});
