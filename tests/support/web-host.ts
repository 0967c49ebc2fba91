/**
 * Simulates the page of Telegram's web clients around an app: the header with the back button, the frame
 * with the real attributes, and the bottom button. Runs in the browser, so it uses only its argument.
 */
import { type NativeBridge, type SentEvent } from './native-bridge.ts';

export type WebHost = {
  /** Web K does not reply to requests for sizes and insets. */
  readonly client: 'weba' | 'webk';
  readonly address: string;
  readonly palette: Readonly<Record<string, string>>;
  /** A host that sends nothing, like any other page that frames the app. */
  readonly isSilent?: boolean;
};

/** Draws the host and connects it to the app. Records the app's messages in `window.telegramClient.sent`. */
function runWebHost({ client, address, palette, isSilent = false }: WebHost): void {
  const sent: SentEvent[] = [];
  let theme = palette;

  const title = document.createElement('strong');
  title.textContent = 'Nori';
  const leave = document.createElement('button');
  const header = document.createElement('header');
  header.append(leave, title);
  const frame = document.createElement('iframe');
  frame.name = 'app';
  const mainButton = document.createElement('button');
  mainButton.id = 'main-button';
  mainButton.hidden = true;
  document.body.append(header, frame, mainButton);

  function showBack(isShown: boolean): void {
    leave.textContent = isShown ? '←' : '✕';
    leave.ariaLabel = isShown ? 'Back' : 'Close';
  }
  function emit(name: string, data?: unknown): void {
    frame.contentWindow?.postMessage(JSON.stringify({ eventType: name, eventData: data }), '*');
  }
  function showMainButton(data: unknown): void {
    const params = typeof data === 'object' && data !== null ? data : {};
    const readText = (name: string) => {
      const value: unknown = Reflect.get(params, name);
      return typeof value === 'string' ? value.trim() : '';
    };
    const isTrue = (name: string) => Reflect.get(params, name) === true;
    mainButton.hidden = !isTrue('is_visible') || readText('text') === '';
    mainButton.disabled = !isTrue('is_active');
    mainButton.ariaBusy = String(isTrue('is_progress_visible'));
    mainButton.textContent = readText('text');
    mainButton.style.background = readText('color');
    mainButton.style.color = readText('text_color');
  }

  showBack(false);
  leave.addEventListener('click', () => {
    if (leave.ariaLabel === 'Back') {
      emit('back_button_pressed');
    }
  });
  mainButton.addEventListener('click', () => emit('main_button_pressed'));

  const none = { top: 0, bottom: 0, left: 0, right: 0 };
  const size = () => ({
    height: frame.clientHeight,
    width: frame.clientWidth,
    is_expanded: true,
    is_state_stable: true,
  });
  const bridge: NativeBridge = {
    sent,
    emit,
    answers: {
      web_app_request_theme: () => ['theme_changed', { theme_params: theme }],
      ...(client === 'weba'
        ? {
            web_app_request_viewport: () => ['viewport_changed', size()] as const,
            web_app_request_safe_area: () => ['safe_area_changed', none] as const,
            web_app_request_content_safe_area: () => ['content_safe_area_changed', none] as const,
          }
        : {}),
      web_app_request_chat: (data) => ['requested_chat_sent', data],
      web_app_request_write_access: () => ['write_access_requested', { status: 'allowed' }],
      web_app_send_prepared_message: () => ['prepared_message_sent'],
      iframe_ready: () => ['set_custom_style', 'html { --of-the-host: 1 }'],
    },
  };

  function show(name: string, data: unknown): void {
    if (name === 'web_app_setup_back_button') {
      showBack(JSON.stringify(data).includes('true'));
    } else if (name === 'web_app_setup_main_button') {
      showMainButton(data);
    } else if (name === 'web_app_set_header_color') {
      header.style.background = /#[\da-f]{6}/.exec(JSON.stringify(data))?.[0] ?? '';
    }
  }

  window.addEventListener('message', ({ source, data }: MessageEvent<unknown>) => {
    const message: unknown =
      source === frame.contentWindow && typeof data === 'string' ? JSON.parse(data) : undefined;
    if (typeof message !== 'object' || message === null || !('eventType' in message)) {
      return;
    }
    const name = String(message.eventType);
    const eventData: unknown = 'eventData' in message ? message.eventData : undefined;
    sent.push({ name, data: eventData });
    const answer = isSilent ? undefined : bridge.answers[name]?.(eventData);
    show(name, eventData);
    if (answer !== undefined) {
      setTimeout(() => emit(...answer), 0);
    }
  });

  Object.assign(window, {
    telegramClient: bridge,
    /** Changes the theme, as in Telegram's settings. */
    setTelegramTheme(next: Readonly<Record<string, string>>) {
      theme = next;
      document.body.dataset['theme'] = next['bg_color'] === '#ffffff' ? 'light' : 'dark';
      emit('theme_changed', { theme_params: next });
    },
  });

  // As in Telegram's own code: no downloads, no top navigation.
  for (const permission of [
    'allow-scripts',
    'allow-same-origin',
    'allow-popups',
    'allow-forms',
    'allow-modals',
    'allow-storage-access-by-user-activation',
  ]) {
    frame.sandbox.add(permission);
  }
  frame.allow =
    client === 'weba'
      ? 'camera; microphone; geolocation; clipboard-write;'
      : 'camera; microphone; geolocation; accelerometer; gyroscope; magnetometer; device-orientation';
  frame.allowFullscreen = true;
  frame.title = 'App';
  frame.addEventListener('load', () => {
    if (isSilent) {
      return;
    }
    emit('fullscreen_changed', { is_fullscreen: false });
    emit('viewport_changed', size());
    emit('safe_area_changed', none);
    emit('content_safe_area_changed', none);
    emit('visibility_changed', { is_visible: true });
    setTimeout(() => emit('theme_changed', { theme_params: theme }), 400);
  });
  frame.src = address;
}

/** The host's document: a script tag that runs `runWebHost` on these options. */
export function webHostPage(options: WebHost): string {
  const isDark = options.palette['bg_color'] !== '#ffffff';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Telegram Web</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
  html, body { height: 100%; margin: 0; }
  body { display: grid; grid-template-rows: 56px 1fr auto; font: 16px system-ui; }
  body, header { background: ${isDark ? '#17212b' : '#ffffff'}; color: ${isDark ? '#fff' : '#000'}; }
  header { display: flex; align-items: center; gap: 16px; padding: 0 12px; }
  header button { inline-size: 40px; block-size: 40px; border: 0; background: none; color: inherit; font-size: 20px; }
  iframe { inline-size: 100%; block-size: 100%; border: 0; }
  #main-button { block-size: 52px; border: 0; font: 600 16px system-ui; }
  #main-button[aria-busy="true"] { opacity: .7; }
  #main-button[hidden] { display: none; }
</style></head><body><script>(${runWebHost.toString()})(${JSON.stringify(options).replaceAll('<', '\\u003c')})</script></body></html>`;
}
