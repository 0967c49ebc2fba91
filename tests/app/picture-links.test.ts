/** The links below the bot's pictures: they open the picture in its owner's history, or its recipe in the form. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { generateMidjourney } from '#contract/endpoints/midjourney';
import { dialog, historyAddress } from '#tests/history';
import { garden, readSaved, save } from '#tests/pictures';
import { renderApp, startServer } from '#tests/render-app';

const [owner, other] = [4242, 4343];

/** The owner has a picture in their account; another user has none. */
async function startWithPicture(fields: Parameters<typeof save>[2] = {}) {
  const server = await startServer();
  const token = await server.signUp(owner);
  const saved = readSaved(
    await save(server, token, { prompt: 'A heron at dusk', seed: '77', ...fields }),
  );
  return { server, token, id: saved.id };
}

/** In the app as in Telegram, by a start parameter. */
const open = (server: Awaited<ReturnType<typeof startServer>>, id: string, as = owner) => ({
  picture: () => renderApp(`${historyAddress}&picture=${id}`, { server, as }),
  remix: () => renderApp(`${historyAddress}&remix=${id}`, { server, as }),
});

const query = () => new URLSearchParams(window.location.search);

test('the owner’s picture is enlarged, and the address no longer names it', async () => {
  const { server, token, id } = await startWithPicture();
  await save(server, token, { prompt: 'Another one' });

  await renderApp(`${historyAddress}&picture=${id}`, { server, as: { telegramId: owner, token } });

  const viewer = await dialog('Image viewer');
  expect(await viewer.findByRole('img', { name: 'A heron at dusk' })).toBeVisible();
  expect(query().get('picture')).toBeNull();
});

test('a picture of another provider is found in its history', async () => {
  const { server, token } = await startWithPicture();
  await server.call(generateMidjourney, garden, { token });
  const made = await server.services.generations.list(owner, 'midjourney');

  await renderApp(`${historyAddress}&picture=${made[0]?.id}`, {
    server,
    as: { telegramId: owner, token },
  });

  await dialog('Image viewer');
  expect(query().get('provider')).toBe('midjourney');
});

test('another user is told whose it is, and sees nothing of it', async () => {
  const { server, id } = await startWithPicture();

  await open(server, id, other).picture();

  expect(
    await screen.findByText('This image is in the history of the person who made it.'),
  ).toBeVisible();
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('its recipe fills the form of anyone who has the link, and that can be undone', async () => {
  const { server, id } = await startWithPicture();

  const { user } = await open(server, id, other).remix();

  const prompt = await screen.findByRole('textbox', { name: /^Prompt/ });
  await waitFor(() => expect(prompt).toHaveValue('A heron at dusk'));
  expect(screen.getByText('Everything of this image is in the form again.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(prompt).toHaveValue('');
  expect(query().get('remix')).toBeNull();
});

test('the recipe of an adult picture is its owner’s alone', async () => {
  const { server, id } = await startWithPicture({ nsfw: 'true' });

  await open(server, id, other).remix();

  expect(await screen.findByText('This image is not there any more.')).toBeVisible();
});

test('a link that leads to nothing says so', async () => {
  const { server } = await startWithPicture();

  await open(server, 'nothing-here', other).picture();

  expect(await screen.findByText('This image is not there any more.')).toBeVisible();
});

test('a visitor is asked to log in', async () => {
  const { server, id } = await startWithPicture();

  await renderApp(`${historyAddress}&picture=${id}`, { server });

  expect(await screen.findByText('Log in to open this image.')).toBeVisible();
});
