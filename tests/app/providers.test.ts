/** All four providers: each has its own draft, history and result. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';

import { listKusaStyles } from '#contract/endpoints/kusa';
import { openHub, tab } from '#tests/hub';
import { keptForm as imagineForm, rememberedArt, styleMenu } from '#tests/imagine';
import { rememberedGrid } from '#tests/midjourney';
import { cardNames, inTelegram, mainButton, openProvider, prompt } from '#tests/providers';
import { remembered } from '#tests/remembered';

type App = Awaited<ReturnType<typeof openHub>>;

/** Goes to a provider's tab, and waits for its prompt. */
async function goTo({ user }: Pick<App, 'user'>, name: string): Promise<void> {
  await user.click(tab(name));
  await screen.findByRole('tab', { name, selected: true });
  await screen.findByRole('textbox', { name: 'Prompt' });
}

async function typeDrafts(app: App): Promise<void> {
  await screen.findByRole('form', { name: 'Generator' });
  await app.user.type(prompt(), 'for Pix-AI');
  await goTo(app, 'Imagine Art');
  await app.user.type(prompt(), 'for Imagine Art');
  await app.user.selectOptions(styleMenu(), 'realistic');
  await goTo(app, 'MidJourney');
  await app.user.type(prompt(), 'for MidJourney');
}

async function expectDrafts(app: App): Promise<void> {
  await goTo(app, 'Pix-AI');
  expect(prompt()).toHaveValue('for Pix-AI');
  await goTo(app, 'Imagine Art');
  expect(prompt()).toHaveValue('for Imagine Art');
  expect(styleMenu()).toHaveValue('realistic');
  await goTo(app, 'MidJourney');
  expect(prompt()).toHaveValue('for MidJourney');
}

test('a provider’s draft is kept while other providers are open, and after a reload', async () => {
  const app = await openHub();
  app.server.refuse(listKusaStyles, { status: 200, body: { styles: { styles: [] } } });
  await typeDrafts(app);
  await app.user.click(tab('Kusa'));
  await screen.findByText('No styles available.');

  await expectDrafts(app);
  await app.reload();
  expect(await screen.findByRole('tab', { name: 'MidJourney', selected: true })).toBeVisible();
  await expectDrafts(app);
});

test('shows changes of another tab', async () => {
  await openProvider('imagine-art');
  const said = JSON.stringify({ prompt: 'typed elsewhere', style: 'flux-dev' });

  localStorage.setItem(imagineForm, said);
  window.dispatchEvent(new StorageEvent('storage', { key: imagineForm, newValue: said }));

  await waitFor(() => expect(prompt()).toHaveValue('typed elsewhere'));
  expect(styleMenu()).toHaveValue('flux-dev');
});

test('logging out removes every draft and every history', async () => {
  const app = await openHub('', { as: 4242 });
  await typeDrafts(app);
  expect(localStorage.getItem('nori_midjourney_prompt')).not.toBeNull();

  await app.user.click(screen.getByRole('button', { name: 'Logout' }));
  const confirm = await screen.findByRole('dialog');
  await app.user.click(
    [...confirm.querySelectorAll('button')].find(({ textContent }) => textContent === 'Logout')!,
  );

  await waitFor(() => expect(localStorage.getItem('accessToken')).toBeNull());
  expect(Object.keys(localStorage).filter((key) => /^(?:nori|pixai)_/.test(key))).toEqual([]);
});

test('each history has the pictures of its own provider', async () => {
  const rows = [remembered(1), rememberedArt(2), rememberedGrid(3)];
  const app = await openProvider('midjourney', { rows });

  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 3']));
  await goTo(app, 'Imagine Art');
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 2']));
  await goTo(app, 'Pix-AI');
  await waitFor(() => expect(cardNames()).toEqual(['Image: A heron at dusk, number 1']));
});

test('in Telegram the main button is that of the provider that is open, and Kusa has none', async () => {
  const app = await openProvider('imagine-art', inTelegram);
  app.server.refuse(listKusaStyles, { status: 200, body: { styles: { styles: [] } } });
  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({ text: 'Generate Imagine Art', is_visible: true }),
  );

  await goTo(app, 'MidJourney');
  await waitFor(() =>
    expect(mainButton(app)).toMatchObject({ text: 'Generate', is_visible: true }),
  );
  await app.user.click(tab('Kusa'));
  await waitFor(() => expect(mainButton(app)).toMatchObject({ is_visible: false }));
});
