/**
 * The platform inside Telegram. Loaded only there, so that the website stays small. Vertical swipes
 * close the app as usual, except while a screen holds them. Styles that a client sends are ignored.
 */
import { copyText, isWebAddress } from './browser.ts';
import { type LaunchData, toLaunch } from './launch.ts';
import {
  type Haptic,
  type PickedChat,
  type Platform,
  type Popup,
  type Shared,
} from './platform-types.ts';
import { askPopup } from './popup.ts';
import {
  type Bridge,
  connectBridge,
  readField,
  findHost,
  supportsMethod,
} from './telegram-bridge.ts';
import {
  createFrameButton,
  createFramePainter,
  createMainButton,
  createPalette,
  followViewport,
} from './telegram-frame.ts';

/** Without an answer of a client in this time, the app runs as a website. */
const hostTimeoutMs = 1500;
/** Long enough to decide. A client that never answers must not block the next popup. */
const popupTimeoutMs = 5 * 60_000;
/** Long enough to decide. */
const downloadTimeoutMs = 2 * 60_000;
/** Telegram for Android ignores requests that come too long after the last press. */
const downloadIgnoredMs = 5000;
/** Closed faster than a user can: the client has refused the popup, as its web version does after three. */
const refusedWithinMs = 100;

/** Telegram's limits of a popup, in characters. */
const maxTitleLength = 64;
const maxMessageLength = 256;
const maxButtons = 3;

