/** The icon of an entry of the navigation. */
import {
  BookOpen,
  Heart,
  House,
  Image,
  LayoutDashboard,
  type LucideIcon,
  SquareTerminal,
} from 'lucide-react';

import { type NavIcon as Name } from '#lib/route';

const icons = {
  house: House,
  dashboard: LayoutDashboard,
  book: BookOpen,
  image: Image,
  terminal: SquareTerminal,
  heart: Heart,
} as const satisfies Record<Name, LucideIcon>;

type NavIconProps = { readonly name: Name; readonly size?: number };

export function NavIcon({ name, size = 24 }: NavIconProps) {
  const Icon = icons[name];
  return <Icon aria-hidden="true" size={size} />;
}
