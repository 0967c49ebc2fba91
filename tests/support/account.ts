/** Logging in and signing up as a person does it, for tests that begin there or behind it. */
import { fireEvent, screen, within } from '@testing-library/react';

import { renderApp, startServer } from './render-app.ts';
import { goodPassword } from './test-server.ts';

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
  code = testServer.codeOf(newcomer),
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
