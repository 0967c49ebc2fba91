/** The join gate: a page without anything around it, which Telegram opens for who asks to join a group. */
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const gateRoutes = [
  {
    path: paths.gate,
    access: 'public',
    title: titles.gate,
    isBare: true,
    load: () => import('./gate-screen.tsx').then((screen) => screen.GateScreen),
  },
] as const satisfies readonly Route[];
