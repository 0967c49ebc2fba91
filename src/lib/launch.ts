/**
 * Reads the launch data that Telegram puts into the address, and removes it from there. Does not use
 * Telegram's SDK, as every visitor of the website loads this file. Anyone can write such an address:
 * the data is used for pre-filling and colours, and only the server checks the signed part.
 */
import { type Launch } from './platform-types.ts';
import { tabMarks } from './storage.ts';

/** `#rrggbb`, in lower case. */
export type Color = `#${string}`;

export type LaunchData = {
  /** The raw, signed part; absent when opened from a keyboard button. */
  readonly initData: string | undefined;
  readonly telegramId: string | undefined;
  readonly firstName: string | undefined;
  readonly photoUrl: string | undefined;
  readonly startParam: string | undefined;
  /** The version of the Mini App interface that the client speaks. */
  readonly version: string;
  /** `android`, `ios`, `macos`, `tdesktop`, `weba`, `webk` …; `unknown` when it does not say. */
  readonly client: string;
  /** Telegram's palette; invalid colours are left out. */
  readonly palette: Readonly<Record<string, Color>>;
};

/** How the page was opened. */
export type Opening = {
  readonly data: LaunchData;
  /** False after a reload. */
  readonly isFresh: boolean;
};

/** Assumed when the client sends no version. */
const oldestVersion = '6.0';
/** For a bridge without launch data. */
const withoutData = `tgWebAppVersion=${oldestVersion}`;
/** The server's limit. */
const maxInitDataLength = 8192;
/** More than any client sends. */
const maxAddressLength = 100_000;

/** The part after `#`, without the path and question mark that some hosts put in front. */
function cutLaunchPart(hash: string): string {
  return hash.replace(/^#/, '').replace(/^[^?=&]*\?/, '');
}

/**
 * The raw signed data. Telegram encodes it once. Some hosts do not; its pairs are then mixed with the
 * others, up to the next key of Telegram's.
 */
function readInitData(launchPart: string): string | undefined {
  const start = /(?:^|&)tgWebAppData=/.exec(launchPart);
  if (start === null) {
    return undefined;
  }
  const rest = launchPart.slice(start.index + start[0].length);
  const [first = ''] = rest.split('&', 1);
  const end = rest.indexOf('&tgWebApp');
  const raw = first.includes('=')
    ? rest.slice(0, end === -1 ? undefined : end)
    : // Unlike `decodeURIComponent`, this never throws.
      (new URLSearchParams(`data=${first}`).get('data') ?? '');
  return raw === '' || raw.length > maxInitDataLength ? undefined : raw;
}

function readJson(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

/** Converts a colour to `#rrggbb`; undefined when it is none. */
export function readColor(value: unknown): Color | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) {
    // Android and desktop may send a 32-bit number whose first byte is the opacity.
    return `#${(value & 0xff_ff_ff).toString(16).padStart(6, '0')}`;
  }
  if (typeof value !== 'string') {
    return undefined;
  }
  const color = value.trim().toLowerCase();
  if (/^#[\da-f]{3}$/.test(color)) {
    return `#${color.slice(1).replaceAll(/./g, '$&$&')}`;
  }
  return /^#[\da-f]{6}$/.test(color) ? `#${color.slice(1)}` : undefined;
}

/** The valid colours of Telegram's `theme_params`. */
export function readPalette(params: unknown): Record<string, Color> {
  if (typeof params !== 'object' || params === null) {
    return {};
  }
  return Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => {
      const color = readColor(value);
      return color === undefined || !/^[a-z_]{1,40}$/.test(name) ? [] : [[name, color] as const];
    }),
  );
}

function matching(pattern: RegExp, values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && pattern.test(value));
}

function readUser(initData: string | undefined) {
  const { id, first_name, photo_url } = readJson(new URLSearchParams(initData ?? '').get('user'));
  return {
    telegramId: matching(/^[1-9]\d{0,15}$/, [typeof id === 'number' ? String(id) : id]),
    firstName:
      typeof first_name === 'string' && first_name.trim() !== ''
        ? first_name.trim().slice(0, 64)
        : undefined,
    photoUrl: matching(/^https:\/\/\S{1,2000}$/, [photo_url]),
  };
}

/**
 * Reads an address; undefined without launch data, and when it has signed data twice: a link that was made by others
 * has theirs, beside those that Telegram appends. Never throws.
 */
export function readLaunchAddress({
  hash,
  search,
}: {
  readonly hash: string;
  readonly search: string;
}): LaunchData | undefined {
  const launchPart = cutLaunchPart(hash.slice(0, maxAddressLength));
  if (!/(?:^|&)tgWebApp[A-Z]/.test(launchPart)) {
    return undefined;
  }
  const pairs = new URLSearchParams(launchPart);
  if (pairs.getAll('tgWebAppData').length > 1) {
    return undefined;
  }
  const query = new URLSearchParams(search.slice(0, maxAddressLength));
  const initData = readInitData(launchPart);

  return {
    initData,
    ...readUser(initData),
    startParam: matching(/^[\w-]{1,512}$/, [
      query.get('tgWebAppStartParam'),
      pairs.get('tgWebAppStartParam'),
      new URLSearchParams(initData ?? '').get('start_param'),
    ]),
    version:
      matching(/^\d{1,3}(?:\.\d{1,3}){0,2}$/, [pairs.get('tgWebAppVersion')]) ?? oldestVersion,
    client: matching(/^[a-z_]{1,20}$/, [pairs.get('tgWebAppPlatform')]) ?? 'unknown',
    palette: readPalette(readJson(pairs.get('tgWebAppThemeParams'))),
  };
}

/** The address without Telegram's part. Another query or hash stays. */
export function withoutLaunch({
  pathname,
  search,
  hash,
}: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const ownSearch = search
    .replace(/^\?/, '')
    .split('&')
    .filter((pair) => pair !== '' && !pair.startsWith('tgWebApp'))
    .join('&');
  const ownHash = /[#?&]tgWebApp[A-Z]/.test(hash) ? '' : hash;
  return `${pathname}${ownSearch === '' ? '' : `?${ownSearch}`}${ownHash}`;
}

/** Telegram's apps install a bridge in the web view. Its web clients show the page in a frame. */
export function hasBridge(): boolean {
  return 'TelegramWebviewProxy' in window;
}

function isFramed(): boolean {
  return window.parent !== window;
}

/**
 * Removes the launch data from the address and returns it; a reload of the tab finds it again.
 * Undefined on a website: without launch data, or without Telegram around the page, as when the
 * address was copied.
 */
export function takeLaunch(): Opening | undefined {
  const { location, history } = window;
  const { hash, search } = location;
  const fresh = readLaunchAddress({ hash, search });
  if (/tgWebApp/.test(search + hash)) {
    history.replaceState(history.state, '', withoutLaunch(location));
  }
  if (!hasBridge() && !isFramed()) {
    return undefined;
  }
  if (fresh !== undefined) {
    tabMarks.write('launch', hash.slice(0, maxAddressLength));
    return { data: fresh, isFresh: true };
  }
  const again = (kept: string) => readLaunchAddress({ hash: kept, search: '' });
  const data =
    again(tabMarks.read('launch') ?? '') ?? (hasBridge() ? again(withoutData) : undefined);
  return data && { data, isFresh: false };
}

/** The part of the launch data that screens may use. */
export function toLaunch(data: LaunchData): Launch {
  const { initData, telegramId, firstName, photoUrl, startParam } = data;
  return { initData, telegramId, firstName, photoUrl, startParam };
}
