/**
 * Sends messages to the Telegram client around the page, and receives its events. Uses the SDK's
 * transport and table of versions, not its components: those are twice as large, read the launch data
 * from places that may be empty or stale, reject all of it for one invalid colour, and wait without
 * end for a client that does not answer. Nothing here throws, and each request has a timeout.
 */
import {
  createPostEvent,
  on,
  type PostEventFn,
  supports,
  targetOrigin,
} from '@telegram-apps/sdk-react';

import { hasBridge } from './launch.ts';

export type Bridge = {
  readonly version: string;
  /** Sends a message if the client is new enough for it. Returns whether it was sent. */
  send(message: (post: PostEventFn) => void): boolean;
  /** Sends a message that the SDK does not know. The caller checks the client's version. */
  sendRaw(name: string, data: unknown): boolean;
  /** Sends a message; resolves to the data of the named event, or undefined when none came in time. */
  request(question: {
    readonly message: (post: PostEventFn) => void;
    readonly event: string;
    readonly timeoutMs: number;
  }): Promise<unknown>;
  /** Calls the listener on every event of this name. Returns the unsubscribe function. */
  on(name: string, listener: (data: unknown) => void): () => void;
};

const telegramOrigin = /^https:\/\/(?:[a-z]+\.)?telegram\.org$/;

type ClientEvent = { readonly name: string; readonly data: unknown };

/** An event of the client; undefined for messages of other windows and of another shape. */
function readEvent({ source, data }: MessageEvent<unknown>): ClientEvent | undefined {
  if (source !== window.parent || typeof data !== 'string') {
    return undefined;
  }
  try {
    const message: unknown = JSON.parse(data);
    if (typeof message === 'object' && message !== null && 'eventType' in message) {
      const { eventType } = message;
      const eventData: unknown = 'eventData' in message ? message.eventData : undefined;
      return typeof eventType === 'string' ? { name: eventType, data: eventData } : undefined;
    }
  } catch {
    // Messages of other scripts and extensions are often not JSON.
  }
  return undefined;
}

/** A web client at another address than the default receives messages only with its own origin. */
function setTargetOrigin(): void {
  const host =
    'ancestorOrigins' in window.location ? window.location.ancestorOrigins[0] : undefined;
  if (host !== undefined && telegramOrigin.test(host)) {
    targetOrigin.set(host);
  }
}

export function connectBridge(version: string): Bridge {
  const postEvent = createPostEvent(version);
  setTargetOrigin();
  // With the first listener, the SDK installs the functions that the apps call in the page.
  on('reload_iframe', () => {
    bridge.send((post) => post('iframe_will_reload'));
    window.location.reload();
  });

  const bridge: Bridge = {
    version,
    send(message) {
      try {
        message(postEvent);
        return true;
      } catch {
        // The client is too old or broken. The app works without the message.
        return false;
      }
    },
    sendRaw(name, data) {
      try {
        postRaw(name, data);
        return true;
      } catch {
        return false;
      }
    },
    request({ message, event, timeoutMs }) {
      return new Promise((resolve) => {
        const settle = (data: unknown) => {
          clearTimeout(timer);
          stop();
          resolve(data);
        };
        const timer = setTimeout(settle, timeoutMs, undefined);
        const stop = bridge.on(event, settle);
        if (!bridge.send(message)) {
          settle(undefined);
        }
      });
    },
    on(name, listener) {
      // Not the SDK's own `on`, which drops an event for one unexpected value in it.
      const take = (message: MessageEvent<unknown>) => {
        const event = readEvent(message);
        if (event?.name === name) {
          listener(event.data);
        }
      };
      window.addEventListener('message', take);
      return () => window.removeEventListener('message', take);
    },
  };
  return bridge;
}

/**
 * Whether there is a Telegram client: an app has a bridge, and a web client sends events. Another page
 * that frames this one with a copied address never receives a message.
 */
export function findHost(timeoutMs: number): Promise<boolean> {
  if (hasBridge()) {
    return Promise.resolve(true);
  }
  return new Promise((resolve) => {
    const settle = (isThere: boolean) => {
      clearTimeout(timer);
      window.removeEventListener('message', take);
      resolve(isThere);
    };
    const take = (event: MessageEvent<unknown>) => {
      if (telegramOrigin.test(event.origin) && readEvent(event) !== undefined) {
        settle(true);
      }
    };
    const timer = setTimeout(() => settle(false), timeoutMs);
    window.addEventListener('message', take);
  });
}

/** Sends like the SDK, without its list of known messages. Throws where there is no client. */
function postRaw(eventType: string, eventData: unknown): void {
  if (window.parent !== window) {
    window.parent.postMessage(JSON.stringify({ eventType, eventData }), targetOrigin());
    return;
  }
  const proxy: unknown = Reflect.get(window, 'TelegramWebviewProxy');
  const post: unknown =
    typeof proxy === 'object' && proxy !== null ? Reflect.get(proxy, 'postEvent') : undefined;
  if (typeof post !== 'function') {
    throw new TypeError('There is no client');
  }
  // Some clients need `this`.
  Reflect.apply(post, proxy, [eventType, JSON.stringify(eventData)]);
}

/** A field of an event's data; undefined when the data is no object. */
export function readField(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null
    ? Object.entries(data).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Whether the client's version has the method. */
export function supportsMethod(
  { version }: Bridge,
  method:
    | 'web_app_open_popup'
    | 'web_app_request_file_download'
    | 'web_app_open_tg_link'
    | 'web_app_request_write_access'
    | 'web_app_send_prepared_message'
    | 'web_app_share_to_story',
): boolean {
  return supports(method, version);
}

/** Before version 6.9 the header takes only the name of a palette colour. */
export function supportsHeaderColor({ version }: Bridge): boolean {
  return supports('web_app_set_header_color', 'color', version);
}
