/** Deleting the account on its page. */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { deleteAccount } from '#contract/endpoints/account';
import { loginWithTelegram } from '#contract/endpoints/session';
import {
  button,
  problem,
  canLogIn,
  field,
  isAlive,
  openAccount,
  type Opened,
  question,
} from '#tests/account';
import { goodPassword } from '#tests/test-server';

describe('deleting the account', () => {
  async function openQuestion({ user }: Opened, password = goodPassword) {
    await user.type(await field('Password'), password);
    await user.click(button('Delete Account'));
    return question('Delete account');
  }

  test('ends the session, and goes Home with a notice', async () => {
    const app = await openAccount();
    const dialog = await openQuestion(app);
    await app.user.click(within(dialog).getByRole('button', { name: 'Delete' }));

    expect(await screen.findByText('Your account is deleted.')).toBeVisible();
    await waitFor(() => expect(window.location.pathname).toBe('/'));
    const [login] = await screen.findAllByRole('link', { name: 'Login' });
    expect(login).toBeVisible();
    expect(localStorage.getItem('accessToken')).toBeNull();
    expect(await isAlive(app, app.token)).toBe(false);
    expect(await isAlive(app, app.elsewhere[0] ?? '')).toBe(false);
    expect(await canLogIn(app, goodPassword)).toBe(false);
    expect(screen.queryByText("You've been logged out. Please login again.")).toBeNull();
  });

  test('removes all of the user from the device before it says so: a reload at once finds no session', async () => {
    const app = await openAccount();
    const dialog = await openQuestion(app);
    let left: string[] | undefined;
    const observer = new MutationObserver(() => {
      if (screen.queryByText('Your account is deleted.')) {
        left ??= Object.keys(localStorage);
      }
    });
    observer.observe(document.body, { childList: true, subtree: true });
    await app.user.click(within(dialog).getByRole('button', { name: 'Delete' }));

    expect(await screen.findByText('Your account is deleted.')).toBeVisible();
    observer.disconnect();
    expect(left).toEqual([]);
  });

  test('names everything that is lost, before the password and in the question', async () => {
    const app = await openAccount();
    expect(
      await screen.findByText(/password, your pictures, your linked accounts, your list of chats/),
    ).toBeVisible();

    const dialog = await openQuestion(app);

    expect(dialog).toHaveTextContent('Your account, your pictures, your linked accounts');
  });

  test('needs the password and a confirmation', async () => {
    const app = await openAccount();
    await field('Password');
    await app.user.click(button('Delete Account'));
    expect(await problem()).toHaveTextContent('All fields are required');

    const dialog = await openQuestion(app);
    await app.user.click(within(dialog).getByRole('button', { name: 'Cancel' }));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(app.server.requestsTo(deleteAccount)).toHaveLength(0);
    expect(await isAlive(app, app.token)).toBe(true);
  });

  test('a wrong password deletes nothing', async () => {
    const app = await openAccount();
    const dialog = await openQuestion(app, 'not my password');
    await app.user.click(within(dialog).getByRole('button', { name: 'Delete' }));

    expect(await problem()).toHaveTextContent('This is not your current password.');
    await waitFor(() => expect(screen.getByLabelText('Password')).toHaveFocus());
    expect(await isAlive(app, app.token)).toBe(true);
  });

  test('inside Telegram the user is not signed in again automatically', async () => {
    const app = await openAccount({ launch: true });
    // Telegram says who it is.
    const remove = await screen.findByRole('button', { name: 'Delete Account' });
    await waitFor(() => expect(screen.queryByLabelText('Password')).toBeNull());
    await app.user.click(remove);
    await waitFor(() =>
      expect(app.bridge?.sent.findLast(({ name }) => name === 'web_app_open_popup')?.data).toEqual(
        expect.objectContaining({ title: 'Delete account' }),
      ),
    );
    app.bridge?.emit('popup_closed', { button_id: 'confirm' });

    await waitFor(() => expect(window.location.pathname).toBe('/'));
    expect(await screen.findByText('Your account is deleted.')).toBeVisible();
    const haptic = { type: 'notification', notification_type: 'success' };
    expect(
      app.bridge?.sent.filter(({ name }) => name === 'web_app_trigger_haptic_feedback'),
    ).toContainEqual({ name: 'web_app_trigger_haptic_feedback', data: haptic });
    const asked = app.server.requestsTo(loginWithTelegram);

    await app.reload();

    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
    expect(app.server.requestsTo(loginWithTelegram)).toHaveLength(asked.length);
  });
});
