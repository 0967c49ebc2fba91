/** The platform of an ordinary browser tab. */
import { type Platform } from './platform-types.ts';
import { askPopup } from './popup.ts';

const nothing = () => undefined;

function confirmUnload(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

/** Copies by selection, for browsers and frames that refuse the clipboard. */
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
    // Some browsers throw instead of answering false; both mean that nothing was copied.
    return false;
  } finally {
    area.remove();
    if (focused instanceof HTMLElement) {
      focused.focus();
    }
  }
}

/** Copies text; shared with Telegram's web clients, whose frames often refuse the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** Only pages: a `javascript:` or `data:` address from a server must never be opened. */
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
