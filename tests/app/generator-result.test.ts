/** The finished picture in the generator's result. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { readModelInfo } from '#contract/endpoints/generations';
import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { generate, readJob } from '#contract/endpoints/images';
import { readCapabilities } from '#contract/endpoints/site';
import { type Network } from '#tests/app-server';
import {
  field,
  fillIn,
  finished,
  generateButton,
  openGenerator,
  ratio,
  result,
} from '#tests/generator';
import { card } from '#tests/history';
import { remembered } from '#tests/remembered';

describe('a picture', () => {
  test('says how many are before it and how long it takes, as the server knows', async () => {
    const app = await openGenerator();
    await fillIn(app);
    const release = app.server.hang(generate);
    app.server.refuse(readJob, {
      status: 200,
      body: { state: 'queued', queue_position: 3, expected_seconds: 150 },
    });

    await app.user.click(generateButton());

    expect(
      await result().findByText('2 pictures are before yours. It will take about 3 minutes.'),
    ).toBeVisible();
    app.server.heal(readJob);
    release();
    await waitFor(() => expect(result().queryByText(/before yours/)).toBeNull());
  });

  test('is made in the background, and shown with its facts', async () => {
    const app = await openGenerator();
    const release = app.server.hang(generate);
    await fillIn(app);
    await app.user.type(field('Seed'), '42');
    await app.user.click(ratio('3:2'));

    fireEvent.click(generateButton());
    await waitFor(() => {
      expect(generateButton()).toHaveTextContent('Starting Generation...');
      expect(generateButton()).toBeDisabled();
      expect(result().getByText('Starting generation...')).toBeVisible();
    });
    expect(await screen.findByText('1 generation in progress')).toBeVisible();
    release();

    const image = await finished('a red fox');
    expect(image).toHaveAttribute('src', expect.stringMatching(/^blob:/));
    expect(image).toHaveAttribute('width', '1248');
    expect(image).toHaveAttribute('height', '832');
    expect(readFacts()).toMatchObject({
      Model: '1001',
      ID: expect.stringMatching(/^\S+$/),
      Seed: '42',
      'Aspect Ratio': '3:2',
      'Made by': 'The sketch engine, offline and without AI',
    });
    expect(screen.queryByText('1 generation in progress')).toBeNull();
    expect(generateButton()).toHaveTextContent('Generate');
    expect(field('Prompt')).toHaveValue('a red fox');
  });

  test('of a model whose ID was typed shows the model’s name', async () => {
    const app = await openGenerator();
    const release = app.server.hang(readModelInfo);
    await fillIn(app, 'a red fox', '18931752268984912');

    await app.user.click(generateButton());
    await finished('a red fox');
    expect(readFacts()).toHaveProperty('Model', '18931752268984912');
    release();

    await waitFor(() => expect(readFacts()).toHaveProperty('Model', 'Tidepool XL'));
  });

  test('made without a seed shows the seed that was used', async () => {
    const app = await openGenerator();
    await fillIn(app);

    await app.user.click(generateButton());
    await finished('a red fox');

    expect(readFacts()).toHaveProperty('Seed', expect.stringMatching(/^\d+$/));
    expect(field('Seed')).toHaveValue('');
  });

  test('is named by no more than 120 characters of its prompt', async () => {
    const app = await openGenerator();
    await fillIn(app);
    const long = `a red fox ${'very '.repeat(40)}far away`;
    await app.user.clear(field('Prompt'));
    await app.user.click(field('Prompt'));
    await app.user.paste(long);

    await app.user.click(generateButton());

    expect(await finished(long.slice(0, 120).trim())).toBeVisible();
    expect(result().getByText(long)).toBeVisible();
  });

  test('can be enlarged', async () => {
    const app = await openGenerator();
    await fillIn(app);
    await app.user.click(generateButton());
    await finished('a red fox');

    await app.user.click(result().getByRole('button', { name: 'Enlarge: a red fox' }));

    const viewer = within(await screen.findByRole('dialog', { name: 'Image viewer' }));
    expect(viewer.getByText('Model: 1001')).toBeInTheDocument();
    await app.user.click(viewer.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('is downloaded under its model’s ID and the time', async () => {
    const app = await openGenerator();
    await fillIn(app);
    await app.user.click(generateButton());
    await finished('a red fox');
    const saved: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function save(
      this: HTMLAnchorElement,
    ) {
      saved.push(this.download);
    });

    await app.user.click(result().getByRole('link', { name: 'Download' }));

    await waitFor(() => expect(saved).toHaveLength(1));
    expect(saved[0]).toMatch(/^1001-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}\.(?:png|webp|jpg)$/);
  });

  test('is cleared from the result without a question, and stays in the history', async () => {
    const app = await openGenerator();
    await fillIn(app);
    await app.user.click(generateButton());
    await finished('a red fox');

    await app.user.click(result().getByRole('button', { name: 'Clear' }));

    expect(screen.queryByRole('dialog')).toBeNull();
    expect(await result().findByText('Generated images will appear here')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Result' })).toHaveFocus();
    expect(history().getByRole('button', { name: 'Enlarge: a red fox' })).toBeVisible();
    expect(
      screen.getByText('Cleared from here. The image is still in your history.'),
    ).toBeVisible();
  });

  test('is deleted after a confirmation, also from the history, and Undo restores it', async () => {
    const app = await openGenerator();
    await fillIn(app);
    await app.user.click(generateButton());
    await finished('a red fox');

    await app.user.click(result().getByRole('button', { name: 'Delete' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete Image' }));
    expect(question.getByText('Are you sure you want to delete this image?')).toBeVisible();
    await app.user.click(question.getByRole('button', { name: 'Cancel' }));
    expect(await finished('a red fox')).toBeVisible();
    await app.user.click(result().getByRole('button', { name: 'Delete' }));
    await app.user.click(
      within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }),
    );

    expect(await result().findByText('Generated images will appear here')).toBeVisible();
    expect(screen.getByRole('region', { name: 'Result' })).toHaveFocus();
    expect(history().queryByRole('button', { name: 'Enlarge: a red fox' })).toBeNull();
    await app.user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await finished('a red fox')).toBeVisible();
    expect(await history().findByRole('button', { name: 'Enlarge: a red fox' })).toBeVisible();
  });

  test('is shown again after a reload', async () => {
    const app = await openGenerator();
    await fillIn(app);
    await app.user.click(generateButton());
    await finished('a red fox');

    await app.reload();
    await screen.findByRole('region', { name: 'Result' });

    expect(await result().findByText('a red fox')).toBeVisible();
    expect(result().queryByText('Generated images will appear here')).toBeNull();
  });

  test('that no longer exists is reported as missing', async () => {
    localStorage.setItem(
      'nori_generation_history',
      JSON.stringify([
        {
          id: 'one',
          status: 'completed',
          timestamp: 1,
          modelId: '1001',
          modelName: 'Tide Pool',
          prompt: 'a lost fox',
        },
      ]),
    );

    await openGenerator();

    expect(await result().findByText(/Failed to load image/)).toHaveTextContent('Tide Pool');
  });
});

describe('a server without an image service', () => {
  /** The line of the form, and what a press on it shows. */
  async function openNotice({ user }: Awaited<ReturnType<typeof openGenerator>>) {
    const line = await screen.findByText('Pictures are drawn offline, without AI.');
    const details = line.closest('details');
    expect(details).not.toHaveAttribute('open');
    await user.click(line);
    expect(details).toHaveAttribute('open');
    return details;
  }

  test('says that pictures are drawn without AI, and tells the operator what to set', async () => {
    const app = await openGenerator();

    expect(await openNotice(app)).toHaveTextContent(/PIXAI_API_KEY or A1111_URL/);
  });

  test('names no environment variables to other users', async () => {
    vi.spyOn(window.location, 'hostname', 'get').mockReturnValue('nori.example.org');

    const app = await openGenerator();

    expect(await openNotice(app)).toHaveTextContent(
      'No image provider is connected to this server yet.',
    );
    expect(document.body).not.toHaveTextContent('PIXAI_API_KEY');
  });
});

