/** The platform of an ordinary browser tab. */
import { type Platform } from './platform-types.ts';
import { askPopup } from './popup.ts';

const nothing = () => undefined;

function confirmUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Copies through a selection, for browsers and frames that refuse the clipboard API. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  const focused = document.activeElement;
  area.value = text;
  area.readOnly = true;
  area.className = 'visually-hidden';
  document.body.append(area);
  area.select();
  try {
    return document.execCommand('copy');
  } catch {
    // Some browsers throw instead of returning false.
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) {
      focused.focus();
    }
  }
}

/** Copies text. Returns whether that worked. Also used in Telegram. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Whether an address is http(s): a `javascript:` or `data:` address must never be opened. */
export function isWebAddress(url: string): boolean {
  try {
    return ['https:', 'http:'].includes(new URL(url, window.location.href).protocol);
  } catch {
    return false;
  }
}

function openTab(url: string): void {
  if (isWebAddress(url)) {
    window.open(url, '_blank', 'noopener,noreferrer');
  }
}

export const browser: Platform = {
  container: 'web',
  launch: {},
  hasMainButton: false,
  savesBlobs: true,
  isLowPower: false,
  ready: nothing,
  haptic: nothing,
  showBack: () => nothing,
  setMainButton: nothing,
  coverMainButton: nothing,
  popup: askPopup,
  confirmClosing(isOn) {
    if (isOn) {
      window.addEventListener('beforeunload', confirmUnload);
    } else {
      window.removeEventListener('beforeunload', confirmUnload);
    }
  },
  holdVerticalSwipes: () => nothing,
  openLink: openTab,
  openTelegramLink: openTab,
  copy: copyText,
  async download({ url, name }) {
    const link = document.createElement('a');
    link.href = url;
    link.download = name;
    link.click();
    return true;
  },
  paintFrame: nothing,
  palette: () => undefined,
  onPaletteChange: () => nothing,
};
