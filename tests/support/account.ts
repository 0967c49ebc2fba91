/** Logging in, signing up and the account page, as a user does it. */
import { fireEvent, screen, within } from '@testing-library/react';
import * as v from 'valibot';

import { login, readMe } from '#contract/endpoints/session';
import { limits } from '#server/lib/limits';
import { readStartParam } from '#services/accounts';

import { renderApp, startServer } from './render-app.ts';
import { goodPassword, type TestServer } from './test-server.ts';

/** Someone who has an account. */
export const person = 123456789;
/** Someone who has none. */
export const newcomer = 555000111;

export type OpenApp = Awaited<ReturnType<typeof renderApp>>;

type Typed = {
  readonly id?: string;
  readonly email?: string;
  readonly password?: string;
  readonly confirmed?: string;
};

/** The signup screen, at its first step. */
export async function openSignup(options: Parameters<typeof renderApp>[1] = {}): Promise<OpenApp> {
  const app = await renderApp('/signup', options);
  await screen.findByRole('heading', { name: 'Create Account' });
  return app;
}

/** Fills the four fields in; an empty text leaves a field as it is. */
export async function fillInSignup({ user }: OpenApp, typed: Typed = {}): Promise<void> {
  const password = typed.password ?? goodPassword;
  const texts = {
    'Telegram User ID': typed.id ?? String(newcomer),
    'Email Address': typed.email ?? 'mika@example.org',
    Password: password,
    'Confirm Password': typed.confirmed ?? password,
  };
  for (const [label, text] of Object.entries(texts)) {
    const field = screen.getByLabelText<HTMLInputElement>(label);
    if (text !== '' && !field.readOnly) {
      await user.clear(field);
      await user.type(field, text);
    }
  }
}

/** The signup screen at its second step: the code is on its way. */
export async function openVerification(
  options: Parameters<typeof renderApp>[1] = {},
): Promise<OpenApp> {
  const app = await openSignup(options);
  await fillInSignup(app);
  await app.user.click(screen.getByRole('button', { name: 'Continue' }));
  await screen.findByRole('heading', { name: 'Verify OTP' });
  return app;
}

/** The six boxes of the code, in order. */
export function boxes(): HTMLInputElement[] {
  return [1, 2, 3, 4, 5, 6].map((position) =>
    screen.getByLabelText<HTMLInputElement>(`Digit ${position} of 6`),
  );
}

/** What stands in the boxes; a dot where one is empty. */
export function shownCode(): string {
  return boxes()
    .map(({ value }) => (value === '' ? '.' : value))
    .join('');
}

export const idField = () => screen.getByLabelText('Telegram User ID');
export const passwordField = () => screen.getByLabelText('Password');
export const logInButton = () =>
  screen.getByRole('button', { name: /^(Log In|Logging in\.\.\.)$/ });
/** The one message of a form. */
export const problem = () => screen.findByRole('alert');
export const log = () => screen.getByRole('log', { name: 'Authentication Log' });

/** The login screen, on a server that knows `person`. */
export async function openLogin(options: Parameters<typeof renderApp>[1] = {}): Promise<OpenApp> {
  const testServer = options.server ?? (await startServer());
  await testServer.signUp(person);
  const app = await renderApp('/login', { ...options, server: testServer });
  await screen.findByRole('heading', { name: 'Log in' });
  return app;
}

/** Fills both fields in. */
export async function fillInLogin(
  { user }: OpenApp,
  { id = String(person), password = goodPassword } = {},
): Promise<void> {
  await user.type(idField(), id);
  await user.type(passwordField(), password);
}

/** Types a code into the boxes; without one, the code that reached `newcomer`. */
export async function typeCode(
  { user, testServer }: OpenApp,
  code = testServer.readCode(newcomer),
): Promise<void> {
  const [first] = boxes();
  await (first && user.click(first));
  await user.keyboard(code);
}

export const button = (name: string) => screen.getByRole('button', { name });
/** The screen without the frame around it, which has links of the same names. */
export const main = () => within(screen.getByRole('main'));
/** What a proxy answers when the server behind it is gone. */
export const htmlPage = { status: 502, body: '<html><h1>502 Bad Gateway</h1></html>' };

/** Two presses before the page could draw anything in between. */
export function pressTwice(target: HTMLElement): void {
  fireEvent.click(target);
  fireEvent.click(target);
}

const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1';

/** The page of a person who is also logged in elsewhere, as often as asked for. */
export async function openAccount({ others = 1, launch = false } = {}) {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  const elsewhere: string[] = [];
  for (let index = 0; index < others; index += 1) {
    const { body } = await testServer.call(
      login,
      { telegram_id: String(person), password: goodPassword },
      { headers: { 'User-Agent': iPhone } },
    );
    elsewhere.push(v.parse(login.output, body).access_token);
  }
  const app = await renderApp('/account', {
    server: testServer,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person } } : {}),
  });
  await screen.findByRole('heading', { name: 'Your account' });
  return { ...app, token, elsewhere };
}

export type Opened = Awaited<ReturnType<typeof openAccount>>;

const sessions = () => screen.findByRole('list', { name: 'Your sessions' });
export const rows = async () => within(await sessions()).getAllByRole('listitem');
export const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
export const question = (name: string) => screen.findByRole('dialog', { name });

/** Whether the server still knows a session. */
export async function isAlive({ testServer }: Opened, token: string): Promise<boolean> {
  return (await testServer.call(readMe, {}, { token })).status === 200;
}

export async function canLogIn({ testServer }: Opened, password: string): Promise<boolean> {
  return (await testServer.call(login, { telegram_id: String(person), password })).status === 200;
}

/** Strangers have tried as many wrong passwords for `person` as are possible in a day. */
export async function tryWrongPasswords({ services: { limiter } }: TestServer): Promise<void> {
  for (let count = 1; count <= limits.wrongPasswordsPerDay.max; count += 1) {
    await limiter.take(limits.wrongPasswordsPerDay, person);
  }
}

/** What the bot does when this user opens it by a link and presses Start. */
export async function pressStart(
  { services }: TestServer,
  telegramId: number,
  href: string,
): Promise<void> {
  const named = readStartParam(new URL(href).searchParams.get('start') ?? '');
  const service = named?.kind === 'reset' ? services.passwordResets : services.registrations;
  await service.sendByStart(telegramId, named?.attemptHash ?? '', 'en');
}

/** A server whose bot hears Start, as far as the page can tell. */
export const startHearingServer = () =>
  startServer({ variables: { BOT_TOKEN: '123456:token-of-tests', BOT_MODE: 'polling' } });
