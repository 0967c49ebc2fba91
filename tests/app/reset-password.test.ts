/** Setting a new password without the old one: from the login by a code, and inside Telegram without. */
import { screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';

import { requestPasswordReset } from '#contract/endpoints/password-reset';
import { readCapabilities } from '#contract/endpoints/site';
import {
  boxes,
  button,
  canLogIn,
  field,
  isAlive,
  openAccount,
  type OpenApp,
  openLogin,
  person,
  pressStart,
  problem,
  shownCode,
  startHearingServer,
  typeCode,
} from '#tests/account';
import { renderApp } from '#tests/render-app';
import { goodPassword } from '#tests/test-server';

const nextPassword = 'nine patient herons';

async function openReset(options: Parameters<typeof openLogin>[0] = {}): Promise<OpenApp> {
  const app = await openLogin(options);
  await app.user.click(screen.getByRole('link', { name: 'Forgot your password?' }));
  await screen.findByRole('heading', { name: 'Set a new password' });
  return app;
}

async function requestCode({ user }: OpenApp, id = String(person)): Promise<void> {
  await user.type(await field('Telegram User ID'), id);
  await user.click(button('Send OTP'));
  await screen.findByText(`If Telegram user ${id} has an account, a 6-digit OTP is on its way.`);
}

/** The code that has reached the person. */
async function readCode({ testServer }: OpenApp): Promise<string> {
  const isReset = ({ text }: { readonly text: string }) => text.includes('set a new password');
  await waitFor(() => expect(testServer.inbox.some(isReset)).toBe(true));
  return testServer.readCode(person);
}

async function typePasswords({ user }: Pick<OpenApp, 'user'>, confirmed = nextPassword) {
  await user.type(await field('New Password'), nextPassword);
  await user.type(await field('Confirm New Password'), confirmed);
}

test('from the login by a code: the new password opens the account, and the old one does not', async () => {
  const app = await openReset();
  const elsewhere = (
    await app.testServer.services.sessions.start(person, { address: '', userAgent: undefined })
  ).token;

  await requestCode(app);
  await typeCode(app, await readCode(app));
  await typePasswords(app);
  await app.user.click(button('Set Password'));

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(
    await screen.findByText('Your new password is set, and every other device is logged out.'),
  ).toBeVisible();
  const opened = { ...app, token: '', elsewhere: [elsewhere] };
  expect(await isAlive(opened, elsewhere)).toBe(false);
  expect(await canLogIn(opened, nextPassword)).toBe(true);
  expect(await canLogIn(opened, goodPassword)).toBe(false);
});

test('an ID without an account gets the same answer, and a guessed code is refused', async () => {
  const app = await openReset();
  await requestCode(app, '999000999');

  await typeCode(app, '123456');
  await typePasswords(app);
  await app.user.click(button('Set Password'));

  expect(await problem()).toHaveTextContent(/^Invalid or expired verification code$/);
  expect(shownCode()).toBe('......');
  await waitFor(() => expect(boxes()[0]).toHaveFocus());
});

test('who sets a new password is told before what it ends and removes', async () => {
  const app = await openReset();
  await requestCode(app);

  const password = await field('New Password');
  await waitFor(() =>
    expect(password).toHaveAccessibleDescription(
      /Every device has to log in again with the new password\. Your passkeys are removed\.$/,
    ),
  );
});

test('an incomplete code and different passwords are not sent', async () => {
  const app = await openReset();
  await requestCode(app);

  await typeCode(app, '123');
  await typePasswords(app);
  await app.user.click(button('Set Password'));
  expect(await problem()).toHaveTextContent('Please enter the complete 6-digit OTP');

  await app.user.click(boxes()[3] ?? document.body);
  await app.user.keyboard('456');
  await app.user.type(await field('Confirm New Password'), '!');
  await app.user.click(button('Set Password'));
  expect(await problem()).toHaveTextContent('Passwords do not match');
});

test('a code that is asked for again too soon is refused in words', async () => {
  const app = await openReset();
  await requestCode(app);

  await app.user.click(button('Use another ID'));
  await app.user.type(await field('Telegram User ID'), String(person));
  await app.user.click(button('Send OTP'));

  expect(await problem()).toHaveTextContent(/^Please wait .+ before asking for another code\.$/);
  expect(app.server.requestsTo(requestPasswordReset)).toHaveLength(2);
});

test('when the codes are used up, the link to the bot has it send one', async () => {
  vi.stubEnv('VITE_BOT_USERNAME', 'nori_test_bot');
  const server = await startHearingServer();
  const app = await openReset({ server });
  await server.call(requestPasswordReset, { telegram_id: String(person) });
  await readCode(app);

  await app.user.type(await field('Telegram User ID'), String(person));
  await app.user.click(button('Send OTP'));
  await screen.findByText(
    `Open the bot as Telegram user ${person} and press Start. It sends you a 6-digit OTP.`,
  );
  const link = await screen.findByRole<HTMLAnchorElement>('link', { name: 'Open the bot' });
  await waitFor(() => expect(link.href).toMatch(/\?start=reset_[\w-]{43}$/));
  await pressStart(server, person, link.href);
  await typeCode(app, server.readCode(person));
  await typePasswords(app);
  await app.user.click(button('Set Password'));

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  vi.unstubAllEnvs();
});

test('inside Telegram no code is needed, and every other device is logged out', async () => {
  const app = await openAccount({ launch: true });
  await app.user.click(await screen.findByRole('link', { name: 'Set a new password' }));
  await screen.findByText(/^Telegram confirms that it is you/);

  await typePasswords(app);
  await app.user.keyboard('{Enter}');

  await waitFor(() => expect(window.location.pathname).toBe('/dashboard'));
  expect(await isAlive(app, app.elsewhere[0] ?? '')).toBe(false);
  expect(await isAlive(app, app.token)).toBe(false);
  expect(await canLogIn(app, nextPassword)).toBe(true);
});

test('the page of an account without a password leads to setting one', async () => {
  const app = await openLogin();
  await app.testServer.db
    .updateTable('people')
    .set({ password_hash: app.testServer.deps.hasher.unmatchableHash })
    .execute();
  const token = (
    await app.testServer.services.sessions.start(person, { address: '', userAgent: undefined })
  ).token;

  await renderApp('/account', { server: app.testServer, as: { telegramId: person, token } });

  expect(await screen.findByText('Your account has no password yet.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Set a new password' })).toHaveAttribute(
    'href',
    '/reset-password',
  );
  expect(screen.queryByLabelText('Current Password')).toBeNull();
});

test('a server that cannot do it says so', async () => {
  const app = await openLogin();
  app.server.refuse(readCapabilities, { status: 404, body: {} });
  await app.user.click(screen.getByRole('link', { name: 'Forgot your password?' }));

  expect(await screen.findByText('This server cannot set a new password.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to the login' })).toBeVisible();
});
