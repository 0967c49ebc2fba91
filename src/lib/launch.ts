/**
 * Reads what Telegram puts into the address when it opens the app, and takes it out again. Knows
 * nothing of Telegram's SDK, as every visitor of the website loads this. Anyone can write such an
 * address: what is read here pre-fills and paints, and only the server believes the signed part.
 */
import { type Launch } from './platform-types.ts';
import { tabMarks } from './storage.ts';

/** `#rrggbb`, in lower case. */
export type Color = `#${string}`;

export type LaunchData = {
  /** The raw, signed part, byte for byte as it came; absent when opened from a keyboard button. */
  readonly initData: string | undefined;
  readonly telegramId: string | undefined;
  readonly firstName: string | undefined;
  readonly photoUrl: string | undefined;
  readonly startParam: string | undefined;
  /** The version of the Mini App interface that the client speaks. */
  readonly version: string;
  /** `android`, `ios`, `macos`, `tdesktop`, `weba`, `webk` …; `unknown` when it does not say. */
  readonly client: string;
  /** Telegram's palette: only values that are colours, as `#rrggbb`. */
  readonly palette: Readonly<Record<string, Color>>;
};

/** What the page was opened with. */
export type Opening = {
  readonly data: LaunchData;
  /** Opened just now, and not a reload of a page that was. */
  readonly isFresh: boolean;
};

/** The oldest version: everything beyond it is then not asked for. */
const oldestVersion = '6.0';
/** What the server takes at most. */
const longestInitData = 8192;
/** No client sends more; a longer address is somebody's experiment. */
const longestAddress = 100_000;

/** The part after `#`, without the route or the question mark that some hosts put in front. */
function cutLaunchPart(hash: string): string {
  return hash.replace(/^#/, '').replace(/^[^?=&]*\?/, '');
}

/**
 * The raw signed data. It is encoded once by Telegram; some hosts forget to, and then its own pairs
 * stand among the others, up to the next key of Telegram's.
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
  return raw === '' || raw.length > longestInitData ? undefined : raw;
}

function readJson(text: string | null): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    // Not JSON: nothing is known.
    return {};
  }
}

/** `#rrggbb` of the forms in which clients send colours; undefined for anything else. */
export function readColor(value: unknown): Color | undefined {
  if (typeof value === 'number' && Number.isInteger(value)) {
    // Android and desktop may send the colour as a 32-bit number, its first byte being opacity.
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

/** The entries of Telegram's `theme_params` that are colours. */
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

/** Reads an address; undefined when Telegram put nothing into it. Never throws, whatever it holds. */
export function readLaunchAddress({
  hash,
  search,
}: {
  readonly hash: string;
  readonly search: string;
}): LaunchData | undefined {
  const launchPart = cutLaunchPart(hash.slice(0, longestAddress));
  if (!/(?:^|&)tgWebApp[A-Z]/.test(launchPart)) {
    return undefined;
  }
  const pairs = new URLSearchParams(launchPart);
  const query = new URLSearchParams(search.slice(0, longestAddress));
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

/** The address without Telegram's part: the visitor's own query stays, and so does any other hash. */
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

/** Telegram's apps give their web view a bridge; its web clients show the page in a frame. */
export function hasBridge(): boolean {
  return 'TelegramWebviewProxy' in window;
}

function isFramed(): boolean {
  return window.parent !== window;
}

/**
 * Takes the launch data out of the address, which then shows it no more; a reload of the same tab
 * finds it again. Undefined when this can only be a website: nothing was handed over, or there is
 * no Telegram around the page (somebody passed the address on).
 */
export function takeLaunch(): Opening | undefined {
  const { location, history } = window;
  const { hash, search } = location;
  const given = readLaunchAddress({ hash, search });
  if (/tgWebApp/.test(search + hash)) {
    history.replaceState(history.state, '', withoutLaunch(location));
  }
  if (!hasBridge() && !isFramed()) {
    return undefined;
  }
  if (given !== undefined) {
    tabMarks.write('launch', hash.slice(0, longestAddress));
    return { data: given, isFresh: true };
  }
  const kept = readLaunchAddress({ hash: tabMarks.read('launch') ?? '', search: '' });
  if (kept !== undefined) {
    return { data: kept, isFresh: false };
  }
  return hasBridge() ? { data: withoutData, isFresh: false } : undefined;
}

/** A bridge without launch data: Telegram is there, and tells nothing. */
const withoutData: LaunchData = {
  initData: undefined,
  telegramId: undefined,
  firstName: undefined,
  photoUrl: undefined,
  startParam: undefined,
  version: oldestVersion,
  client: 'unknown',
  palette: {},
};

/** What screens may know of the launch. */
export function toLaunch(data: LaunchData): Launch {
  const { initData, telegramId, firstName, photoUrl, startParam } = data;
  return {
    ...(initData === undefined ? {} : { initData }),
    ...(telegramId === undefined ? {} : { telegramId }),
    ...(firstName === undefined ? {} : { firstName }),
    ...(photoUrl === undefined ? {} : { photoUrl }),
    ...(startParam === undefined ? {} : { startParam }),
  };
}
