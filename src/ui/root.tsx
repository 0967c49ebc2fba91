/** The outermost element: gives telegram-ui's parts their platform and appearance. */
import { AppRoot } from '@telegram-apps/telegram-ui';
import { type ReactNode } from 'react';

import '@telegram-apps/telegram-ui/dist/styles.css';
import './tokens.css';
import './base.css';

type RootProps = { readonly appearance: 'light' | 'dark'; readonly children: ReactNode };

/** Both props of `AppRoot` stay set: it looks for Telegram's own script when one is missing. */
export function Root({ appearance, children }: RootProps) {
  return (
    <AppRoot appearance={appearance} platform="base" className="nori-root">
      {children}
    </AppRoot>
  );
}
