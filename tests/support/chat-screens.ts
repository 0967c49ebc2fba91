/** States of a chat's settings: the bot's health, and what a preset would change. */
import { choose, expect, type Frame, type Page, toggle, type Screen } from './e2e.ts';

const fine = {
  bot: 'nori_test_bot',
  is_listening: true,
  is_in: true,
  may_delete: true,
  sees_all: true,
  is_forum: true,
  checked_at: 1,
};

const answerHealth =
  (answer: { readonly status?: number; readonly json: unknown }) => (page: Page) =>
    page.route('**/backend/chats/*/health', (route) => route.fulfill(answer));

/** Opens the details of the chat's state unless they are still open from an earlier check. */
async function openState(app: Frame, pill: string): Promise<void> {
  const dialog = app.getByRole('dialog', { name: 'The bot in this chat' });
  const opener = app.getByRole('button', { name: pill });
  await expect(opener.or(dialog).first()).toBeAttached();
  if (!(await dialog.isVisible())) {
    await opener.click();
  }
  await expect(dialog.getByRole('button', { name: /^Deleted messages/ })).toBeVisible();
}

const path = (chatId: number) => `/dashboard?chat=${chatId}`;

export const chatScreens: Readonly<Record<string, Screen>> = {
  'a chat where all is good': {
    isMain: true,
    isMember: true,
    path,
    prepare: answerHealth({ json: fine }),
    reach: async (app) => {
      await expect(app.getByRole('button', { name: 'All good' })).toBeVisible();
      await expect(toggle(app, 'photo')).toBeVisible();
    },
  },
  'a chat with a problem': {
    isMember: true,
    path,
    prepare: answerHealth({ json: { ...fine, may_delete: false } }),
    reach: (app) => expect(app.getByRole('button', { name: /^May not delete/ })).toBeVisible(),
  },
  'the menu of a chat': {
    isMember: true,
    path,
    prepare: answerHealth({ json: fine }),
    reach: async (app) => {
      const item = app.getByRole('menuitem', { name: 'History of changes' });
      const opener = app.getByRole('button', { name: 'Menu', exact: true });
      await expect(opener.or(item).first()).toBeAttached();
      // It may still be open from an earlier check.
      if (!(await item.isVisible())) {
        await opener.click();
      }
      await expect(item).toBeVisible();
    },
  },
  'the language of the bot in a chat': {
    isMember: true,
    path,
    prepare: (page) =>
      page.route(/\/backend\/chats\/-\d+$/, async (route) => {
        const response = await route.fetch();
        const chat: unknown = await response.json();
        const languages = ['en', 'ru', 'fa', 'hi'];
        await route.fulfill({ json: Object.assign({}, chat, { language: 'fa', languages }) });
      }),
    reach: async (app) => {
      const dialog = app.getByRole('dialog', { name: 'Language of the bot' });
      await expect(toggle(app, 'photo')).toBeVisible();
      // It may still be open from an earlier check.
      if (!(await dialog.isVisible())) {
        await choose(app, 'Language of the bot', 'Menu');
      }
      await expect(dialog.getByRole('radio', { name: 'فارسی' })).toBeChecked();
    },
  },
  'a chat that is looked after': {
    isMember: true,
    path,
    prepare: answerHealth({ json: fine }),
    reach: (app) => openState(app, 'All good'),
  },
  'a chat without its bot': {
    isMember: true,
    path,
    prepare: answerHealth({
      json: { ...fine, is_in: false, may_delete: false, sees_all: false, is_forum: false },
    }),
    reach: (app) => openState(app, 'Not in the chat: Add the bot'),
  },
  'a chat whose bot cannot be asked about': {
    isMember: true,
    path,
    prepare: answerHealth({ status: 400, json: {} }),
    reach: (app) => openState(app, 'State unknown: Try again'),
  },
  'the message types behind More': {
    isMember: true,
    path,
    reach: async (app) => {
      const more = app.getByRole('button', { name: 'More, General' });
      // It may still be open from an earlier check.
      if ((await more.getAttribute('aria-expanded')) !== 'true') {
        await more.click();
      }
      await expect(toggle(app, 'gift')).toBeVisible();
    },
  },
  'what a preset changes': {
    isMember: true,
    path,
    reach: async (app) => {
      await expect(toggle(app, 'photo')).toBeVisible();
      // The dialog may still be open from an earlier check.
      const dialog = app.getByRole('dialog', { name: 'Presets for General' });
      if (!(await dialog.isVisible())) {
        await choose(app, 'Presets, General', 'Menu, General');
      }
      await dialog.getByRole('radio', { name: 'Quiet night' }).check();
      await expect(dialog.getByText(/message types will be blocked/)).toBeVisible();
    },
  },
  'a group that can be allowed again': {
    isMember: true,
    path,
    prepare: (page) =>
      page.route('**/settings', (route) =>
        route.fulfill({
          json: {
            change: {
              change_id: '1',
              changed_at: 1,
              changed_by: { telegram_id: '1', name: 'Mika' },
              kind: 'bulk',
              preset: null,
              items: [{ topic_id: '0', setting_name: 'photo_blocked', was: false, becomes: true }],
            },
          },
        }),
      ),
    reach: async (app) => {
      await app.getByRole('button', { name: 'Block all: Media, General' }).click();
      await expect(app.getByRole('button', { name: 'Undo' })).toBeVisible();
    },
  },
};
