/** What Telegram draws around and under the page: its palette, the frame's colours, and its sizes. */
import { type Color, type LaunchData, readColor, readPalette } from './launch.ts';
import { type Bridge, readField, takesHeaderColor } from './telegram-bridge.ts';

export type Palette = {
  readonly colors: () => Readonly<Record<string, Color>>;
  readonly onChange: (listener: () => void) => () => void;
};

/** The palette of the launch, then that of every change. A palette without any colour is no change. */
export function createPalette(bridge: Bridge, launch: LaunchData): Palette {
  let colors = launch.palette;
  const listeners = new Set<() => void>();

  bridge.hear('theme_changed', (data) => {
    const next = readPalette(readField(data, 'theme_params'));
    if (Object.keys(next).length > 0 && JSON.stringify(next) !== JSON.stringify(colors)) {
      colors = next;
      listeners.forEach((listener) => listener());
    }
  });
  // A reloaded page has the palette of long ago. The answer also shows that there is a client.
  bridge.tell((say) => say('web_app_request_theme'));

  return {
    colors: () => colors,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Paints header, background and bottom bar, each as far as the client's version lets us. */
export function createFramePainter(bridge: Bridge, palette: Palette): (color: string) => void {
  let painted: string | undefined;
  // A client repaints its frame with a new palette.
  palette.onChange(() => {
    painted = undefined;
  });

  return (wanted) => {
    const color = readColor(wanted);
    if (color === undefined || color === painted) {
      return;
    }
    painted = color;
    const key = color === palette.colors()['bg_color'] ? 'bg_color' : 'secondary_bg_color';
    bridge.tell((say) =>
      say('web_app_set_header_color', takesHeaderColor(bridge) ? { color } : { color_key: key }),
    );
    bridge.tell((say) => say('web_app_set_background_color', { color }));
    bridge.tell((say) => say('web_app_set_bottom_bar_color', { color }));
  };
}

/** Where the window is the web view itself, the page knows its height better than the client. */
const clientsWithFixedHeight = new Set(['macos', 'tdesktop', 'unigram', 'web', 'weba', 'webk']);

function setLength(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
    document.documentElement.style.setProperty(name, `${value}px`);
  }
}

/**
 * Keeps `--tg-viewport-*` up to date: height, stable height, and the insets of the device and of
 * Telegram's own buttons. Nothing waits for them; style sheets have fallbacks, as some clients
 * never tell.
 */
export function followViewport(bridge: Bridge, launch: LaunchData): void {
  if (!clientsWithFixedHeight.has(launch.client)) {
    bridge.hear('viewport_changed', (data) => {
      setLength('--tg-viewport-height', readField(data, 'height'));
      if (readField(data, 'is_state_stable') === true) {
        setLength('--tg-viewport-stable-height', readField(data, 'height'));
      }
    });
    bridge.tell((say) => say('web_app_request_viewport'));
  }
  for (const [event, name] of [
    ['safe_area_changed', 'safe-area-inset'],
    ['content_safe_area_changed', 'content-safe-area-inset'],
  ] as const) {
    bridge.hear(event, (data) => {
      for (const side of ['top', 'right', 'bottom', 'left']) {
        setLength(`--tg-viewport-${name}-${side}`, readField(data, side));
      }
    });
  }
  bridge.tell((say) => say('web_app_request_safe_area'));
  bridge.tell((say) => say('web_app_request_content_safe_area'));
}
