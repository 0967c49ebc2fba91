/** The dashboard: the chats that a user manages, and what each of their topics blocks. */
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

export const dashboardRoute: Route = {
  path: paths.dashboard,
  access: 'member',
  title: titles.dashboard,
  nav: { label: titles.dashboard, icon: 'dashboard' },
  inner: ['chat', 'verify', 'step'],
  readAhead: (client, search) =>
    import('./chats-screen.tsx').then(({ readAhead }) => readAhead(client, search)),
  load: () => import('./chats-screen.tsx').then((screen) => screen.ChatsScreen),
};
