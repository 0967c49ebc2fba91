/** Logging in, signing up, and the page of the account. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// The titles stand here and not in texts.ts: every page loads this file, and few need the other texts.
export const accountRoutes = [
  {
    path: paths.login,
    access: 'guest',
    title: 'Log in',
    description: import.meta.env.SSR
      ? 'Log in to manage what is allowed in your Telegram chats.'
      : '',
    // The last line of the Authentication Log can be read.
    lingerMs: 500,
    load: () => import('./login-screen.tsx').then((screen) => screen.LoginScreen),
  },
  {
    path: paths.signup,
    access: 'guest',
    title: 'Sign up',
    description: import.meta.env.SSR
      ? 'Create an account with your Telegram user ID and a one-time password.'
      : '',
    load: () => import('./signup-screen.tsx').then((screen) => screen.SignupScreen),
  },
  {
    path: paths.reset,
    access: 'public',
    title: 'Set a new password',
    load: () => import('./reset-screen.tsx').then((screen) => screen.ResetScreen),
  },
  {
    path: paths.account,
    access: 'member',
    title: 'Your account',
    load: () => import('./page/account-screen.tsx').then((screen) => screen.AccountScreen),
  },
] as const satisfies readonly Route[];
