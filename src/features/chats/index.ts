/** The dashboard: the chats that a user manages, and what each of their topics blocks. */
import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// The title stands here and not in texts.ts: every page loads this file, and few need the other texts.
export const dashboardRoute: Route = {
  path: paths.dashboard,
  access: 'member',
  title: 'Dashboard',
  nav: { label: 'Dashboard', order: 2, icon: 'dashboard', audience: 'member' },
  inner: ['chat', 'verify', 'step'],
  readAhead: (client, search) =>
    import('./chats-screen.tsx').then(({ readAhead }) => readAhead(client, search)),
  load: () => import('./chats-screen.tsx').then((screen) => screen.ChatsScreen),
};
