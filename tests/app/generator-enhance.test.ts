/** The button that has the server rewrite the prompt. */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { readModelInfo } from '#contract/endpoints/generations';
import { generate } from '#contract/endpoints/images';
import { enhancePrompt } from '#contract/endpoints/prompts';
import {
  addLora,
  button,
  field,
  fillIn,
  finished,
  generateButton,
  openGenerator,
} from '#tests/generator';

const enhance = () => button(/^Enhanc(?:e|ing\.\.\.)$/);
const rewritten = 'a red fox in tall grass, golden hour';
const answer = (prompt: string) => ({ status: 200, body: { prompt, engine: 'some-model' } });

test('a blank prompt cannot be enhanced', async () => {
  const { user } = await openGenerator();

  expect(enhance()).toBeDisabled();
  await user.type(field('Prompt'), '   ');
  expect(enhance()).toBeDisabled();
  await user.type(field('Prompt'), 'fox');

  expect(enhance()).toBeEnabled();
});

test('the trimmed answer replaces the prompt, and can be undone', async () => {
  const { user, server } = await openGenerator();
  server.refuse(enhancePrompt, answer(`  ${rewritten}\n`));
  await user.type(field('Prompt'), ' a red fox ');

  await user.click(enhance());

  expect(await screen.findByText('Prompt enhanced.')).toBeVisible();
  expect(field('Prompt')).toHaveValue(rewritten);
  expect(server.requestsTo(enhancePrompt)[0]?.body).toEqual({ userPrompt: 'a red fox' });
  await user.click(button('Undo'));
  expect(field('Prompt')).toHaveValue(' a red fox ');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(document.activeElement).not.toBe(document.body);
});

test('without a language model the server rewrites offline, and the page says so', async () => {
  const { user } = await openGenerator();
  await user.type(field('Prompt'), 'a red fox');

  await user.click(enhance());

  expect(await screen.findByText('Rewritten offline, without AI.')).toBeVisible();
  expect(field('Prompt')).not.toHaveValue('a red fox');
});

test('undoing is offered until the prompt is edited', async () => {
  const { user, server } = await openGenerator();
  server.refuse(enhancePrompt, answer(rewritten));
  await user.type(field('Prompt'), 'a red fox');
  await user.click(enhance());
  await screen.findByRole('button', { name: 'Undo' });

  await user.type(field('Prompt'), '!');

  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  expect(field('Prompt')).toHaveValue(`${rewritten}!`);
});

test('undoing is offered for 30 seconds', async () => {
  const { user, server } = await openGenerator();
  server.refuse(enhancePrompt, answer(rewritten));
  await user.type(field('Prompt'), 'a red fox');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
  try {
    await user.click(enhance());
    await screen.findByRole('button', { name: 'Undo' });

    await vi.advanceTimersByTimeAsync(28_000);
    expect(button('Undo')).toBeVisible();
    await vi.advanceTimersByTimeAsync(2000);

    await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull());
    expect(field('Prompt')).toHaveValue(rewritten);
  } finally {
    vi.useRealTimers();
  }
});

test('one rewriting at a time', async () => {
  const { user, server } = await openGenerator();
  const release = server.hang(enhancePrompt);
  await user.type(field('Prompt'), 'a red fox');

  await user.click(enhance());
  expect(await screen.findByRole('button', { name: 'Enhancing...' })).toBeDisabled();
  release();

  await screen.findByRole('button', { name: 'Undo' });
  expect(enhance()).toBeEnabled();
  expect(server.requestsTo(enhancePrompt)).toHaveLength(1);
});

test('not while a generation is being started', async () => {
  const app = await openGenerator();
  const release = app.server.hang(generate);
  await fillIn(app);

  fireEvent.click(generateButton());
  await waitFor(() => expect(enhance()).toBeDisabled());
  release();

  await finished('a red fox');
  await waitFor(() => expect(enhance()).toBeEnabled());
});

test('not as long as a picture is being made, also when the next one could be started', async () => {
  const app = await openGenerator();
  const release = app.server.hang(generate);
  await fillIn(app);

  fireEvent.click(generateButton());
  await waitFor(() => expect(generateButton()).toBeDisabled());
  await waitFor(() => expect(generateButton()).toBeEnabled());
  expect(enhance()).toBeDisabled();
  release();

  await finished('a red fox');
  await waitFor(() => expect(enhance()).toBeEnabled());
});

test('text typed meanwhile is not overwritten', async () => {
  const { user, server } = await openGenerator();
  server.refuse(enhancePrompt, answer(rewritten));
  const release = server.hang(enhancePrompt);
  await user.type(field('Prompt'), 'a red fox');
  await user.click(enhance());

  await user.type(field('Prompt'), ' runs');
  release();

  await waitFor(() => expect(enhance()).toBeEnabled());
  expect(field('Prompt')).toHaveValue('a red fox runs');
});

test.each([
  ['a refusal', { status: 503, body: { detail: 'busy' } }],
  ['an answer of a wrong shape', { status: 200, body: { text: 'hi' } }],
  ['an empty answer', { status: 200, body: { prompt: '  ' } }],
])('after %s the prompt stays, and the failure is logged', async (_, refusal) => {
  const logged = vi.spyOn(console, 'info').mockImplementation(() => undefined);
  const { user, server } = await openGenerator();
  server.refuse(enhancePrompt, refusal);
  await user.type(field('Prompt'), 'a red fox');

  await user.click(enhance());

  expect(await screen.findByText('Failed to enhance prompt')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(field('Prompt')).toHaveValue('a red fox');
  expect(logged).toHaveBeenCalledExactlyOnceWith('Failed to enhance prompt', expect.any(String));
  await user.type(field('Prompt'), '!');
  expect(screen.queryByText('Failed to enhance prompt')).toBeNull();
});

test('trigger words of the LoRAs are protected', async () => {
  const app = await openGenerator();
  app.server.refuse(readModelInfo, {
    status: 200,
    body: { name: 'Glow', type: 'LORA', trigger_words: ['glow style', 'neon'] },
  });
  await fillIn(app, 'a fox, glow style');
  await addLora(app, '2001');
  await screen.findByRole('button', { name: 'glow style', pressed: true });

  await app.user.click(enhance());

  await screen.findByRole('button', { name: 'Undo' });
  expect(app.server.requestsTo(enhancePrompt)[0]?.body).toEqual({
    userPrompt: 'a fox, glow style',
    protect: ['glow style'],
  });
});
