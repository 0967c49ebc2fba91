/**
 * The light and dark themes. The user's choice comes first, then Telegram's palette, then light. Set as
 * CSS variables over `ui/tokens.css`.
 */
import { create } from 'zustand';

import type { toVariables } from './palette.ts';
import { getPlatform, onPlatformChange } from './platform.ts';
import { onStoredElsewhere, readStored, writeStored } from './storage.ts';

export type Theme = 'light' | 'dark';

/** The page's background without a palette: `--bg` of `ui/tokens.css`. */
const background = { light: '#faf9f5', dark: '#0d1412' } as const satisfies Record<Theme, string>;

const useThemeStore = create<{ readonly theme: Theme }>()(() => ({ theme: 'light' }));

/** The current theme. Light during hydration, as in the prerendered page. */
export function useTheme(): Theme {
  return useThemeStore((state) => state.theme);
}

let painted: readonly string[] = [];

/** Turns a palette into our variables. Loaded only inside Telegram. */
let readPalette: typeof toVariables | undefined;

async function loadPaletteReader(): Promise<void> {
  ({ toVariables: readPalette } = await import('./palette.ts'));
}

function paint(): void {
  const chosen = readStored('theme');
  const palette = chosen === undefined ? getPlatform().palette() : undefined;
  if (palette && !readPalette) {
    // Until the chunk is loaded, the colours of the inline script stay.
    loadPaletteReader().then(paint, () => undefined);
    return;
  }
  show((palette && readPalette?.(palette)) ?? { theme: chosen ?? 'light', variables: {} });
}

function show({ theme, variables }: { theme: Theme; variables: Readonly<Record<string, string>> }) {
  const { style, dataset } = document.documentElement;
  for (const name of painted) {
    style.removeProperty(name);
  }
  for (const [name, value] of Object.entries(variables)) {
    style.setProperty(name, value);
  }
  painted = Object.keys(variables);
  dataset['theme'] = theme;

  const frame = variables['--bg'] ?? background[theme];
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', frame);
  getPlatform().paintFrame(frame);
  useThemeStore.setState({ theme });
}

/** Sets and stores the user's choice. */
export function chooseTheme(theme: Theme): void {
  writeStored('theme', theme);
  paint();
}

/** Paints the theme, now and after each change of the platform, of its palette, or by another tab. */
export function startTheme(): void {
  // Variables that the inline script has set.
  painted = [...document.documentElement.style].filter((name) => name.startsWith('--'));
  let stop = getPlatform().onPaletteChange(paint);
  onPlatformChange((platform) => {
    stop();
    stop = platform.onPaletteChange(paint);
    paint();
  });
  onStoredElsewhere((name) => {
    if (name === 'theme') {
      paint();
    }
  });
  paint();
}
