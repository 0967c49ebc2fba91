/** The history as a visitor sees it: finished, pending and failed generations. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { generate } from '#contract/endpoints/images';
import { card, cardNames, dialog, history, openHistory } from '#tests/history';
import { remembered, rememberedMany } from '#tests/remembered';

test('is empty at first, with a hint how to begin', async () => {
  await openHistory();

  expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
  expect(history().getByRole('button', { name: 'Refresh' })).toBeEnabled();
});

test('tells visitors that pictures are only on this device', async () => {
  await openHistory(rememberedMany(1));

  expect(await history().findByText(/Only on this device\./)).toBeVisible();
  expect(history().getByRole('link', { name: 'Log in' })).toHaveAttribute('href', '/login');
});

test('lists pictures newest first, by position, and only those of its provider', async () => {
  await openHistory([remembered(2), remembered(3, { provider: 'midjourney' }), remembered(1)]);

  await card('A heron at dusk, number 1');
  expect(cardNames()).toEqual([
    'Image: A heron at dusk, number 1',
    'Image: A heron at dusk, number 2',
  ]);
  expect(history().getByRole('list', { name: 'Your images' })).toBeVisible();
  expect(history().getAllByRole('listitem')[1]).toHaveAttribute('aria-setsize', '2');
});

test('a finished picture can be enlarged, downloaded, inspected and deleted', async () => {
  await openHistory([remembered(1)]);

  const one = await card('A heron at dusk, number 1');
  await one.findByRole('button', { name: 'Enlarge: A heron at dusk, number 1' });
  expect(one.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Enlarge: A heron at dusk, number 1',
    'Favourite',
    'Download',
    'Info',
    'Delete',
  ]);
});

test('a pending one shows its prompt and the time since its start, and no buttons', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], shouldAdvanceTime: true });
  const { server, user } = await openHistory([remembered(1, { status: 'error' })]);
  const release = server.hang(generate);

  await user.click(
    (await card('A heron at dusk, number 1')).getByRole('button', { name: 'Try again' }),
  );

  const pending = await card('A heron at dusk, number 1');
  expect(await pending.findByText('In progress')).toBeVisible();
  expect(pending.getByText('A heron at dusk, number 1')).toBeVisible();
  expect(pending.queryByRole('button')).toBeNull();
  vi.advanceTimersByTime(65_000);
  expect(await pending.findByText(/^1:0\d$/)).toBeVisible();
  release();
  vi.useRealTimers();
  // Made by the real engine.
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 1']));
});

test('a failed one shows the reason, and can be retried, used again or removed', async () => {
  const { user } = await openHistory([
    remembered(1, { status: 'error', error: 'HTTP error! status: 500', imageUrl: undefined }),
  ]);
  const failed = await card('A heron at dusk, number 1');

  expect(failed.getByText('HTTP error! status: 500')).toBeVisible();
  expect(failed.getByText('A heron at dusk, number 1')).toBeVisible();
  for (const name of ['Download', 'Info', 'Delete']) {
    expect(failed.queryByRole('button', { name })).toBeNull();
  }

  await user.click(failed.getByRole('button', { name: 'Remove from history' }));
  expect(await history().findByText('No generations yet. Start creating!')).toBeVisible();
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(await card('A heron at dusk, number 1')).toBeTruthy();
});

test('one that a closed page left pending is called interrupted', async () => {
  await openHistory([remembered(1, { status: 'pending', imageUrl: undefined })]);

  const interrupted = await card('A heron at dusk, number 1');

  expect(await interrupted.findByText('Interrupted')).toBeVisible();
  expect(interrupted.getByRole('button', { name: 'Try again' })).toBeVisible();
});

test('a picture whose file is gone shows its prompt, and can be made again', async () => {
  const { server, user } = await openHistory([remembered(1, { imageUrl: undefined })]);
  const gone = await card('A heron at dusk, number 1');

  expect(await gone.findByText('This image is no longer on this device.')).toBeVisible();
  expect(gone.queryByRole('button', { name: 'Download' })).toBeNull();
  await user.click(gone.getByRole('button', { name: 'Generate again' }));

  await waitFor(() => expect(server.requestsTo(generate)).toHaveLength(1));
  expect(server.requestsTo(generate)[0]?.body).toMatchObject({
    prompt: 'A heron at dusk, number 1',
    model_id: 'model-1',
  });
});

test('the details show every known fact, and leave out unknown ones', async () => {
  const { user } = await openHistory([
    remembered(1, { modelName: '', seed: '1234567890123456789' }),
    remembered(2, {
      negativePrompt: 'blurry',
      nsfw: true,
      ratio: '16:9',
      engine: 'sketch',
      loras: [
        { id: '77', name: 'Ink wash', percentage: 70.5, unit: 'percent' },
        { id: '78', percentage: 120, unit: 'percent' },
      ],
    }),
  ]);
  const facts = async (prompt: string) => {
    await user.click((await card(prompt)).getByRole('button', { name: 'Info' }));
    const details = await dialog('Image details');
    const names = details.getAllByRole('term').map((term) => term.textContent);
    const texts = names.map(
      (name) => details.getByText(name ?? '', { selector: 'dt' }).nextElementSibling?.textContent,
    );
    await user.click(details.getByRole('button', { name: 'Close' }));
    return names.map((name, index) => [name, texts[index]]);
  };

  expect(await facts('A heron at dusk, number 1')).toEqual([
    ['Model ID', 'model-1'],
    ['Prompt', 'A heron at dusk, number 1'],
    ['Seed', '1234567890123456789'],
    ['Aspect Ratio', '1:1'],
    ['Kept', 'Only on this device'],
  ]);
  expect(await facts('A heron at dusk, number 2')).toEqual([
    ['Model ID', 'model-2'],
    ['Model Name', 'Moonrise 2'],
    ['Prompt', 'A heron at dusk, number 2'],
    ['Negative Prompt', 'blurry'],
    ['Aspect Ratio', '16:9'],
    ['LoRAs', 'Ink wash: 70.5 %\n78: 120 %'],
    ['NSFW', 'Yes'],
    ['Made by', 'The sketch engine, offline and without AI'],
    ['Kept', 'Only on this device'],
  ]);
});

test('copying is confirmed for two seconds, and so is a refusal', async () => {
  const { user } = await openHistory([remembered(1)]);
  await user.click((await card('A heron at dusk, number 1')).getByRole('button', { name: 'Info' }));
  const details = await dialog('Image details');

  await user.click(details.getByRole('button', { name: 'Copy Prompt' }));
  expect(await details.findByText('Copied!')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('A heron at dusk, number 1');
  await waitFor(() => expect(details.queryByText('Copied!')).toBeNull());

  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('refused'));
  document.execCommand = () => false;
  await user.click(details.getByRole('button', { name: 'Copy Model ID' }));
  expect(await details.findByText('Could not copy')).toBeVisible();
});

test('use again restores every parameter, and can be undone', async () => {
  localStorage.setItem('nori_form_state', JSON.stringify({ prompt: 'Typed before', ratio: '2:3' }));
  const { user } = await openHistory([
    remembered(1, {
      negativePrompt: 'blurry',
      seed: '4294967296',
      ratio: '21:9',
      nsfw: true,
      loras: [{ id: '77', name: 'Ink wash', percentage: 1.5, unit: 'percent' }],
    }),
  ]);
  const form = (): unknown => JSON.parse(localStorage.getItem('nori_form_state') ?? '{}');

  await user.click((await card('A heron at dusk, number 1')).getByRole('button', { name: 'Info' }));
  await user.click((await dialog('Image details')).getByRole('button', { name: 'Use again' }));

  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(form()).toMatchObject({
    prompt: 'A heron at dusk, number 1',
    negativePrompt: 'blurry',
    seed: 4294967296,
    ratio: '21:9',
    nsfw: true,
    modelId: 'model-1',
    loras: [{ id: '77', name: 'Ink wash', percentage: 1.5 }],
  });
  const notice = await screen.findByText('Everything of this image is in the form again.');
  await user.click(within(notice.parentElement ?? notice).getByRole('button', { name: 'Undo' }));
  expect(form()).toMatchObject({ prompt: 'Typed before', ratio: '2:3' });
});
