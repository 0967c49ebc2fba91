/** Names a device so that its owner recognises it in a list: "Chrome on Windows". */

const browsers: readonly (readonly [RegExp, string])[] = [
  [/Telegram/i, 'Telegram'],
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];

const systems: readonly (readonly [RegExp, string])[] = [
  [/\b(?:iPhone|iPod)\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
];

/** The user agent itself is not kept: a short name from a fixed list is all that people need. */
export function deviceName(userAgent = ''): string {
  const find = (names: typeof browsers) => names.find(([sign]) => sign.test(userAgent))?.[1];
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined || system === undefined) {
    return browser ?? system ?? 'Unknown device';
  }
  return `${browser} on ${system}`;
}
