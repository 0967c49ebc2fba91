/**
 * The wire to the Telegram client around the page. Of the SDK it uses the transport and the table
 * of versions, not its components: those read the launch data again and again from places that may
 * be empty or stale, refuse all of it for one odd colour, wait for ever on silent clients, and
 * weigh more than twice as much.
 * Nothing here throws, and no question waits without an end.
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
  /** Says something, if the client is new enough to understand; answers whether it was sent. */
  tell(say: (post: PostEventFn) => void): boolean;
  /** Says what the SDK does not know, to a client that is known to understand it. */
  tellRaw(name: string, data: unknown): boolean;
  /** Asks; resolves to what came with the named event, undefined when none came in time. */
  request(question: {
    readonly say: (post: PostEventFn) => void;
    readonly answer: string;
    readonly timeoutMs: number;
  }): Promise<unknown>;
  /** Calls back on every event of a name, with whatever the client sent along. */
  hear(name: string, listener: (data: unknown) => void): () => void;
};

const telegramOrigin = /^https:\/\/(?:[a-z]+\.)?telegram\.org$/;

type Message = { readonly name: string; readonly data: unknown };

/** A client's message; undefined for those of anybody else and those of another shape. */
function readMessage({ source, data }: MessageEvent<unknown>): Message | undefined {
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
    // Other scripts and extensions post messages, too; most are not JSON.
  }
  return undefined;
}

/** Web clients of other addresses than the usual one hear us only when they are addressed. */
function addressHost(): void {
  const host =
    'ancestorOrigins' in window.location ? window.location.ancestorOrigins[0] : undefined;
  if (host !== undefined && telegramOrigin.test(host)) {
    targetOrigin.set(host);
  }
}

export function connectBridge(version: string): Bridge {
  const post = createPostEvent(version);
  addressHost();
  // The first listener makes the SDK open the ports through which the apps call into the page.
  on('reload_iframe', () => {
    bridge.tell((say) => say('iframe_will_reload'));
    window.location.reload();
  });

  const bridge: Bridge = {
    version,
    tell(say) {
      try {
        say(post);
        return true;
      } catch {
        // Too old a client, or a broken one: what we say are wishes, and the app works without.
        return false;
      }
    },
    tellRaw(name, data) {
      try {
        postRaw(name, data);
        return true;
      } catch {
        return false;
      }
    },
    request({ say, answer, timeoutMs }) {
      return new Promise((resolve) => {
        const settle = (data: unknown) => {
          clearTimeout(timer);
          stop();
          resolve(data);
        };
        const timer = setTimeout(settle, timeoutMs, undefined);
        const stop = bridge.hear(answer, settle);
        if (!bridge.tell(say)) {
          settle(undefined);
        }
      });
    },
    hear(name, listener) {
      // Not the SDK's own `on`: it drops a whole event for one unexpected value in it.
      const take = (event: MessageEvent<unknown>) => {
        const message = readMessage(event);
        if (message?.name === name) {
          listener(message.data);
        }
      };
      window.addEventListener('message', take);
      return () => window.removeEventListener('message', take);
    },
  };
  return bridge;
}

/**
 * Whether there is a client: its apps give a bridge, and its web clients answer what they are asked
 * from now on. Any page could frame us with a copied address; one that is not Telegram's never
 * receives a question.
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
      if (telegramOrigin.test(event.origin) && readMessage(event) !== undefined) {
        settle(true);
      }
    };
    const timer = setTimeout(() => settle(false), timeoutMs);
    window.addEventListener('message', take);
  });
}

/** The way of the SDK's own messages, without its list of what may be said. Throws where there is no client. */
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
  // Some clients look at what they are called on.
  Reflect.apply(post, proxy, [eventType, JSON.stringify(eventData)]);
}

/** One field of what a client sent along; undefined when it sent something else. */
export function readField(data: unknown, name: string): unknown {
  return typeof data === 'object' && data !== null
    ? Object.entries(data).find(([key]) => key === name)?.[1]
    : undefined;
}

/** Whether the client understands a method, or one parameter of the header's colour. */
export function understands(
  { version }: Bridge,
  method: 'web_app_open_popup' | 'web_app_request_file_download' | 'web_app_open_tg_link',
): boolean {
  return supports(method, version);
}

/** Before version 6.9 the header takes only the name of one of the palette's colours. */
export function takesHeaderColor({ version }: Bridge): boolean {
  return supports('web_app_set_header_color', 'color', version);
}
