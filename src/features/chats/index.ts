/** The dashboard: the chats a person manages, and what each of their topics blocks. */
import { type ComponentType } from 'react';

import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

// Its words stand here and not in texts.ts: every page loads this file, and few need the rest.
/** `loadBelow`: what another feature shows below the list of chats. */
export const chatRoutes = (loadBelow: () => Promise<ComponentType>): readonly Route[] => [
  {
    path: paths.dashboard,
    access: 'member',
    title: 'Dashboard',
    nav: { label: 'Dashboard', order: 2, icon: 'dashboard', audience: 'member' },
    inner: ['chat', 'verify', 'step'],
    load: () =>
      import('./chats-screen.tsx').then(({ ChatsScreen, showBelow }) => {
        showBelow(loadBelow);
        return ChatsScreen;
      }),
  },
];
