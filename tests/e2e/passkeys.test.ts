/** The main task by passkey on the website, and getting back in when the passkey is lost. */
import { findSmallTargets, findViolations } from '#tests/accessibility';
import {
  expect,
  logIn,
  type Frame,
  type Nori,
  openApp,
  type Page,
  settle,
  test,
  toggle,
  typeCode,
} from '#tests/e2e';

const password = 'wide rivers carry small boats';

/** Browsers have passkeys at a domain only, so the site is opened at localhost. */
const atLocalhost = (nori: Nori): Nori => ({
  ...nori,
  origin: nori.origin.replace('127.0.0.1', 'localhost'),
});

/** A device with a fingerprint reader, whose user always agrees. Returns how it gets lost. */
async function giveAuthenticator(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return async () => {
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  };
}

const passkeys = (app: Frame) => app.getByRole('region', { name: 'Passkeys' });

async function signUp(app: Frame, nori: Nori, telegramId: number): Promise<void> {
  await app.getByRole('textbox', { name: 'Telegram User ID' }).fill(String(telegramId));
  await app.getByRole('textbox', { name: 'Email Address' }).fill('owner@example.org');
  await app.getByLabel('Password', { exact: true }).fill(password);
  await app.getByLabel('Confirm Password', { exact: true }).fill(password);
  await app.getByRole('button', { name: 'Continue' }).click();
  await expect(app.getByRole('heading', { name: 'Verify OTP' })).toBeVisible();
  await typeCode(app, nori.botApi.lastCode(telegramId));
  await app.getByRole('main').getByRole('button', { name: 'Verify OTP' }).click();
  await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
}

async function openAccount(app: Frame): Promise<void> {
  await app.getByRole('navigation').getByRole('link', { name: 'Dashboard' }).click();
  await app.getByRole('main').getByRole('link', { name: 'Account' }).click();
  await expect(app.getByRole('heading', { name: 'Your account' })).toBeVisible();
}

async function addPasskey(app: Frame, name: string): Promise<void> {
  await passkeys(app).getByRole('button', { name: 'Add a passkey' }).click();
  await passkeys(app).getByRole('textbox', { name: 'Name' }).fill(name);
}

async function logOut(app: Frame): Promise<void> {
  await app.getByRole('main').getByRole('button', { name: 'Logout' }).click();
  await app.getByRole('dialog').getByRole('button', { name: 'Logout' }).click();
  await expect(app.getByRole('dialog')).toBeHidden();
}

test('the main task by passkey: sign up, add a passkey, log in by it, block photos, delete the account', async ({
  page,
  nori,
  unique,
  expected,
}) => {
  // The browser reports the refused login after the deletion.
  expected.push(/status of 403.*\/auth\/passkeys\/login$/);
  const telegramId = unique();
  const chatId = -1_000_000_000_000 - unique();
  nori.botApi.addChat({ id: chatId, title: 'Rice lovers', creator: telegramId });
  await giveAuthenticator(page);
  const { app } = await openApp(page, atLocalhost(nori), { container: 'browser', path: '/signup' });

  await test.step('signs up with the code that the bot sends', () => signUp(app, nori, telegramId));

  await test.step('adds a passkey, confirmed by the password', async () => {
    await openAccount(app);
    await addPasskey(app, 'My phone');
    await passkeys(app).getByLabel('Password', { exact: true }).fill(password);
    await passkeys(app).getByRole('button', { name: 'Continue' }).click();
    await expect(passkeys(app).getByText('My phone was added.')).toBeVisible();
    await expect(passkeys(app).getByRole('listitem')).toHaveText(/My phone/);
  });

  await test.step('logs out, and in by the passkey, without typing anything', async () => {
    await logOut(app);
    await page.goto(`${atLocalhost(nori).origin}/login`);
    await expect(app.getByRole('button', { name: 'Log in with a passkey' })).toBeVisible();
    await settle(app);
    expect(await findViolations(page)).toEqual([]);
    await app.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  });

  await test.step('adds the chat and blocks photos', async () => {
    await app.getByRole('textbox', { name: 'Telegram Chat ID' }).fill(String(chatId));
    await app.getByRole('button', { name: 'Continue' }).click();
    await expect(app.getByText('Enter the 6-digit OTP sent to the chat owner')).toBeVisible();
    await typeCode(app, nori.botApi.lastCode(telegramId));
    await app.getByRole('button', { name: 'Continue' }).click();
    await expect(app.getByText(`ID: ${chatId}`)).toBeVisible();
    const stored = page.waitForResponse((response) => response.url().includes('/settings'));
    await toggle(app, 'photo').click();
    await expect(toggle(app, 'photo')).toBeChecked();
    expect((await stored).ok()).toBe(true);
  });

  await test.step('deletes the account by the passkey', async () => {
    await openAccount(app);
    const deletion = app.getByRole('region', { name: 'Delete account' });
    await deletion.getByRole('button', { name: 'Use a passkey' }).click();
    await app.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await expect(app.getByText('Your account is deleted.')).toBeVisible();
  });

  await test.step('the passkey that is left in the device opens nothing', async () => {
    await page.goto(`${atLocalhost(nori).origin}/login`);
    await app.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(app.getByRole('alert')).toHaveText(/This passkey is not known here/);
  });
});

test('a lost passkey is replaced by a code of the bot', async ({ page, nori, unique }) => {
  const member = await nori.member(unique());
  const lose = await giveAuthenticator(page);
  const site = atLocalhost(nori);
  const opened = await openApp(page, site, { container: 'browser', path: '/login' });
  const { app } = opened;
  await logIn(opened, member);
  await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  await openAccount(app);
  await addPasskey(app, 'Lost phone');
  await passkeys(app).getByLabel('Password', { exact: true }).fill(member.password);
  await passkeys(app).getByRole('button', { name: 'Continue' }).click();
  await expect(passkeys(app).getByText('Lost phone was added.')).toBeVisible();

  await lose();
  await giveAuthenticator(page);

  await test.step('removes the lost passkey by a code', async () => {
    await passkeys(app).getByRole('button', { name: 'Remove Lost phone' }).click();
    await passkeys(app).getByRole('button', { name: 'Send me a code' }).click();
    await expect(passkeys(app).getByText('The bot has sent you a 6-digit code')).toBeVisible();
    await settle(app);
    expect(await findViolations(page)).toEqual([]);
    expect(await findSmallTargets(app)).toEqual([]);
    await typeCode(app, nori.botApi.lastCode(member.telegramId));
    await passkeys(app).getByRole('button', { name: 'Remove passkey' }).click();
    await expect(passkeys(app).getByText('Lost phone was removed.')).toBeVisible();
  });

  await test.step('adds one of the new device, and logs in by it', async () => {
    await addPasskey(app, 'New phone');
    await passkeys(app).getByLabel('Password', { exact: true }).fill(member.password);
    await passkeys(app).getByRole('button', { name: 'Continue' }).click();
    await expect(passkeys(app).getByText('New phone was added.')).toBeVisible();
    await logOut(app);
    await page.goto(`${site.origin}/login`);
    await app.getByRole('button', { name: 'Log in with a passkey' }).click();
    await expect(app.getByRole('heading', { name: 'Add Chat to Manage' })).toBeVisible();
  });
});
