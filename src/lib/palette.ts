/**
 * Turns Telegram's palette into our design tokens, with readable contrast: most palettes of Telegram's
 * clients miss WCAG's 4.5:1 for hints, links or buttons.
 */

type Rgb = readonly [red: number, green: number, blue: number];

/** `#rgb` or `#rrggbb` as three numbers 0-255; undefined for anything else. */
export function parseHex(color: string | undefined): Rgb | undefined {
  const hex = /^#([\da-f]{3}|[\da-f]{6})$/i.exec(color ?? '')?.[1];
  if (hex === undefined) {
    return undefined;
  }
  const long = hex.length === 3 ? hex.replaceAll(/./g, '$&$&') : hex;
  const number = Number.parseInt(long, 16);
  return [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}

function toHex(color: Rgb): string {
  return `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`;
}

/** `share` (0-1) of `other` mixed into `color`, in sRGB. */
function mixRgb(color: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => color[index] * (1 - share) + other[index] * share;
  return [part(0), part(1), part(2)];
}

/** `share` (0-1) of `other` mixed into `color`; both `#rrggbb`. Returns `color` if one is invalid. */
export function mix(color: string, other: string, share: number): string {
  const [from, to] = [parseHex(color), parseHex(other)];
  return from && to ? toHex(mixRgb(from, to, share)) : color;
}

/** Relative luminance 0-1, as WCAG 2.2 defines it. */
function luminance(color: string): number {
  const [red, green, blue] = (parseHex(color) ?? [0, 0, 0]).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0);
}

/** Contrast ratio 1-21 between two colours, as WCAG 2.2 defines it. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

/** WCAG AA for text. */
const minContrast = 4.5;
const stepShare = 0.02;

/**
 * Mixes `color` with `target` in steps of 2 % until its contrast with every background is at least
 * 4.5:1. Returns `target` when no mixture is enough.
 */
export function ensureContrast(
  color: string,
  backgrounds: readonly string[],
  target: string,
): string {
  for (let share = 0; share < 1; share += stepShare) {
    const mixed = mix(color, target, share);
    if (backgrounds.every((background) => contrast(mixed, background) >= minContrast)) {
      return mixed;
    }
  }
  return target;
}

type Theme = 'light' | 'dark';
type Palette = Readonly<Record<string, string>>;

/** Our own colours, for the keys that a palette does not have. */
const fallbacks = {
  light: {
    button: '#0b7a5c',
    danger: '#c22b1e',
    extreme: '#000000',
    code: {
      '--code-key': '#0b6b86',
      '--code-string': '#0b6b3a',
      '--code-number': '#9a4a00',
      '--code-keyword': '#9a1746',
      '--code-punctuation': '#46564f',
      '--code-comment': '#5f6e67',
    },
  },
  dark: {
    button: '#3ed3a0',
    danger: '#ff8a7c',
    extreme: '#ffffff',
    code: {
      '--code-key': '#7ccbe6',
      '--code-string': '#7fdda0',
      '--code-number': '#f0b36b',
      '--code-keyword': '#ff9dbd',
      '--code-punctuation': '#b4c3bc',
      '--code-comment': '#93a39b',
    },
  },
} as const satisfies Record<Theme, unknown>;

/** The first of the keys with a valid colour. */
function pick(palette: Palette, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => palette[key]).find((color) => parseHex(color) !== undefined);
}

/** White or black, whichever has the higher contrast. */
function textColorOn(color: string): string {
  return contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000';
}

/** The palette's colours, with the missing ones filled in. */
function complete(palette: Palette, background: string, givenText: string) {
  const surface = pick(palette, 'section_bg_color', 'bg_color') ?? background;
  const theme: Theme = luminance(surface) < 0.2 ? 'dark' : 'light';
  const { button: ownButton, danger, extreme } = fallbacks[theme];
  const button = pick(palette, 'button_color') ?? ownButton;
  return {
    theme,
    extreme,
    surface,
    page: pick(palette, 'secondary_bg_color') ?? background,
    givenText,
    button,
    onButton: pick(palette, 'button_text_color') ?? textColorOn(button),
    link: pick(palette, 'link_color', 'accent_text_color') ?? button,
    hint: pick(palette, 'hint_color', 'subtitle_text_color') ?? mix(givenText, surface, 0.4),
    danger: pick(palette, 'destructive_text_color') ?? danger,
    accentText: pick(palette, 'accent_text_color', 'link_color') ?? button,
    subtitle: pick(palette, 'subtitle_text_color', 'hint_color') ?? mix(givenText, surface, 0.4),
    separator: pick(palette, 'section_separator_color') ?? mix(surface, givenText, 0.14),
    // Without it, a client's own shape decides the colour of section headers; see `tokens.css`.
    sectionHead: pick(palette, 'section_header_text_color'),
  };
}

/**
 * Our CSS variables for a palette. Hint, link and button colours are adjusted until they reach 4.5:1.
 * Undefined when the palette has no background or no text colour.
 */
export function toVariables(
  palette: Palette,
): { theme: Theme; variables: Record<string, string> } | undefined {
  const background = pick(palette, 'bg_color', 'section_bg_color');
  const givenText = pick(palette, 'text_color');
  if (background === undefined || givenText === undefined) {
    return undefined;
  }
  const given = complete(palette, background, givenText);
  const { theme, extreme, surface, page, onButton } = given;
  const raised = mix(surface, givenText, 0.06);
  const field = mix(surface, givenText, 0.12);
  const behind = [surface, page, raised];
  const text = ensureContrast(givenText, behind, extreme);
  const readable = (color: string) => ensureContrast(color, behind, text);
  const isButtonTextLight = luminance(onButton) > 0.5;
  const accent = ensureContrast(
    given.button,
    [onButton],
    isButtonTextLight ? '#000000' : '#ffffff',
  );
  const link = readable(given.link);
  const danger = readable(given.danger);
  const soft = mix(surface, link, 0.12);

  return {
    theme,
    variables: {
      '--bg': page,
      '--surface': surface,
      '--surface-2': raised,
      '--surface-3': field,
      '--border': mix(surface, text, 0.14),
      '--border-strong': mix(surface, text, 0.55),
      '--text': text,
      '--text-2': ensureContrast(mix(text, surface, 0.28), [...behind, field], extreme),
      '--text-3': readable(given.hint),
      '--accent': accent,
      '--accent-hover': mix(accent, isButtonTextLight ? '#000000' : '#ffffff', 0.1),
      '--on-accent': onButton,
      '--accent-soft': soft,
      // The second is what a button can be at most under the mouse; see `button.module.css`.
      '--on-accent-soft': ensureContrast(link, [soft, mix(soft, extreme, 0.12)], extreme),
      '--link': link,
      '--danger': danger,
      '--on-danger': textColorOn(danger),
      '--focus': link,
      '--accent-text': readable(given.accentText),
      '--subtitle': readable(given.subtitle),
      '--separator': given.separator,
      ...(given.sectionHead === undefined
        ? {}
        : { '--section-head-color': readable(given.sectionHead) }),
      '--code-bg': raised,
      ...Object.fromEntries(
        Object.entries(fallbacks[theme].code).map(([name, color]) => [
          name,
          ensureContrast(color, [raised], extreme),
        ]),
      ),
    },
  };
}
