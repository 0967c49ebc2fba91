/** What a feature tells the app about one of its screens. */
import { type ComponentType } from 'react';

/** Named and not drawn here: only one of the two containers shows icons, and all pages load routes. */
export type NavIcon = 'house' | 'dashboard' | 'book' | 'image' | 'terminal' | 'heart';

/** What the app passes to a screen. */
export type ScreenProps = {
  /** Loads a part of another feature that the screen shows; set in `src/app/routes.ts`. */
  readonly loadSlot?: (() => Promise<ComponentType>) | undefined;
};

export type Route = {
  readonly path: string;
  /** Who may open it: everyone, members only, or guests only (members go to the dashboard). */
  readonly access: 'public' | 'member' | 'guest';
  /** The page's title, without the product's name. */
  readonly title: string;
  /**
   * For search engines and link previews; absent means the page is not for them. Only what is
   * prerendered says it, so that browsers need not load it: `import.meta.env.SSR ? '…' : ''`.
   */
  readonly description?: string;
  /** Its place in the navigation; absent means it has none. */
  readonly nav?: {
    readonly label: string;
    readonly order: number;
    readonly icon: NavIcon;
    /** Listed for everyone, or only for members. */
    readonly audience: 'everyone' | 'member';
  };
  /** Queries that name a place further in, with a way back; all others are states of the screen itself. */
  readonly inner?: readonly string[];
  readonly load: () => Promise<ComponentType<ScreenProps>>;
} & ScreenProps;
