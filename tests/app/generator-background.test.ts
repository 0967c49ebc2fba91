/** Generations in the background: several at once, some of which fail. */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';

import { generate, readJob } from '#contract/endpoints/images';
import { pressTwice } from '#tests/account';
import {
  field,
  fillIn,
  finished,
  generateButton,
  generatorPath,
  openGenerator,
  result,
  sentRequests,
} from '#tests/generator';

describe('several pictures', () => {
  test('can be pending at once, and are shown when the user returns to the generator', async () => {
    const app = await openGenerator();
    const release = app.server.hang(generate);
    await fillIn(app, 'first');
    await app.user.click(generateButton());
    await waitFor(() => expect(generateButton()).toBeEnabled());
    await app.user.clear(field('Prompt'));
    await app.user.type(field('Prompt'), 'second');
    await app.user.click(generateButton());
    expect(await screen.findByText('2 generations in progress')).toBeVisible();

    app.goTo('/credits');
    await screen.findByRole('heading', { level: 1, name: 'Models' });
    expect(screen.getByText('2 generations in progress')).toBeVisible();
    app.goTo(generatorPath);
    expect(await screen.findByText('Starting generation...')).toBeVisible();
    release();

    await result().findByRole('img');
    await waitFor(() => expect(screen.queryByText(/in progress/)).toBeNull());
    expect(await history().findByRole('button', { name: 'Enlarge: first' })).toBeVisible();
    expect(history().getByRole('button', { name: 'Enlarge: second' })).toBeVisible();
    expect(sentRequests(app)).toHaveLength(2);
  });

  test('are not started twice by a double press', async () => {
    const app = await openGenerator();
    const release = app.server.hang(generate);
    await fillIn(app);

    // Within a second: a later press starts another generation.
    pressTwice(generateButton());
    fireEvent.keyDown(field('Prompt'), { key: 'Enter', ctrlKey: true });
    release();

    await finished('a red fox');
    expect(sentRequests(app)).toHaveLength(1);
  });
});

describe('a failure', () => {
  test.each([
    [500, undefined, 'HTTP error! status: 500'],
    [402, 'The provider has no credit left.', 'The provider has no credit left.'],
  ])('with status %i is shown, and stored in the record', async (status, detail, said) => {
    const app = await openGenerator();
    app.server.refuse(generate, refused(status, detail));
    await fillIn(app);

    await app.user.click(generateButton());

    const alert = await result().findByRole('alert');
    expect(alert).toHaveTextContent(`HTTP error! status: ${status}`);
    expect(alert).toHaveTextContent(said);
    expect(field('Prompt')).toHaveValue('a red fox');
    expect(history().getByRole('button', { name: 'Try again' })).toBeVisible();
    expect(screen.queryByText(/in progress/)).toBeNull();
    await waitFor(() => expect(generateButton()).toBeEnabled());
  });

  test('returns the prompt to a form that was cleared meanwhile', async () => {
    const app = await openGenerator();
    const fail = hangThenRefuse(app);
    await fillIn(app);
    await app.user.click(generateButton());
    await app.user.clear(field('Prompt'));

    fail();

    await result().findByRole('alert');
    expect(field('Prompt')).toHaveValue('a red fox');
  });

  test('does not overwrite a prompt that was typed meanwhile', async () => {
    const app = await openGenerator();
    const fail = hangThenRefuse(app);
    await fillIn(app);
    await app.user.click(generateButton());
    await app.user.clear(field('Prompt'));
    await app.user.type(field('Prompt'), 'an owl');

    fail();

    await result().findByRole('alert');
    expect(field('Prompt')).toHaveValue('an owl');
  });

  test('is shown when the user returns', async () => {
    const app = await openGenerator();
    const fail = hangThenRefuse(app);
    await fillIn(app);
    await app.user.click(generateButton());

    app.goTo('/credits');
    await screen.findByRole('heading', { level: 1, name: 'Models' });
    fail();
    await waitFor(() => expect(screen.queryByText(/in progress/)).toBeNull());
    app.goTo(generatorPath);

    expect(await screen.findByRole('alert')).toHaveTextContent('HTTP error! status: 503');
  });

  test('can be closed, and disappears with the next generation', async () => {
    const app = await openGenerator();
    app.server.refuse(generate, refused(500));
    await fillIn(app);
    await app.user.click(generateButton());
    await result().findByRole('alert');
    await app.user.click(
      within(result().getByRole('alert')).getByRole('button', { name: 'Close' }),
    );
    expect(result().getByText('Generated images will appear here')).toBeVisible();

    await waitFor(() => expect(generateButton()).toBeEnabled());
    await app.user.click(generateButton());
    await result().findByRole('alert');
    app.server.heal(generate);
    await waitFor(() => expect(generateButton()).toBeEnabled());
    await app.user.click(generateButton());

    expect(await finished('a red fox')).toBeVisible();
    expect(result().queryByRole('alert')).toBeNull();
  });

  test('to reach the server is shown with its reason when the server does not know the generation', async () => {
    const app = await openGenerator();
    app.server.drop(generate);
    app.server.refuse(readJob, refused(404));
    await fillIn(app);

    await app.user.click(generateButton());

    expect(await result().findByText(/^Failed to start generation: .+/)).toBeVisible();
  });
});

/** A refusal, with or without the server's own sentence. */
const refused = (status: number, detail?: string) => ({
  status,
  body: detail === undefined ? {} : { detail },
});

const history = () => within(screen.getByRole('region', { name: 'History' }));

/** The server does not respond until the returned function makes it refuse. */
function hangThenRefuse({ server }: Awaited<ReturnType<typeof openGenerator>>): () => void {
  const pass = globalThis.fetch;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.refuse(generate, refused(503));
  vi.stubGlobal('fetch', async (input: RequestInfo | URL, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    if (url.includes('/generate')) {
      await promise;
    }
    return pass(input, init);
  });
  return resolve;
}
