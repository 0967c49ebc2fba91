/** The dashboard: the chats a person manages, and what each of their topics blocks. */
import { LayoutDashboard } from 'lucide-react';

import { paths } from '#lib/paths';
import { type Route } from '#lib/route';

import { chatTexts } from './texts.ts';

export const chatRoutes = [
  {
    path: paths.dashboard,
    access: 'member',
    title: chatTexts.title,
    nav: { label: chatTexts.title, order: 2, icon: LayoutDashboard, audience: 'member' },
    load: () => import('./chats-screen.tsx').then(({ ChatsScreen }) => ChatsScreen),
  },
] as const satisfies readonly Route[];
