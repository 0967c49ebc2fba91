/** MidJourney: the prompt, and the pictures made from it. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { readJob } from '#contract/endpoints/images';
import { generateMidjourney } from '#contract/endpoints/midjourney';
import { enhancePrompt } from '#contract/endpoints/prompts';
import {
  answerWith,
  generatePictures,
  generateButton,
  keptPrompt,
  made,
  openMidjourney,
  rememberedGrid,
  result,
  sentRequests,
} from '#tests/midjourney';
import {
  button,
  cardNames,
  closing,
  haptics,
  holdBack,
  inTelegram,
  kept,
  mainButton,
  prompt,
} from '#tests/providers';

describe('the prompt', () => {
  test('is kept as it is typed, and is there after a reload', async () => {
    const app = await openMidjourney();

    await app.user.type(prompt(), 'a paper crane');
    expect(keptPrompt()).toBe('a paper crane');
    await app.reload();

    expect(await screen.findByDisplayValue('a paper crane')).toBe(prompt());
  });

  test('must not be empty: the button waits for one, and Enter says so', async () => {
    const app = await openMidjourney();
    expect(generateButton()).toBeDisabled();

    await app.user.type(prompt(), '   {Control>}{Enter}{/Control}');

    expect(generateButton()).toBeDisabled();
    expect(await result().findByRole('alert')).toHaveTextContent('Please enter a prompt');
    expect(sentRequests(app)).toEqual([]);
  });

  test('can be enhanced, but not while pictures are made', async () => {
    const app = await openMidjourney();
    app.server.refuse(enhancePrompt, { status: 200, body: { prompt: 'a crane at dawn' } });
    await app.user.type(prompt(), 'a paper crane');

    await app.user.click(button('Enhance'));
    await waitFor(() => expect(prompt()).toHaveValue('a crane at dawn'));

    const release = holdBack('/midjourney/generate');
    await app.user.click(generateButton());
    await waitFor(() => expect(button('Enhance')).toBeDisabled());
    release();
  });

  test('is counted and not sent when it is too long', async () => {
    const app = await openMidjourney();
    await app.user.click(prompt());
    await app.user.paste('a'.repeat(4001));

    expect(screen.getByText(/At most 4000 characters: 4,001 \/ 4,000/)).toBeVisible();
    expect(generateButton()).toBeDisabled();
  });
});

describe('pictures', () => {
  test('are all shown, the prompt is cleared, and the history has them', async () => {
    const app = await openMidjourney();
    expect(result().getByText(/Each prompt gives you several images/)).toBeVisible();

    await generatePictures(app);

    await waitFor(() => expect(made()).toHaveLength(4));
    expect(made().map((image) => image.getAttribute('aria-label'))).toEqual([
      'Enlarge: Image 1',
      'Enlarge: Image 2',
      'Enlarge: Image 3',
      'Enlarge: Image 4',
    ]);
    expect(sentRequests(app)).toEqual([
      { prompt: 'a paper crane', job_key: expect.stringMatching(/^[\w-]{22,64}$/) },
    ]);
    expect(prompt()).toHaveValue('');
    expect(keptPrompt()).toBeNull();
    expect(cardNames()).toEqual(['Image: a paper crane']);
  });

  test('a single one is not in a grid', async () => {
    const app = await openMidjourney();
    answerWith(app.server, { s3_urls: ['/icon-512.png'] });

    await generatePictures(app);

    await waitFor(() => expect(made()).toHaveLength(1));
    expect(made()[0]).toHaveAccessibleName('Enlarge: a paper crane');
    expect(screen.queryByRole('button', { name: /^All / })).toBeNull();
  });

  test('are enlarged by a click, one beside the other', async () => {
    const app = await openMidjourney();
    await generatePictures(app);
    await waitFor(() => expect(made()).toHaveLength(4));

    await app.user.click(made()[1]!);

    const viewer = within(await screen.findByRole('dialog', { name: 'Image viewer' }));
    expect(viewer.getByText('2 of 4')).toBeVisible();
    await app.user.click(viewer.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  });

  test('replace the earlier result, which is cleared at once', async () => {
    const app = await openMidjourney({ rows: [rememberedGrid(1)] });
    await waitFor(() => expect(made()).toHaveLength(4));
    const release = holdBack('/midjourney/generate');

    await generatePictures(app);

    await waitFor(() => expect(made()).toHaveLength(0));
    expect(result().getByText('Generating...')).toBeVisible();
    expect(generateButton()).toBeDisabled();
    expect(cardNames()[0]).toBe('In progress: a paper crane');
    release();
    await waitFor(() => expect(made()).toHaveLength(4));
  });

  test('do not clear a prompt that was typed meanwhile', async () => {
    const app = await openMidjourney();
    const release = holdBack('/midjourney/generate');
    await generatePictures(app);
    await app.user.clear(prompt());
    await app.user.type(prompt(), 'an owl');

    release();

    await waitFor(() => expect(made()).toHaveLength(4));
    expect(prompt()).toHaveValue('an owl');
  });

  test('are there after a reload', async () => {
    const app = await openMidjourney();
    await generatePictures(app);
    await waitFor(() => expect(made()).toHaveLength(4));

    await app.reload();

    await screen.findByRole('region', { name: 'Generated Images' });
    await waitFor(() => expect(made()).toHaveLength(4));
    expect(kept('nori_generation_history')).toHaveLength(1);
  });

  test('whose bytes cannot be fetched are shown by the server’s links', async () => {
    const app = await openMidjourney();
    answerWith(app.server, { s3_urls: ['/icon-512.png?a', '/icon-512.png?b'] });

    await generatePictures(app);

    await waitFor(() => expect(made()).toHaveLength(2));
    expect(made().map((image) => image.querySelector('img')?.getAttribute('src'))).toEqual([
      '/icon-512.png?a',
      '/icon-512.png?b',
    ]);
  });
});

describe('a failure', () => {
  test.each([
    ['the server’s reason', { status: 422, body: { detail: 'A banned word' } }, 'A banned word'],
    ['a status alone', { status: 500 }, 'Failed to generate image'],
    [
      'an answer without pictures',
      { status: 200, body: { s3_urls: [] } },
      'Failed to generate image',
    ],
  ])('is told with %s; the prompt stays', async (_what, answer, said) => {
    const app = await openMidjourney();
    app.server.refuse(generateMidjourney, answer);

    await generatePictures(app);

    expect(await result().findByRole('alert')).toHaveTextContent(said);
    expect(prompt()).toHaveValue('a paper crane');
    expect(cardNames()).toEqual([]);
    expect(generateButton()).toBeEnabled();
  });

  test('of the connection is shown when the server does not know the generation', async () => {
    const app = await openMidjourney();
    app.server.drop(generateMidjourney);
    app.server.refuse(readJob, { status: 404 });

    await generatePictures(app);

    expect(await result().findByRole('alert')).toHaveTextContent('Failed to generate image');
  });

  test('restores a prompt that was cleared meanwhile', async () => {
    const app = await openMidjourney();
    app.server.refuse(generateMidjourney, { status: 500 });
    const release = holdBack('/midjourney/generate');
    await generatePictures(app);
    await app.user.clear(prompt());

    release();

    await result().findByRole('alert');
    expect(prompt()).toHaveValue('a paper crane');
  });
});

describe('in Telegram', () => {
  test('the main button generates with haptic feedback, and closing has to be confirmed meanwhile', async () => {
    const app = await openMidjourney(inTelegram);
    await waitFor(() =>
      expect(mainButton(app)).toMatchObject({
        text: 'Generate',
        is_visible: true,
        is_active: false,
      }),
    );
    expect(screen.queryByRole('button', { name: 'Generate' })).toBeNull();
    await app.user.type(prompt(), 'a paper crane');
    await waitFor(() => expect(mainButton(app)).toMatchObject({ is_active: true }));
    const release = holdBack('/midjourney/generate');
    const before = haptics(app).length;

    app.bridge?.emit('main_button_pressed');

    await waitFor(() =>
      expect(mainButton(app)).toMatchObject({
        text: 'Generating...',
        is_active: false,
        is_progress_visible: true,
      }),
    );
    await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: true }));
    release();
    await waitFor(() => expect(made()).toHaveLength(4));
    await waitFor(() => expect(closing(app)).toEqual({ need_confirmation: false }));
    expect(haptics(app).slice(before)).toEqual([
      { type: 'impact', impact_style: 'medium' },
      { type: 'notification', notification_type: 'success' },
    ]);
  });
});
