/** Changing the password on the page of the account. */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';

import { changePassword } from '#contract/endpoints/account';
import {
  button,
  pressTwice,
  problem,
  canLogIn,
  field,
  isAlive,
  openAccount,
  type Opened,
  rows,
} from '#tests/account';
import { goodPassword } from '#tests/test-server';

const nextPassword = 'nine patient herons';

describe('changing the password', () => {
  async function fillIn(
    { user }: Opened,
    texts: { current?: string; next?: string; confirmed?: string } = {},
  ) {
    const next = texts.next ?? nextPassword;
    await user.type(await field('Current Password'), texts.current ?? goodPassword);
    await user.type(await field('New Password'), next);
    await user.type(await field('Confirm New Password'), texts.confirmed ?? next);
  }
  const submit = ({ user }: Opened) => user.click(button('Change Password'));

  test('works, logs out everywhere else, and empties the fields', async () => {
    const app = await openAccount();
    await fillIn(app);
    await submit(app);

    expect(
      await screen.findByText('Your password is changed, and every other device is logged out.'),
    ).toBeVisible();
    for (const label of ['Current Password', 'New Password', 'Confirm New Password']) {
      expect(screen.getByLabelText(label)).toHaveValue('');
    }
    expect(await canLogIn(app, goodPassword)).toBe(false);
    expect(await canLogIn(app, nextPassword)).toBe(true);
    expect(await isAlive(app, app.elsewhere[0] ?? '')).toBe(false);
    expect(await isAlive(app, app.token)).toBe(true);
    await waitFor(async () => expect(await rows()).toHaveLength(1));
  });

  test('leaves the other devices logged in on demand', async () => {
    const app = await openAccount();
    await fillIn(app);
    await app.user.click(screen.getByRole('checkbox', { name: 'Log out everywhere else' }));
    await submit(app);

    expect(await screen.findByText('Your password is changed.')).toBeVisible();
    expect(await isAlive(app, app.elsewhere[0] ?? '')).toBe(true);
    expect(screen.getByRole('checkbox', { name: 'Log out everywhere else' })).toBeChecked();
  });

  test('needs all fields, and the same new password twice', async () => {
    const app = await openAccount();
    await field('Current Password');
    await submit(app);
    expect(await problem()).toHaveTextContent('All fields are required');
    expect(screen.getByLabelText('Current Password')).toHaveFocus();

    await fillIn(app, { confirmed: 'something else' });
    await submit(app);
    expect(await problem()).toHaveTextContent('Passwords do not match');
    expect(screen.getByLabelText('Confirm New Password')).toHaveFocus();
    expect(screen.getByLabelText('Confirm New Password')).toHaveAccessibleDescription(
      'Passwords do not match',
    );

    expect(app.server.requestsTo(changePassword)).toHaveLength(0);
  });

  test('a wrong current password is shown beside the form, and the user stays logged in', async () => {
    const app = await openAccount();
    await fillIn(app, { current: 'not my password' });
    await submit(app);

    expect(await problem()).toHaveTextContent('This is not your current password.');
    await waitFor(() => expect(screen.getByLabelText('Current Password')).toHaveFocus());
    expect(screen.getByLabelText('Current Password')).toBeInvalid();
    expect(window.location.pathname).toBe('/account');
    expect(await isAlive(app, app.elsewhere[0] ?? '')).toBe(true);
  });

  test('a password that is easy to guess is refused with the reason', async () => {
    const app = await openAccount();
    await fillIn(app, { next: 'password1' });
    await submit(app);

    await waitFor(() => expect(screen.getByLabelText('New Password')).toBeInvalid());
    expect((await problem()).textContent).toMatch(/password/i);
    expect(app.server.requestsTo(changePassword)).toHaveLength(1);
    expect(await canLogIn(app, goodPassword)).toBe(true);
  });

  test('after too many tries it says how long to wait', async () => {
    const app = await openAccount();
    app.server.refuse(changePassword, {
      status: 429,
      body: { detail: 'Too many tries.', code: 'rate_limited' },
      headers: { 'Retry-After': '90' },
    });
    await fillIn(app);
    await submit(app);

    expect(await problem()).toHaveTextContent('Too many tries. You can try again in 90 seconds.');
  });

  test('two presses are one call', async () => {
    const app = await openAccount();
    const answer = app.server.hang(changePassword);
    await fillIn(app);
    pressTwice(button('Change Password'));
    expect(await screen.findByRole('button', { name: 'Changing...' })).toBeDisabled();
    answer();

    await screen.findByText(/^Your password is changed/);
    expect(app.server.requestsTo(changePassword)).toHaveLength(1);
  });
});