const history = () => within(screen.getByRole('region', { name: 'History' }));

/** The facts of the result, by name. */
function readFacts(): Record<string, string> {
  return Object.fromEntries(
    result()
      .getAllByRole('term')
      .map((term) => [term.textContent, term.nextElementSibling?.textContent ?? '']),
  );
}

describe('from a picture that the server has', () => {
  const fox = { remoteId: 'g1', seed: '42', steps: 12 };
  const able = (modes: readonly string[]) => (server: Network) => {
    server.refuse(readCapabilities, { status: 200, body: { capabilities: [imageAbilities] } });
    server.refuse(readImageAbilities, { status: 200, body: { providers: { pixai: { modes } } } });
  };
  const openWith = async (modes: readonly string[], change: object = fox) => {
    localStorage.setItem('nori_generation_history', JSON.stringify([remembered(1, { ...change })]));
    return openGenerator({ onConnect: able(modes) });
  };
  const further = () => screen.queryByRole('region', { name: 'From this picture' });

  test('a variation is made, as different as the user wishes, with a new seed', async () => {
    const app = await openWith(['variation']);
    const slider = await screen.findByRole('slider', { name: 'Strength of the variation (%)' });
    expect(slider).toHaveValue('60');
    expect(screen.queryByRole('button', { name: 'Enlarge' })).toBeNull();

    fireEvent.change(slider, { target: { value: '30' } });
    await app.user.click(screen.getByRole('button', { name: 'Make a variation' }));

    await waitFor(() =>
      expect(app.server.requestsTo(generate).map(({ body }) => body)).toMatchObject([
        {
          prompt: 'A heron at dusk, number 1',
          model_id: 'model-1',
          seed: '',
          steps: 12,
          source: { generation_id: 'g1', mode: 'variation', strength: 0.3 },
        },
      ]),
    );
  });

  test('a larger one is made, with its own seed', async () => {
    const app = await openWith(['variation', 'upscale', 'something new']);

    await app.user.click(await screen.findByRole('button', { name: 'Enlarge' }));

    await waitFor(() =>
      expect(app.server.requestsTo(generate).map(({ body }) => body)).toMatchObject([
        { seed: '42', source: { generation_id: 'g1', mode: 'upscale' } },
      ]),
    );
  });

  test('one is made in its details in the history, which then close', async () => {
    const app = await openWith(['upscale']);
    await app.user.click(
      (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Info' }),
    );
    const details = within(await screen.findByRole('dialog', { name: 'Image details' }));
    expect(details.getByText('Steps')).toBeVisible();

    await app.user.click(details.getByRole('button', { name: 'Enlarge' }));

    await waitFor(() =>
      expect(app.server.requestsTo(generate).map(({ body }) => body)).toMatchObject([
        { source: { generation_id: 'g1', mode: 'upscale' } },
      ]),
    );
    expect(screen.queryByRole('dialog', { name: 'Image details' })).toBeNull();
  });

  test.each([
    ['the engine makes pictures from words alone', [], fox],
    ['only this device has the picture', ['variation', 'upscale'], {}],
    ['it is large already', ['upscale'], { ...fox, width: 2048, height: 2048 }],
  ])('nothing is offered where %s', async (_why, modes, change) => {
    await openWith(modes, change);

    expect(await result().findByRole('button', { name: 'Delete' })).toBeVisible();
    expect(further()).toBeNull();
  });
});
