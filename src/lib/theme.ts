/**
 * Light and dark. On the web the person's choice, light by default; inside Telegram the client's
 * palette, made readable, until the person chooses. Painted as CSS variables over `ui/tokens.css`.
 */
import { create } from 'zustand';

import { contrast, guard, luminance, mix, parseHex } from './contrast.ts';
import { getPlatform, onPlatformChange } from './platform.ts';
import { onStoredElsewhere, readStored, writeStored } from './storage.ts';

export type Theme = 'light' | 'dark';

/** The page's background without a palette: `--bg` of `ui/tokens.css`. */
const background = { light: '#faf9f5', dark: '#0d1412' } as const satisfies Record<Theme, string>;

const useThemeStore = create<{ readonly theme: Theme }>()(() => ({ theme: 'light' }));

/** The theme that is shown. During hydration it is light, as in the prerendered page. */
export function useTheme(): Theme {
  return useThemeStore((state) => state.theme);
}

type Palette = Readonly<Record<string, string>>;

/** The first key that holds a colour; Telegram's clients leave keys out and sometimes send rubbish. */
function pick(palette: Palette, keys: readonly string[]): string | undefined {
  return keys.map((key) => palette[key]).find((color) => parseHex(color) !== undefined);
}

/**
 * Our variables from Telegram's palette: neutrals are Telegram's, and hint, link and button are
 * pulled until they reach 4.5:1. Undefined when the palette has no background or text.
 */
export function variablesOf(
  palette: Palette,
): { theme: Theme; variables: Record<string, string> } | undefined {
  const plain = pick(palette, ['bg_color', 'section_bg_color']);
  const givenText = pick(palette, ['text_color']);
  if (plain === undefined || givenText === undefined) {
    return undefined;
  }
  const surface = pick(palette, ['section_bg_color', 'bg_color']) ?? plain;
  const page = pick(palette, ['secondary_bg_color']) ?? plain;
  const theme: Theme = luminance(surface) < 0.2 ? 'dark' : 'light';
  const extreme = theme === 'dark' ? '#ffffff' : '#000000';
  const raised = mix(surface, givenText, 0.06);
  const sunken = mix(surface, givenText, 0.12);
  const behind = [surface, page, raised];
  const text = guard(givenText, behind, extreme);
  const button = pick(palette, ['button_color']) ?? (theme === 'dark' ? '#3ed3a0' : '#0b7a5c');
  const givenOnButton = pick(palette, ['button_text_color']) ?? '#ffffff';
  const accent = guard(
    button,
    [givenOnButton],
    luminance(givenOnButton) > 0.5 ? '#000000' : '#ffffff',
  );
  const link = guard(pick(palette, ['link_color', 'accent_text_color']) ?? button, behind, text);
  const danger = guard(
    pick(palette, ['destructive_text_color']) ?? (theme === 'dark' ? '#ff8a7c' : '#c22b1e'),
    behind,
    text,
  );
  const soft = mix(surface, link, 0.12);

  return {
    theme,
    variables: {
      '--bg': page,
      '--surface': surface,
      '--surface-2': raised,
      '--surface-3': sunken,
      '--border': mix(surface, text, 0.14),
      '--border-strong': mix(surface, text, 0.55),
      '--text': text,
      '--text-2': guard(mix(text, surface, 0.28), behind, text),
      '--text-3': guard(
        pick(palette, ['hint_color', 'subtitle_text_color']) ?? mix(text, surface, 0.4),
        behind,
        text,
      ),
      '--accent': accent,
      '--accent-hover': mix(accent, givenOnButton === '#ffffff' ? '#000000' : extreme, 0.1),
      '--on-accent': givenOnButton,
      '--accent-soft': soft,
      '--on-accent-soft': guard(link, [soft], extreme),
      '--link': link,
      '--danger': danger,
      '--on-danger':
        contrast('#ffffff', danger) >= contrast('#000000', danger) ? '#ffffff' : '#000000',
      '--focus': link,
    },
  };
}

let painted: readonly string[] = [];

function paint(): void {
  const platform = getPlatform();
  const chosen = readStored('theme');
  const palette = chosen === undefined ? platform.palette() : undefined;
  const own = palette ? variablesOf(palette) : undefined;
  const theme = own?.theme ?? chosen ?? 'light';
  const root = document.documentElement;

  for (const name of painted) {
    root.style.removeProperty(name);
  }
  for (const [name, value] of Object.entries(own?.variables ?? {})) {
    root.style.setProperty(name, value);
  }
  painted = Object.keys(own?.variables ?? {});
  root.dataset['theme'] = theme;

  const frame = own?.variables['--bg'] ?? background[theme];
  document.querySelector('meta[name="theme-color"]')?.setAttribute('content', frame);
  platform.paintFrame(frame);
  useThemeStore.setState({ theme });
}

/** Switches between light and dark, and remembers the choice. */
export function chooseTheme(theme: Theme): void {
  writeStored('theme', theme);
  paint();
}

/** Paints the theme now and whenever the container, its palette, or another tab changes it. */
export function startTheme(): void {
  // What the inline script painted before the first frame now belongs to this module.
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
