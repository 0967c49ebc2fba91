/** Logging in, signing up, and the page of the account. */
import { descriptions, titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const accountRoutes = [
  {
    path: paths.login,
    access: 'guest',
    title: titles.login,
    description: import.meta.env.SSR ? descriptions.login : '',
    // The last line of the Authentication Log can be read.
    lingerMs: 500,
    load: () => import('./login-screen.tsx').then((screen) => screen.LoginScreen),
  },
  {
    path: paths.signup,
    access: 'guest',
    title: titles.signup,
    description: import.meta.env.SSR ? descriptions.signup : '',
    load: () => import('./signup-screen.tsx').then((screen) => screen.SignupScreen),
  },
  {
    path: paths.reset,
    access: 'public',
    title: titles.reset,
    load: () => import('./reset-screen.tsx').then((screen) => screen.ResetScreen),
  },
  {
    path: paths.account,
    access: 'member',
    title: titles.account,
    load: () => import('./page/account-screen.tsx').then((screen) => screen.AccountScreen),
  },
] as const satisfies readonly Route[];
