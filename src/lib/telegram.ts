/**
 * The platform inside Telegram. Loaded only there, so that visitors of the website never pay for
 * it. Vertical swipes stay as the person knows them, except while a screen holds them, and styles
 * that a client sends are not taken.
 */
import { copyText, isWebAddress } from './browser.ts';
import { type LaunchData, toLaunch } from './launch.ts';
import { type Haptic, type Platform, type Popup } from './platform.ts';
import { askPopup } from './popup.ts';
import { type Bridge, connectBridge, readField, findHost, understands } from './telegram-bridge.ts';
import { createFrameButton, createMainButton } from './telegram-buttons.ts';
import { createFramePainter, createPalette, followViewport } from './telegram-frame.ts';
import { canPickChat, pickChat } from './telegram-pick.ts';

/** As long as a person may be kept waiting before the page becomes a website. */
const hostTimeoutMs = 1500;
/** People think before they confirm; a client that went away must not block the next question. */
const popupTimeoutMs = 5 * 60_000;
const downloadTimeoutMs = 2 * 60_000;
/** Nobody closes a popup this fast: the client has refused it (its web version does after three). */
const refusedWithinMs = 100;

/** Telegram's limits of a popup, in characters. */
const longestTitle = 64;
const longestMessage = 256;
const mostButtons = 3;

/** Connects to the client around the page; undefined when none answers. */
export async function connectTelegram(data: LaunchData): Promise<Platform | undefined> {
  const bridge = connectBridge(data.version);
  const foundHost = findHost(hostTimeoutMs);
  const palette = createPalette(bridge, data);
  if (!(await foundHost)) {
    return undefined;
  }
  bridge.tell((say) => say('iframe_ready', { reload_supported: true }));
  followViewport(bridge, data);

  let isReady = false;
  const openLink = (url: string) => {
    if (isWebAddress(url)) {
      const { href } = new URL(url, window.location.href);
      bridge.tell((say) => say('web_app_open_link', { url: href }));
    }
  };

  return {
    container: 'telegram',
    launch: toLaunch(data),
    hasMainButton: true,
    savesBlobs: false,
    // Telegram on Android ends its name for the browser with the device's class.
    isLowPower: /Telegram-Android\/.*;\s*LOW\)/.test(navigator.userAgent),
    ready() {
      if (!isReady) {
        isReady = true;
        bridge.tell((say) => say('web_app_ready'));
      }
    },
    haptic: (kind) => vibrate(bridge, kind),
    showBack: createFrameButton(bridge, 'back'),
    showSettings: createFrameButton(bridge, 'settings'),
    ...createMainButton(bridge, palette),
    popup: createPopup(bridge),
    confirmClosing(isOn) {
      bridge.tell((say) => say('web_app_setup_closing_behavior', { need_confirmation: isOn }));
    },
    holdVerticalSwipes() {
      allowVerticalSwipes(bridge, false);
      return () => allowVerticalSwipes(bridge, true);
    },
    ...(canPickChat(bridge) ? { pickChat: (id: string) => pickChat(bridge, id) } : {}),
    openLink,
    openTelegramLink(url) {
      const path = /^https:\/\/t\.me(\/\S*)$/.exec(url)?.[1];
      if (path !== undefined && understands(bridge, 'web_app_open_tg_link')) {
        bridge.tell((say) => say('web_app_open_tg_link', { path_full: path }));
      } else {
        openLink(url);
      }
    },
    copy: copyText,
    download: (file) => download(bridge, file, openLink),
    paintFrame: createFramePainter(bridge, palette),
    palette: palette.colors,
    onPaletteChange: palette.onChange,
  };
}

function allowVerticalSwipes(bridge: Bridge, isAllowed: boolean): void {
  bridge.tell((say) => say('web_app_setup_swipe_behavior', { allow_vertical_swipe: isAllowed }));
}

function vibrate(bridge: Bridge, kind: Haptic): void {
  bridge.tell((say) => {
    switch (kind) {
      case 'selection':
        return say('web_app_trigger_haptic_feedback', { type: 'selection_change' });
      case 'light':
      case 'medium':
        return say('web_app_trigger_haptic_feedback', { type: 'impact', impact_style: kind });
      case 'success':
      case 'warning':
      case 'error':
        return say('web_app_trigger_haptic_feedback', {
          type: 'notification',
          notification_type: kind,
        });
    }
  });
}

function shortened(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Telegram's popup, and our own where there is none, it is busy, or the question does not fit. */
function createPopup(bridge: Bridge): Platform['popup'] {
  let isOpen = false;

  async function askNatively({ title, message, buttons }: Popup): Promise<string | undefined> {
    const askedAt = performance.now();
    const params = {
      title: shortened(title.trim(), longestTitle),
      message: shortened(message.trim(), longestMessage),
      buttons: buttons.map(({ id, text, kind = 'default' }) =>
        kind === 'cancel' ? { id, type: kind } : { id, type: kind, text: text.trim() },
      ),
    };
    const answer = await bridge.request({
      say: (post) => post('web_app_open_popup', params),
      answer: 'popup_closed',
      timeoutMs: popupTimeoutMs,
    });
    const pressed = readField(answer, 'button_id');
    const buttonId = buttons.find(({ id }) => id === pressed)?.id;
    return buttonId === undefined && performance.now() - askedAt < refusedWithinMs
      ? askPopup({ title, message, buttons })
      : buttonId;
  }

  return async (popup) => {
    const fits =
      popup.message.trim() !== '' &&
      popup.buttons.length >= 1 &&
      popup.buttons.length <= mostButtons &&
      popup.buttons.every(({ text }) => text.trim() !== '' && text.length <= longestTitle);
    if (isOpen || !fits || !understands(bridge, 'web_app_open_popup')) {
      return askPopup(popup);
    }
    isOpen = true;
    try {
      return await askNatively(popup);
    } finally {
      isOpen = false;
    }
  };
}

/** Web views save nothing themselves: the client does, or else a browser outside. */
async function download(
  bridge: Bridge,
  { url, name }: { url: string; name: string },
  openLink: (url: string) => void,
): Promise<boolean> {
  if (!URL.canParse(url, window.location.href)) {
    return false;
  }
  const { href, protocol } = new URL(url, window.location.href);
  if (protocol !== 'https:') {
    return false;
  }
  if (!understands(bridge, 'web_app_request_file_download')) {
    openLink(href);
    return true;
  }
  const answer = await bridge.request({
    say: (post) => post('web_app_request_file_download', { url: href, file_name: name }),
    answer: 'file_download_requested',
    timeoutMs: downloadTimeoutMs,
  });
  return readField(answer, 'status') === 'downloading';
}
