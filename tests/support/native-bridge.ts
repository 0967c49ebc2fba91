/**
 * Simulates the bridge of Telegram's apps: an object that the page calls, and functions that the app calls
 * back. Works in unit tests and, because it imports nothing, as an init script in a browser.
 */

/** An event of the page, as the client received it. */
export type SentEvent = { readonly name: string; readonly data: unknown };

export type NativeBridge = {
  readonly sent: SentEvent[];
  /** Sends an event to the page as this app does. */
  emit(name: string, data?: unknown): void;
  /** The app's reply to a method; undefined for none. */
  answers: Record<
    string,
    ((data: unknown) => readonly [name: string, data?: unknown] | undefined) | undefined
  >;
};

export type NativeApp = {
  readonly kind: 'ios' | 'android';
  readonly palette: Readonly<Record<string, string>>;
  readonly insets?: { readonly top: number; readonly bottom: number };
  readonly viewportHeight?: number;
};

/** Installs the bridge on the window and returns its controls, also found as `window.telegramClient`. */
export function installNativeBridge({
  kind,
  palette,
  insets = { top: 0, bottom: 0 },
  viewportHeight,
}: NativeApp): NativeBridge {
  // Telegram for Android ignores requests for downloads, and messages to share, that come later after the last press.
  const pressMs = 10_000;
  let pressedAt = Date.now();
  window.addEventListener('click', () => (pressedAt = Date.now()), true);
  const isIgnored = () => kind === 'android' && Date.now() - pressedAt > pressMs;
  const bridge: NativeBridge = {
    sent: [],
    emit(name, data) {
      // Android and iOS call different functions; both are missing until the page listens.
      const path = kind === 'android' ? ['Telegram', 'WebView'] : ['TelegramGameProxy'];
      let port: unknown = window;
      for (const step of path) {
        port = typeof port === 'object' && port !== null ? Reflect.get(port, step) : undefined;
      }
      const receive: unknown =
        typeof port === 'object' && port !== null ? Reflect.get(port, 'receiveEvent') : undefined;
      if (typeof receive === 'function') {
        receive(name, data ?? null);
      }
    },
    answers: {
      web_app_request_theme: () => ['theme_changed', { theme_params: palette }],
      web_app_request_viewport: () => [
        'viewport_changed',
        // The apps send no width.
        { height: viewportHeight ?? window.innerHeight, is_expanded: true, is_state_stable: true },
      ],
      web_app_request_safe_area: () => ['safe_area_changed', { ...insets, left: 0, right: 0 }],
      web_app_request_content_safe_area: () => [
        'content_safe_area_changed',
        { top: 0, bottom: 0, left: 0, right: 0 },
      ],
      web_app_open_popup: () => undefined,
      // Bot API 9.6: the person picks a group at once.
      web_app_request_chat: (data) => ['requested_chat_sent', data],
      web_app_request_file_download: () =>
        isIgnored() ? undefined : ['file_download_requested', { status: 'downloading' }],
      // The user presses "Allow". Without a question, where they have done so before.
      web_app_request_write_access: () => ['write_access_requested', { status: 'allowed' }],
      // The user chooses a chat at once.
      web_app_send_prepared_message: (data) => {
        const id: unknown =
          typeof data === 'object' && data !== null ? Reflect.get(data, 'id') : undefined;
        if (isIgnored() || typeof id !== 'string') {
          return undefined;
        }
        return id === ''
          ? ['prepared_message_failed', { error: 'MESSAGE_EXPIRED' }]
          : ['prepared_message_sent'];
      },
      // The editor of stories opens, which no event tells.
      web_app_share_to_story: () => undefined,
    },
  };
  Object.assign(window, {
    telegramClient: bridge,
    TelegramWebviewProxy: {
      postEvent(name: string, json: string | undefined) {
        const data: unknown = json === undefined ? undefined : JSON.parse(json);
        bridge.sent.push({ name, data });
        const answer = bridge.answers[name]?.(data);
        if (answer !== undefined) {
          setTimeout(() => bridge.emit(...answer), 0);
        }
      },
    },
  });
  return bridge;
}
