/** States of a chat's settings: the bot's health, and what a preset would change. */
import { expect, type Page, toggle, type Screen } from './e2e.ts';

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

const path = (chatId: number) => `/dashboard?chat=${chatId}`;

export const chatScreens: Readonly<Record<string, Screen>> = {
  'a chat that is looked after': {
    isMember: true,
    path,
    prepare: answerHealth({ json: fine }),
    reach: (app) => expect(app.getByText('All good: what you block is deleted.')).toBeVisible(),
  },
  'a chat without its bot': {
    isMember: true,
    path,
    prepare: answerHealth({
      json: { ...fine, is_in: false, may_delete: false, sees_all: false, is_forum: false },
    }),
    reach: (app) => expect(app.getByRole('link', { name: 'Add the bot' })).toBeVisible(),
  },
  'a chat whose bot cannot be asked about': {
    isMember: true,
    path,
    prepare: answerHealth({ status: 400, json: {} }),
    reach: (app) =>
      expect(app.getByText('The bot’s rights in this chat could not be read.')).toBeVisible(),
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
        await app.getByRole('button', { name: 'Presets, General' }).click();
      }
      await dialog.getByRole('radio', { name: 'Quiet night' }).check();
      await expect(dialog.getByText(/settings will be blocked/)).toBeVisible();
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
