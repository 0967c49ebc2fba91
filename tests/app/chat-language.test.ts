/** The language that the bot writes in a group, chosen on the dashboard. */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';

import { setChatLanguage } from '#contract/endpoints/chats';
import { type Language } from '#contract/languages';
import { takeChatAway } from '#tests/chats';
import {
  type App,
  button,
  cats,
  choose,
  notice,
  openSettings,
  openShared,
  updateFailed,
} from '#tests/open-settings';
import { standInLanguages } from '#tests/stand-in-languages';

const item = 'Language of the bot';
const languages = standInLanguages('ru', 'fa', 'de');

async function openLanguages(app: Pick<App, 'user'>) {
  await choose(app, item);
  return within(await screen.findByRole('dialog', { name: item }));
}

const readStored = ({ testServer }: Pick<App, 'testServer'>) =>
  testServer.services.chats.readLanguage(cats);

const radio = (name: string) => screen.getByRole('radio', { name });

test('an owner chooses what the bot writes in the group', async () => {
  const app = await openSettings({ languages });
  const dialog = await openLanguages(app);
  expect(dialog.getAllByRole('radio').map((it) => it.closest('label')?.textContent)).toEqual([
    'English',
    'Русский',
    'فارسی',
    'Deutsch',
  ]);
  expect(dialog.getByRole('radio', { name: 'English' })).toBeChecked();

  await app.user.click(dialog.getByRole('radio', { name: 'فارسی' }));

  expect(dialog.getByRole('radio', { name: 'فارسی' })).toBeChecked();
  await waitFor(async () => expect(await readStored(app)).toBe('fa'));
  await app.user.click(dialog.getByRole('button', { name: 'Close' }));
  await app.reload();
  await screen.findByRole('switch', { name: 'photo, General' });
  await openLanguages(app);
  expect(radio('فارسی')).toBeChecked();
});

test('the choice shows before the server has answered, and the last of several counts', async () => {
  const app = await openSettings({ languages });
  const release = app.server.hang(setChatLanguage);
  const dialog = await openLanguages(app);
  await app.user.click(dialog.getByRole('radio', { name: 'Русский' }));
  await app.user.click(dialog.getByRole('radio', { name: 'Deutsch' }));

  expect(radio('Deutsch')).toBeChecked();
  expect(await readStored(app)).toBe('en');
  release();

  await waitFor(async () => expect(await readStored(app)).toBe('de'));
  expect(radio('Deutsch')).toBeChecked();
});

test('a choice that fails is taken back, with a notice', async () => {
  const app = await openSettings({ languages });
  app.server.refuse(setChatLanguage, { status: 500 });
  const dialog = await openLanguages(app);

  await app.user.click(dialog.getByRole('radio', { name: 'Русский' }));

  expect(await notice()).toHaveTextContent(updateFailed);
  await waitFor(() => expect(radio('English')).toBeChecked());
  expect(await readStored(app)).toBe('en');
});

test('who manages the group no longer is led away, and nothing changes', async () => {
  const app = await openSettings({ languages });
  const dialog = await openLanguages(app);
  await takeChatAway(app.testServer, cats);

  await app.user.click(dialog.getByRole('radio', { name: 'Русский' }));

  await waitFor(() => expect(screen.queryByRole('radio', { name: 'Русский' })).toBeNull());
  expect(await readStored(app)).toBe('en');
});

test('what another owner chooses is shown without a reload', async () => {
  const app = await openShared({ languages });
  await waitFor(() => expect(app.server.openStreams()).toBe(1));
  await openLanguages(app);
  const change = (language: Language) =>
    app.testServer.services.chatChanges.setLanguage(app.other.telegramId, cats, language);

  await change('ru');

  await waitFor(() => expect(radio('Русский')).toBeChecked());
});

test('the history names the change and who made it, and reverts it, which can be undone', async () => {
  const app = await openShared({ languages });
  await app.testServer.services.chatChanges.setLanguage(app.other.telegramId, cats, 'ru');
  await choose(app, 'History of changes');
  expect(
    await screen.findByText(/Mara/, { selector: 'strong' }).then((it) => it.parentElement),
  ).toHaveTextContent('Mara changed the language of the bot from English to Русский');

  await app.user.click(await button(/^Revert: Mara changed the language of the bot from English/));
  const question = within(await screen.findByRole('dialog', { name: 'Revert this change?' }));
  expect(question.getByText(/^The language of the bot will be English again\.$/)).toBeVisible();
  await app.user.click(question.getByRole('button', { name: 'Revert' }));

  expect(await screen.findByText('Reverted: the language of the bot is English.')).toBeVisible();
  expect(await readStored(app)).toBe('en');
  expect(
    await button(/^Revert: You changed the language of the bot from Русский to English/),
  ).toBeVisible();
  await app.user.click(await button('Undo'));
  await waitFor(async () => expect(await readStored(app)).toBe('ru'));
  await app.user.click(await button('Back to settings'));
  await openLanguages(app);
  await waitFor(() => expect(radio('Русский')).toBeChecked());
});

test('a language that was changed again since is not reverted', async () => {
  const app = await openShared({ languages });
  const { chatChanges } = app.testServer.services;
  await chatChanges.setLanguage(app.other.telegramId, cats, 'ru');
  await chatChanges.setLanguage(app.other.telegramId, cats, 'de');
  await choose(app, 'History of changes');

  await app.user.click(await button(/^Revert: .+ from English to Русский/));
  const question = within(await screen.findByRole('dialog', { name: 'Revert this change?' }));
  await app.user.click(question.getByRole('button', { name: 'Revert' }));

  expect(await screen.findByText(/^Nothing to revert: all of it was changed again/)).toBeVisible();
  expect(await readStored(app)).toBe('de');
});

test('where the bot writes English alone, there is nothing to choose', async () => {
  const app = await openSettings();
  await app.user.click(await button('Menu'));

  expect(await screen.findByRole('menuitem', { name: 'Refresh settings' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: item })).toBeNull();
});