/** Connects to the client around the page; undefined when none answers. */
export async function connectTelegram(data: LaunchData): Promise<Platform | undefined> {
  const bridge = connectBridge(data.version);
  const foundHost = findHost(hostTimeoutMs);
  const palette = createPalette(bridge, data);
  if (!(await foundHost)) {
    return undefined;
  }
  bridge.send((post) => post('iframe_ready', { reload_supported: true }));
  followViewport(bridge, data);
  bridge.on('visibility_changed', (event) => {
    if (readField(event, 'is_visible') === true) {
      // A page that was minimised in Telegram gets no event of the browser's when it is opened again.
      window.dispatchEvent(new Event('focus'));
    }
  });

  let isReady = false;
  const openLink = (url: string) => {
    if (isWebAddress(url)) {
      const { href } = new URL(url, window.location.href);
      bridge.send((post) => post('web_app_open_link', { url: href }));
    }
  };

  return {
    container: 'telegram',
    launch: toLaunch(data),
    hasMainButton: true,
    savesBlobs: false,
    // Telegram for Android ends the user agent with the device's performance class.
    isLowPower: /Telegram-Android\/.*;\s*LOW\)/.test(navigator.userAgent),
    ready() {
      if (!isReady) {
        isReady = true;
        bridge.send((post) => post('web_app_ready'));
      }
    },
    haptic: (kind) => vibrate(bridge, kind),
    showBack: createFrameButton(bridge, 'back'),
    showSettings: createFrameButton(bridge, 'settings'),
    ...createMainButton(bridge, palette),
    popup: createPopup(bridge),
    confirmClosing(isOn) {
      bridge.send((post) => post('web_app_setup_closing_behavior', { need_confirmation: isOn }));
    },
    holdVerticalSwipes: createSwipeHold(bridge),
    ...(canPickChat(bridge) ? { pickChat: createChatPicker(bridge) } : {}),
    ...createSharing(bridge, data),
    openLink,
    openTelegramLink(url) {
      const path = /^https:\/\/t\.me(\/\S*)$/.exec(url)?.[1];
      if (path !== undefined && supportsMethod(bridge, 'web_app_open_tg_link')) {
        bridge.send((post) => post('web_app_open_tg_link', { path_full: path }));
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

/** Swipes are allowed again when the last of those that hold them has let go. */
function createSwipeHold(bridge: Bridge): Platform['holdVerticalSwipes'] {
  let holders = 0;
  const change = (by: 1 | -1) => {
    const wasHeld = holders > 0;
    holders += by;
    const isHeld = holders > 0;
    if (isHeld !== wasHeld) {
      bridge.send((post) =>
        post('web_app_setup_swipe_behavior', { allow_vertical_swipe: !isHeld }),
      );
    }
  };
  return () => {
    change(1);
    return () => change(-1);
  };
}

function vibrate(bridge: Bridge, kind: Haptic): void {
  bridge.send((post) => {
    switch (kind) {
      case 'selection':
        return post('web_app_trigger_haptic_feedback', { type: 'selection_change' });
      case 'light':
      case 'medium':
        return post('web_app_trigger_haptic_feedback', { type: 'impact', impact_style: kind });
      case 'success':
      case 'warning':
      case 'error':
        return post('web_app_trigger_haptic_feedback', {
          type: 'notification',
          notification_type: kind,
        });
    }
  });
}

function truncate(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** Telegram's popup; our own where there is none, one is open, or the question exceeds the limits. */
function createPopup(bridge: Bridge): Platform['popup'] {
  let isOpen = false;

  async function askNatively({ title, message, buttons }: Popup): Promise<string | undefined> {
    const askedAt = performance.now();
    const params = {
      title: truncate(title.trim(), maxTitleLength),
      message: truncate(message.trim(), maxMessageLength),
      buttons: buttons.map(({ id, text, kind = 'default' }) =>
        kind === 'cancel' ? { id, type: kind } : { id, type: kind, text: text.trim() },
      ),
    };
    const answer = await bridge.request({
      message: (post) => post('web_app_open_popup', params),
      event: 'popup_closed',
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
      popup.buttons.length <= maxButtons &&
      popup.buttons.every(({ text }) => text.trim() !== '' && text.length <= maxTitleLength);
    if (isOpen || !fits || !supportsMethod(bridge, 'web_app_open_popup')) {
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

/** A web view cannot save files: the client does, or the browser. */
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
  if (!supportsMethod(bridge, 'web_app_request_file_download')) {
    openLink(href);
    return true;
  }
  const answer = bridge.request({
    message: (post) => post('web_app_request_file_download', { url: href, file_name: name }),
    event: 'file_download_requested',
    timeoutMs: downloadTimeoutMs,
  });
  const isIgnored = await Promise.race([
    answer.then(() => false),
    // While the client asks the user, its question has the focus.
    sleep(downloadIgnoredMs).then(() => document.hasFocus()),
  ]);
  if (isIgnored) {
    openLink(href);
    return true;
  }
  return readField(await answer, 'status') === 'downloading';
}

function sleep(ms: number): Promise<void> {
  return new Promise((wake) => {
    setTimeout(wake, ms);
  });
}

/** Telegram's list of groups came with this version of the Bot API. */
const pickVersion = '9.6';
/** A client that never answers must not block the button. A group that is sent later is in the list of chats. */
const pickTimeoutMs = 60_000;

function canPickChat({ version }: Bridge): boolean {
  return version.localeCompare(pickVersion, 'en', { numeric: true }) >= 0;
}

/** Opens the list of groups that the bot has prepared under an id, and waits for the user's choice. */
function createChatPicker(bridge: Bridge): NonNullable<Platform['pickChat']> {
  const open = new Set<string>();

  return (requestId) =>
    new Promise((resolve) => {
      const settle = (picked: PickedChat) => {
        clearTimeout(timer);
        open.delete(requestId);
        stops.forEach((stop) => stop());
        resolve(picked);
      };
      const isOurs = (data: unknown) => {
        // Telegram for Android names no request when its list is closed.
        const id = readField(data, 'req_id') ?? '';
        return id === requestId || (id === '' && open.size === 1);
      };
      const stops = [
        bridge.on('requested_chat_sent', (data) => isOurs(data) && settle('sent')),
        bridge.on('requested_chat_failed', (data) => isOurs(data) && settle(readPickFailure(data))),
      ];
      const timer = setTimeout(settle, pickTimeoutMs, 'declined');
      open.add(requestId);
      if (!bridge.sendRaw('web_app_request_chat', { req_id: requestId })) {
        settle('failed');
      }
    });
}

/** Without an error, the user has closed the list. */
function readPickFailure(data: unknown): PickedChat {
  const error = readField(data, 'error');
  return error === undefined || error === null || error === 'USER_DECLINED' ? 'declined' : 'failed';
}

/** Telegram's web and desktop clients announce the version, but only say that stories are not supported. */
const clientsWithStories = new Set(['android', 'ios']);
/** Long enough to decide, or to look for a chat. */
const shareTimeoutMs = 5 * 60_000;

/** What Telegram offers for pictures; each part is absent where the client is too old for it. */
function createSharing(
  bridge: Bridge,
  { client }: LaunchData,
): Pick<Platform, 'requestWriteAccess' | 'shareMessage' | 'shareStory'> {
  const hasStories = clientsWithStories.has(client);
  return {
    ...(supportsMethod(bridge, 'web_app_request_write_access')
      ? { requestWriteAccess: () => requestWriteAccess(bridge) }
      : {}),
    ...(supportsMethod(bridge, 'web_app_send_prepared_message')
      ? { shareMessage: createMessageSharing(bridge) }
      : {}),
    ...(hasStories && supportsMethod(bridge, 'web_app_share_to_story')
      ? {
          shareStory: (url) =>
            void bridge.send((post) => post('web_app_share_to_story', { media_url: url })),
        }
      : {}),
  };
}

async function requestWriteAccess(bridge: Bridge): Promise<boolean> {
  const answer = await bridge.request({
    message: (post) => post('web_app_request_write_access'),
    event: 'write_access_requested',
    timeoutMs: shareTimeoutMs,
  });
  return readField(answer, 'status') === 'allowed';
}

/** The events name no message, so a message that is shared before the one before has ended ends that. */
function createMessageSharing(bridge: Bridge): NonNullable<Platform['shareMessage']> {
  let endEarlier: (() => void) | undefined;

  return (id) =>
    new Promise((resolve) => {
      endEarlier?.();
      const settle = (shared: Shared) => {
        clearTimeout(timer);
        stops.forEach((stop) => stop());
        endEarlier = undefined;
        resolve(shared);
      };
      const stops = [
        bridge.on('prepared_message_sent', () => settle('sent')),
        bridge.on('prepared_message_failed', (data) => settle(readShareFailure(data))),
      ];
      const timer = setTimeout(settle, shareTimeoutMs, 'declined');
      endEarlier = () => settle('declined');
      if (!bridge.send((post) => post('web_app_send_prepared_message', { id }))) {
        settle('failed');
      }
    });
}

/** Telegram for macOS names no error when its list is closed. */
function readShareFailure(data: unknown): Shared {
  switch (readField(data, 'error') ?? 'USER_DECLINED') {
    case 'USER_DECLINED':
      return 'declined';
    case 'MESSAGE_EXPIRED':
      return 'expired';
    case 'UNSUPPORTED':
      return 'unsupported';
    default:
      // MESSAGE_SEND_FAILED, UNKNOWN_ERROR, and what may come later.
      return 'failed';
  }
}
