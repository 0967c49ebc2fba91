/** Generations of Imagine Art: the request, the result, failures, and leaving the screen meanwhile. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { readJob } from '#contract/endpoints/images';
import { saveImagine } from '#contract/endpoints/imagine';
import {
  answerWith,
  generatePictures,
  generateButton,
  openImagine,
  ratio,
  result,
  seed,
  styleMenu,
  sentRequests,
} from '#tests/imagine';
import { button, cardNames, holdBack, kept, person, prompt, region } from '#tests/providers';

const missing = 'Please fill in prompt, style, and ratio.';

describe('a generation', () => {
  test('sends every field, and shows its picture with ratio and seed', async () => {
    const app = await openImagine();
    await app.user.selectOptions(styleMenu(), 'sdxl-1.0');
    await app.user.click(ratio('4:3'));
    await app.user.type(seed(), '77');

    await generatePictures(app);

    expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
    expect(sentRequests(app)).toEqual([
      {
        prompt: 'a paper crane',
        style: 'sdxl-1.0',
        aspect_ratio: '4:3',
        seed: '77',
        job_key: expect.stringMatching(/^[\w-]{22,64}$/),
      },
    ]);
    expect(result().getByText('4:3')).toBeInTheDocument();
    expect(result().getByText('77')).toBeInTheDocument();
    expect(prompt()).toHaveValue('a paper crane');
  });

  test('is recorded as the server says that it was made', async () => {
    const app = await openImagine({ as: person });
    answerWith(app.server, {
      prompt: 'a paper crane, by lamplight',
      model_id: 4711,
      model_name: 'Lamplight XL',
      ratio: '3:2',
      nsfw: true,
      tags: ['imagine', 'lamps'],
      created_at: '2026-11-20 08:30:00',
    });

    await generatePictures(app);

    expect(await result().findByRole('img', { name: 'a paper crane, by lamplight' })).toBeVisible();
    expect(result().getByText('3:2')).toBeVisible();
    await waitFor(() =>
      expect(kept('nori_generation_history')).toMatchObject([
        {
          status: 'completed',
          prompt: 'a paper crane, by lamplight',
          modelId: '4711',
          modelName: 'Lamplight XL',
          ratio: '3:2',
          width: 1248,
          height: 832,
          nsfw: true,
          seed: '77',
          tags: ['imagine', 'lamps'],
          timestamp: Date.parse('2026-11-20T08:30:00Z'),
          remoteId: 'art-1',
        },
      ]),
    );
  });

  test('is made, too, when fields of the answer are missing or cannot be read', async () => {
    const app = await openImagine({ as: person });
    answerWith(app.server, {
      id: undefined,
      seed: null,
      ratio: '1:1000',
      nsfw: 'no',
      tags: 'imagine',
      created_at: {},
    });

    await generatePictures(app);

    expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
  });

  test('without a seed shows the seed that was used', async () => {
    const app = await openImagine();
    answerWith(app.server, { seed: 123_456 });

    await generatePictures(app);

    expect(await result().findByText('123456')).toBeInTheDocument();
    expect(sentRequests(app)).toEqual([expect.not.objectContaining({ seed: expect.anything() })]);
  });

  test('keeps the button busy until the picture is there', async () => {
    const app = await openImagine();
    const release = holdBack('/imagine-art/save');

    await generatePictures(app);

    await waitFor(() => expect(generateButton()).toHaveTextContent('Generating...'));
    expect(generateButton()).toBeDisabled();
    expect(button('Enhance')).toBeDisabled();
    await app.user.type(prompt(), '{Control>}{Enter}{/Control}');
    release();
    await waitFor(() => expect(generateButton()).toHaveTextContent('Generate Imagine Art'));
    expect(sentRequests(app)).toHaveLength(1);
  });

  test('is a placeholder at the top of the history until its picture is there', async () => {
    const app = await openImagine();
    const release = holdBack('/imagine-art/save');

    await generatePictures(app);

    await waitFor(() => expect(cardNames()).toEqual(['In progress: a paper crane']));
    expect(kept('nori_generation_history')).toMatchObject([
      { id: expect.stringMatching(/^temp-/), status: 'pending', tags: ['imagine'] },
    ]);
    release();
    await waitFor(() => expect(cardNames()).toEqual(['Image: a paper crane']));
  });

  test('is replaced by the finished picture, which is there after a reload, too', async () => {
    const app = await openImagine();

    await generatePictures(app);

    await waitFor(() => expect(cardNames()).toEqual(['Image: a paper crane']));
    expect(JSON.stringify(kept('nori_generation_history'))).not.toContain('temp-');
    await app.reload();
    await screen.findByRole('region', { name: 'Result' });
    expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
    await waitFor(() => expect(cardNames()).toEqual(['Image: a paper crane']));
  });

  test('goes on while the user is on another screen', async () => {
    const app = await openImagine();
    const release = holdBack('/imagine-art/save');
    await generatePictures(app);

    app.goTo('/credits');
    await screen.findByRole('heading', { level: 1, name: 'Models' });
    expect(screen.getByText('1 generation in progress')).toBeVisible();
    release();
    app.goTo('/models?provider=imagine-art');

    await screen.findByRole('region', { name: 'Result' });
    expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
    await waitFor(() => expect(screen.queryByText(/in progress/)).toBeNull());
  });
});

describe('what is missing', () => {
  test.each([
    ['a prompt', async () => undefined],
    [
      'a style',
      async ({ user }: Awaited<ReturnType<typeof openImagine>>) => {
        await user.type(prompt(), 'a paper crane');
        await user.selectOptions(styleMenu(), '');
      },
    ],
  ])('is said when it is %s', async (_what, prepare) => {
    const app = await openImagine();
    await prepare(app);

    await app.user.click(generateButton());

    expect(await result().findByRole('alert')).toHaveTextContent(missing);
    expect(sentRequests(app)).toEqual([]);
  });
});

describe('a failure', () => {
  test.each([
    ['a status', { status: 500 }, 'Generation failed with status: 500'],
    [
      'a status and a reason',
      { status: 402, body: { detail: 'No credit left' } },
      'Generation failed with status: 402 No credit left',
    ],
    ['an answer that makes no sense', { status: 200, body: '<html></html>' }, 'Generation failed.'],
  ])('with %s is said, and the placeholder goes', async (_what, answer, said) => {
    const app = await openImagine();
    app.server.refuse(saveImagine, answer);

    await generatePictures(app);

    expect(await result().findByRole('alert')).toHaveTextContent(said);
    expect(cardNames()).toEqual([]);
    expect(prompt()).toHaveValue('a paper crane');
    expect(generateButton()).toBeEnabled();
    expect(
      region('Imagine Art History').getByText(
        'No imagine art history found. Generate some images to see them here!',
      ),
    ).toBeVisible();
  });

  test('of the connection has its own sentence when the server does not know the generation', async () => {
    const app = await openImagine();
    app.server.drop(saveImagine);
    app.server.refuse(readJob, { status: 404 });

    await generatePictures(app);

    expect(await result().findByRole('alert')).toHaveTextContent(/Failed to fetch|Network Error/);
    expect(cardNames()).toEqual([]);
  });

  test('can be closed, and disappears with the next generation', async () => {
    const app = await openImagine();
    app.server.refuse(saveImagine, { status: 500 });
    await generatePictures(app);
    await app.user.click(
      within(await result().findByRole('alert')).getByRole('button', { name: 'Close' }),
    );
    expect(result().getByText('Your picture will appear here')).toBeVisible();

    await app.user.click(generateButton());
    await result().findByRole('alert');
    answerWith(app.server);
    await app.user.click(generateButton());

    expect(await result().findByRole('img', { name: 'a paper crane' })).toBeVisible();
    expect(result().queryByRole('alert')).toBeNull();
  });

  test('of a closed page is shown when the page is opened again', async () => {
    const app = await openImagine();
    app.server.hang(saveImagine);
    await generatePictures(app);
    await waitFor(() => expect(cardNames()).toEqual(['In progress: a paper crane']));
    app.server.refuse(readJob, {
      status: 200,
      body: { state: 'failed', detail: 'The service is closed' },
    });

    await app.reload();

    expect(
      await screen.findByText('An image could not be made: The service is closed'),
    ).toBeVisible();
    await waitFor(() => expect(cardNames()).toEqual([]));
  });
});
