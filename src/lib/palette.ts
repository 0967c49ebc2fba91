/** Turns the palette that Telegram's client sends into our design tokens, and keeps them readable. */
import { contrast, guard, luminance, mix, parseHex } from './contrast.ts';

type Theme = 'light' | 'dark';
type Palette = Readonly<Record<string, string>>;

/** What to use for what a palette leaves out: our own colours. */
const own = {
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

/** The first key that holds a colour; Telegram's clients leave keys out and sometimes send rubbish. */
function pick(palette: Palette, ...keys: readonly string[]): string | undefined {
  return keys.map((key) => palette[key]).find((color) => parseHex(color) !== undefined);
}

/** White or black, whichever can be read on the colour. */
function inkOn(color: string): string {
  return contrast('#ffffff', color) >= contrast('#000000', color) ? '#ffffff' : '#000000';
}

/** The palette's colours with every gap filled. */
function complete(palette: Palette, background: string, givenText: string) {
  const surface = pick(palette, 'section_bg_color', 'bg_color') ?? background;
  const theme: Theme = luminance(surface) < 0.2 ? 'dark' : 'light';
  const { button: ownButton, danger, extreme } = own[theme];
  const button = pick(palette, 'button_color') ?? ownButton;
  return {
    theme,
    extreme,
    surface,
    page: pick(palette, 'secondary_bg_color') ?? background,
    givenText,
    button,
    onButton: pick(palette, 'button_text_color') ?? inkOn(button),
    link: pick(palette, 'link_color', 'accent_text_color') ?? button,
    hint: pick(palette, 'hint_color', 'subtitle_text_color') ?? mix(givenText, surface, 0.4),
    danger: pick(palette, 'destructive_text_color') ?? danger,
  };
}

/**
 * Our variables from Telegram's palette: neutrals are Telegram's, and hint, link and button are
 * pulled until they reach 4.5:1. Undefined when the palette has no background or text.
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
  const behind = [surface, page, raised];
  const text = guard(givenText, behind, extreme);
  const readable = (color: string) => guard(color, behind, text);
  const isInkLight = luminance(onButton) > 0.5;
  const accent = guard(given.button, [onButton], isInkLight ? '#000000' : '#ffffff');
  const link = readable(given.link);
  const danger = readable(given.danger);
  const soft = mix(surface, link, 0.12);

  return {
    theme,
    variables: {
      '--bg': page,
      '--surface': surface,
      '--surface-2': raised,
      '--surface-3': mix(surface, givenText, 0.12),
      '--border': mix(surface, text, 0.14),
      '--border-strong': mix(surface, text, 0.55),
      '--text': text,
      '--text-2': readable(mix(text, surface, 0.28)),
      '--text-3': readable(given.hint),
      '--accent': accent,
      '--accent-hover': mix(accent, isInkLight ? '#000000' : '#ffffff', 0.1),
      '--on-accent': onButton,
      '--accent-soft': soft,
      '--on-accent-soft': guard(link, [soft], extreme),
      '--link': link,
      '--danger': danger,
      '--on-danger': inkOn(danger),
      '--focus': link,
      '--code-bg': raised,
      ...Object.fromEntries(
        Object.entries(own[theme].code).map(([name, color]) => [
          name,
          guard(color, [raised], extreme),
        ]),
      ),
    },
  };
}
