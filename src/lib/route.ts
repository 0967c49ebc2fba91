/** The route of a screen. */
import { type QueryClient } from '@tanstack/react-query';
import { type ComponentType } from 'react';

/** A name, not the icon itself: all pages load the routes, and only Telegram shows icons. */
export type NavIcon = 'house' | 'dashboard' | 'book' | 'image' | 'terminal' | 'heart';

/** What the app passes to a screen. */
export type ScreenProps = {
  /** Loads a part of another feature that the screen shows; set in `src/app/routes.ts`. */
  readonly loadSlot?: (() => Promise<ComponentType>) | undefined;
};

export type Route = {
  readonly path: string;
  /** Who may open it: everyone, members, or guests. Members are redirected from guest screens to the dashboard. */
  readonly access: 'public' | 'member' | 'guest';
  /** The page's title, without the product's name; in `page-texts.ts`. */
  readonly title: string;
  /**
   * For search engines and link previews; a page without it is not listed. Only needed when
   * prerendering, so it is left out of the client: `import.meta.env.SSR ? descriptions.… : ''`.
   */
  readonly description?: string;
  /** Its entry in the navigation, if any, for those who may open it. The order is that of the routes. */
  readonly nav?: { readonly label: string; readonly icon: NavIcon };
  /** Query parameters that open an inner page with a back button. Others are states of the screen. */
  readonly inner?: readonly string[];
  /** Nothing is around it: no navigation, no footer. */
  readonly isBare?: boolean;
  /** How long a guest's screen stays after a login (ms), so that its last message can be read. */
  readonly lingerMs?: number;
  /** Begins to read what the screen will show at this query. Called while another screen is shown. */
  readonly readAhead?: (client: QueryClient, search: URLSearchParams) => Promise<unknown>;
  readonly load: () => Promise<ComponentType<ScreenProps>>;
} & ScreenProps;
