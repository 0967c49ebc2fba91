/**
 * What surrounds a page that loads nothing but itself: Telegram's client, without its SDK, and calls of our server, without
 * axios. For the join gate, which has to be readable within a second on a cheap phone.
 */
import * as v from 'valibot';

import { type Endpoint } from '#contract/endpoints/endpoint';
import { readErrorBody } from '#contract/endpoints/errors';

import { hasBridge, readLaunchAddress, readPalette } from './launch.ts';
import { type Haptic, type MainButton, type Platform } from './platform-types.ts';

export type Surroundings = {
  /** The signed launch data; undefined outside of Telegram. */
  readonly initData: string | undefined;
  /** The group that the address names. */
  readonly chatId: string | undefined;
  /** Shows the main button until the next call; `undefined` hides it. */
  readonly setMainButton: (button: MainButton | undefined) => void;
  readonly haptic: (kind: Haptic) => void;
  /** Closes the page, where it can. */
  readonly close: (() => void) | undefined;
};

/** A refusal: the server's sentence and code. `code` is undefined when there was no answer. */
export class CallRefused extends Error {
  override readonly name = 'CallRefused';
  declare readonly code: string | undefined;
  constructor(code: string | undefined, message = '') {
    super(message);
    this.code = code;
  }
}

const backendUrl = (import.meta.env.VITE_BACKEND_URL ?? '/backend').replace(/\/$/, '');

/** Calls an endpoint with a JSON body. Rejects with `CallRefused`. */
export async function callLightly<E extends Endpoint>(
  endpoint: E,
  input: v.InferInput<E['input']>,
  signal?: AbortSignal,
): Promise<v.InferOutput<E['output']>> {
  let response: Response;
  let body: unknown;
  try {
    response = await globalThis.fetch(backendUrl + endpoint.path, {
      method: endpoint.method,
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': import.meta.env.NORI_LANGUAGE,
      },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    });
    body = await response.json();
  } catch {
    throw new CallRefused(undefined);
  }
  const answer = v.safeParse<E['output']>(endpoint.output, body);
  if (!response.ok || !answer.success) {
    const { code = `http_${response.status}`, detail } = readErrorBody(body);
    throw new CallRefused(response.status >= 500 ? undefined : code, detail);
  }
  return answer.output;
}

const readChatId = (search: string): string | undefined =>
  /^-?[1-9]\d{0,15}$/.exec(new URLSearchParams(search).get('chat') ?? '')?.[0];

/** The surroundings of a page that is part of the app, as while it is developed. */
export function connectPlatform(platform: Platform, search: string): Surroundings {
  return {
    initData: platform.launch.initData,
    chatId: readChatId(search),
    setMainButton: (button) => platform.setMainButton(button),
    haptic: (kind) => platform.haptic(kind),
    close: undefined,
  };
}

const telegramOrigin = /^https:\/\/(?:[a-z]+\.)?telegram\.org$/;

/** Web clients at another address receive only messages for their own. */
function readParentOrigin(): string {
  const host =
    'ancestorOrigins' in window.location ? window.location.ancestorOrigins[0] : undefined;
  return host !== undefined && telegramOrigin.test(host) ? host : 'https://web.telegram.org';
}

/** Tells the client something. An old or broken one does not matter. */
function post(eventType: string, eventData?: unknown): void {
  try {
    const proxy: unknown = Reflect.get(window, 'TelegramWebviewProxy');
    const send: unknown =
      typeof proxy === 'object' && proxy !== null ? Reflect.get(proxy, 'postEvent') : undefined;
    if (typeof send === 'function') {
      // Some clients need `this`.
      Reflect.apply(send, proxy, [eventType, JSON.stringify(eventData ?? {})]);
    } else {
      window.parent.postMessage(JSON.stringify({ eventType, eventData }), readParentOrigin());
    }
  } catch {
    // The page works without it.
  }
}

type Listener = (data: unknown) => void;

