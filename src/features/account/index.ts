/** Logging in and signing up. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

import { texts } from './texts.ts';

export const accountRoutes = [
  {
    path: paths.login,
    access: 'guest',
    title: texts.login.pageTitle,
    description: texts.login.pageDescription,
    load: () => import('./login-screen.tsx').then(({ LoginScreen }) => LoginScreen),
  },
  {
    path: paths.signup,
    access: 'guest',
    title: texts.signup.pageTitle,
    description: texts.signup.pageDescription,
    load: () => import('./signup-screen.tsx').then(({ SignupScreen }) => SignupScreen),
  },
] as const satisfies readonly Route[];
