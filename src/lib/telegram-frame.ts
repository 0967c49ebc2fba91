/** Telegram's parts around the page: palette, colours, sizes, and the back, settings and main buttons. */
import { type Color, type LaunchData, readColor, readPalette } from './launch.ts';
import { type MainButton, type Platform } from './platform-types.ts';
import { type Bridge, readField, supportsHeaderColor } from './telegram-bridge.ts';

export type Palette = {
  readonly colors: () => Readonly<Record<string, Color>>;
  readonly onChange: (listener: () => void) => () => void;
};

/** The palette of the launch, updated on each change. An empty palette is ignored. */
export function createPalette(bridge: Bridge, launch: LaunchData): Palette {
  let colors = launch.palette;
  const listeners = new Set<() => void>();

  bridge.on('theme_changed', (data) => {
    const next = readPalette(readField(data, 'theme_params'));
    if (Object.keys(next).length > 0 && JSON.stringify(next) !== JSON.stringify(colors)) {
      colors = next;
      listeners.forEach((listener) => listener());
    }
  });
  // After a reload the palette of the launch may be outdated. The answer also proves that there is a client.
  bridge.send((post) => post('web_app_request_theme'));

  return {
    colors: () => colors,
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Returns the function that paints header, background and bottom bar, as far as the client's version can. */
export function createFramePainter(bridge: Bridge, palette: Palette): (color: string) => void {
  let painted: string | undefined;
  // The client repaints its frame when the palette changes.
  palette.onChange(() => {
    painted = undefined;
  });

  return (value) => {
    const color = readColor(value);
    if (color === undefined || color === painted) {
      return;
    }
    painted = color;
    const key = color === palette.colors()['bg_color'] ? 'bg_color' : 'secondary_bg_color';
    bridge.send((post) =>
      post(
        'web_app_set_header_color',
        supportsHeaderColor(bridge) ? { color } : { color_key: key },
      ),
    );
    bridge.send((post) => post('web_app_set_background_color', { color }));
    bridge.send((post) => post('web_app_set_bottom_bar_color', { color }));
  };
}

/** In these clients the window's own height is right, and the client's is not. */
const clientsWithFixedHeight = new Set(['macos', 'tdesktop', 'unigram', 'web', 'weba', 'webk']);

function setLength(name: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value) && value >= 0) {
    document.documentElement.style.setProperty(name, `${value}px`);
  }
}

/** The keyboard has made the page lower, and may cover the field that it belongs to. */
function showFocusedField(): void {
  const { activeElement } = document;
  if (activeElement?.matches('input, textarea') === true) {
    activeElement.scrollIntoView({ block: 'nearest' });
  }
}

/**
 * Keeps `--tg-viewport-*` up to date: height, stable height, and the insets of the device and of
 * Telegram's own buttons. Style sheets have fallbacks, as some clients never send them.
 */
export function followViewport(bridge: Bridge, launch: LaunchData): void {
  if (!clientsWithFixedHeight.has(launch.client)) {
    bridge.on('viewport_changed', (data) => {
      setLength('--tg-viewport-height', readField(data, 'height'));
      if (readField(data, 'is_state_stable') === true) {
        setLength('--tg-viewport-stable-height', readField(data, 'height'));
        showFocusedField();
      }
    });
    bridge.send((post) => post('web_app_request_viewport'));
  }
  for (const [event, name] of [
    ['safe_area_changed', 'safe-area-inset'],
    ['content_safe_area_changed', 'content-safe-area-inset'],
  ] as const) {
    bridge.on(event, (data) => {
      for (const side of ['top', 'right', 'bottom', 'left']) {
        setLength(`--tg-viewport-${name}-${side}`, readField(data, side));
      }
    });
  }
  bridge.send((post) => post('web_app_request_safe_area'));
  bridge.send((post) => post('web_app_request_content_safe_area'));
}

/**
 * A native button with a stack of handlers; a press calls the topmost. Whether it shows is sent once per
 * task, so that it does not flicker when the screen changes.
 */
export function createFrameButton(
  bridge: Bridge,
  name: 'back' | 'settings',
): (press: () => void) => () => void {
  const stack: { readonly press: () => void }[] = [];
  let isShown = false;

  bridge.on(`${name}_button_pressed`, () => stack.at(-1)?.press());

  const show = oncePerTask(() => {
    if (isShown !== stack.length > 0) {
      isShown = stack.length > 0;
      bridge.send((post) => post(`web_app_setup_${name}_button`, { is_visible: isShown }));
    }
  });

  return (press) => {
    const entry = { press };
    stack.push(entry);
    show();
    return () => {
      const index = stack.indexOf(entry);
      if (index !== -1) {
        stack.splice(index, 1);
        show();
      }
    };
  };
}

/** The native main button in the palette's colours, hidden while no screen sets it. */
export function createMainButton(
  bridge: Bridge,
  palette: Palette,
): Pick<Platform, 'setMainButton' | 'coverMainButton'> {
  let current: MainButton | undefined;
  let isCovered = false;
  const visibleButton = () => (isCovered ? undefined : current);
  let lastText = '';
  let shown = '';

  bridge.on('main_button_pressed', () => {
    const button = visibleButton();
    if (button?.isEnabled === true && !button.isBusy) {
      button.press();
    }
  });

  const show = oncePerTask(() => {
    const { button_color: color, button_text_color: textColor } = palette.colors();
    const button = visibleButton();
    const text = button?.text.trim() ?? '';
    // Some clients crash on an empty text, so a hidden button keeps its last text.
    lastText = text === '' ? lastText : text;
    if (lastText === '') {
      return;
    }
    const { isEnabled = false, isBusy = false } = button ?? {};
    const params = {
      is_visible: text !== '',
      is_active: isEnabled && !isBusy,
      is_progress_visible: isBusy,
      text: lastText,
      ...(color === undefined ? {} : { color }),
      ...(textColor === undefined ? {} : { text_color: textColor }),
    };
    if (JSON.stringify(params) !== shown) {
      shown = JSON.stringify(params);
      bridge.send((post) => post('web_app_setup_main_button', params));
    }
  });

  palette.onChange(show);

  return {
    setMainButton(button) {
      current = button;
      show();
    },
    coverMainButton(isNowCovered) {
      isCovered = isNowCovered;
      show();
    },
  };
}

/** Returns a function that calls `run` once at the end of the current task. */
function oncePerTask(run: () => void): () => void {
  let isDue = false;
  return () => {
    if (!isDue) {
      isDue = true;
      queueMicrotask(() => {
        isDue = false;
        run();
      });
    }
  };
}