/** Hears the client: apps call functions of the page, web clients send messages. */
function listen(listeners: Readonly<Record<string, Listener>>): void {
  const receiveEvent = (name: string, data: unknown) => listeners[name]?.(data);
  Object.assign(window, {
    Telegram: { WebView: { receiveEvent } },
    TelegramGameProxy: { receiveEvent },
    TelegramGameProxy_receiveEvent: receiveEvent,
  });
  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    if (source !== window.parent || typeof data !== 'string') {
      return;
    }
    try {
      const message: unknown = JSON.parse(data);
      const name = readField(message, 'eventType');
      if (typeof name === 'string') {
        receiveEvent(name, readField(message, 'eventData'));
      }
    } catch {
      // Messages of other scripts are often not JSON.
    }
  });
}

/** Not that of the SDK's transport, which would come along. */
function readField(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null ? Reflect.get(data, name) : undefined;
}

function setLengths(name: string, data: unknown, fields: readonly string[]): void {
  for (const field of fields) {
    const value = readField(data, field);
    if (typeof value === 'number' && value >= 0) {
      const property = `--tg-viewport-${name}${field}`;
      document.documentElement.style.setProperty(property, `${value}px`);
    }
  }
}

/** The main button in the colours of the palette. */
function createButton(getPalette: () => Readonly<Record<string, string>>) {
  let current: MainButton | undefined;
  let shown = '';

  function show(): void {
    const { button_color: color, button_text_color: text_color } = getPalette();
    const { text = '', isEnabled = false, isBusy = false } = current ?? {};
    const params = {
      is_visible: text !== '',
      is_active: isEnabled && !isBusy,
      is_progress_visible: isBusy,
      // Some clients crash on an empty text.
      text: text === '' ? 'Nori' : text,
      ...(color === undefined ? {} : { color }),
      ...(text_color === undefined ? {} : { text_color }),
    };
    if (JSON.stringify(params) !== shown) {
      shown = JSON.stringify(params);
      post('web_app_setup_main_button', params);
    }
  }

  return {
    show,
    set: (button: MainButton | undefined): void => {
      current = button;
      show();
    },
    press: (): void => {
      if (current?.isEnabled === true && !current.isBusy) {
        current.press();
      }
    },
  };
}

const sides = ['top', 'right', 'bottom', 'left'];

/**
 * The surroundings of a page of its own. `paint` gets Telegram's palette, now and when it changes, and returns the colour of
 * the page.
 */
export function connectLightly(
  paint: (palette: Readonly<Record<string, string>>) => string,
): Surroundings {
  const isInside = hasBridge() || window.parent !== window;
  const launch = isInside ? readLaunchAddress(window.location) : undefined;
  const chatId = readChatId(window.location.search);
  if (launch === undefined) {
    return {
      initData: undefined,
      chatId,
      setMainButton: () => undefined,
      haptic: () => undefined,
      close: undefined,
    };
  }
  let palette: Readonly<Record<string, string>> = launch.palette;
  const button = createButton(() => palette);

  function paintFrame(): void {
    const color = paint(palette);
    post('web_app_set_header_color', { color });
    post('web_app_set_background_color', { color });
    post('web_app_set_bottom_bar_color', { color });
  }

  listen({
    main_button_pressed: button.press,
    theme_changed: (data) => {
      const next = readPalette(readField(data, 'theme_params'));
      if (Object.keys(next).length > 0) {
        palette = next;
        paintFrame();
        button.show();
      }
    },
    viewport_changed: (data) => {
      // Of web clients the window's own height is right.
      if (hasBridge()) {
        setLengths('', data, ['height']);
        setLengths('stable-', readField(data, 'is_state_stable') === true ? data : {}, ['height']);
      }
    },
    safe_area_changed: (data) => setLengths('safe-area-inset-', data, sides),
    content_safe_area_changed: (data) => setLengths('content-safe-area-inset-', data, sides),
    reload_iframe: () => {
      post('iframe_will_reload');
      window.location.reload();
    },
  });
  post('iframe_ready', { reload_supported: true });
  post('web_app_ready');
  post('web_app_expand');
  post('web_app_request_viewport');
  post('web_app_request_safe_area');
  post('web_app_request_content_safe_area');
  paintFrame();

  return {
    initData: launch.initData,
    chatId,
    setMainButton: button.set,
    haptic: (kind) =>
      post(
        'web_app_trigger_haptic_feedback',
        kind === 'selection'
          ? { type: 'selection_change' }
          : { type: 'notification', notification_type: kind },
      ),
    close: () => post('web_app_close'),
  };
}
