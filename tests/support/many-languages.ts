/** A site in several languages, and a browser that opens its pages as far as their head. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';

import { type Language, languagePrefix } from '#contract/languages';
import { languageScript } from '#scripts/early-language.ts';
import { loadStaticSite, type StaticSite } from '#server/http/static-site';

const pages = { 'index.html': 'Home', 'login/index.html': 'Login', '404.html': 'Not found' };

/** The built pages in each of these languages, which their titles name: `ru: Login`. */
export async function siteInLanguages(
  languages: readonly Language[],
  publicUrl?: string,
): Promise<StaticSite> {
  const folder = await mkdtemp(join(tmpdir(), 'nori-languages-'));
  const names = Object.entries(pages).flatMap(([name, title]) =>
    languages.map((tag) => ({ file: join(folder, languagePrefix(tag), name), title, tag })),
  );
  for (const { file, title, tag } of names) {
    const robots = title === 'Not found' ? 'noindex' : 'index,follow';
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      `<!doctype html><html lang="${tag}"><head><meta name="robots" content="${robots}"><title>${tag}: ${title}</title></head>`,
    );
  }
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'assets/app-1.js'), 'console.log(1)');
  const site = await loadStaticSite(folder, publicUrl);
  await rm(folder, { recursive: true });
  return site ?? new Map<string, never>();
}

/** What a page's script can know of the device. */
export type Device = {
  /** Languages of the browser, the preferred one first. */
  readonly browser?: readonly string[];
  readonly cookie?: string;
  readonly local?: Map<string, string>;
  readonly session?: Map<string, string>;
  /** Neither cookies nor storage. */
  readonly isBlocked?: boolean;
};

function toStorage(values = new Map<string, string>(), isBlocked = false) {
  const throwIfBlocked = () => {
    if (isBlocked) {
      throw new Error('SecurityError');
    }
  };
  return {
    getItem: (key: string) => {
      throwIfBlocked();
      return values.get(key) ?? null;
    },
    setItem: (key: string, value: string) => {
      throwIfBlocked();
      values.set(key, value);
    },
  };
}

/** What the script uses of a page. */
const globals = [
  'document',
  'location',
  'history',
  'navigator',
  'localStorage',
  'sessionStorage',
] as const;
const compiled = new Map<string, ReturnType<typeof compileFunction>>();

function compileScript(languages: readonly Language[], isServed: boolean) {
  const key = `${languages.join()} ${isServed}`;
  const script =
    compiled.get(key) ?? compileFunction(languageScript(languages, { isServed }), [...globals]);
  compiled.set(key, script);
  return script;
}

/**
 * Runs the inline script of the page at this address. Returns where it leads, and the address and visibility that
 * the page has then.
 */
export function runLanguageScript(
  address: string,
  languages: readonly Language[],
  { isServed, ...device }: Device & { readonly isServed: boolean },
) {
  const { pathname, search, hash } = new URL(address, 'https://nori.example.org');
  const page: { replaced: string | undefined; address: string } = { replaced: undefined, address };
  const documentElement = { hidden: false };
  const parts: Record<(typeof globals)[number], unknown> = {
    document: { documentElement, cookie: device.cookie ?? '' },
    location: { pathname, search, hash, replace: (next: string) => (page.replaced = next) },
    history: {
      replaceState: (_state: unknown, _title: string, next: string) => (page.address = next),
    },
    navigator: { languages: device.browser ?? [] },
    localStorage: toStorage(device.local, device.isBlocked),
    sessionStorage: toStorage(device.session, device.isBlocked),
  };
  Reflect.apply(
    compileScript(languages, isServed),
    undefined,
    globals.map((name) => parts[name]),
  );
  return { ...page, isHidden: documentElement.hidden };
}
