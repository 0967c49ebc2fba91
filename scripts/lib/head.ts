/** The tags in a page's head for search engines, link previews and phones, and the files they need. */
import { type Language, languagePrefix, languages, sourceLanguage } from '#contract/languages';
import { escapeMarkup, previewPicture } from '#server/http/site-address';

type About = {
  /** English when absent. */
  readonly language?: Language;
  readonly title: string;
  readonly description: string;
  /** Whether search engines may list it and other sites may preview it. */
  readonly isPublic: boolean;
  readonly siteName: string;
  /** What the picture of a preview shows. */
  readonly pictureText: string;
  /** The servers that the app is built to call, where they are set. */
  readonly hosts: readonly (string | undefined)[];
  /** Those that only some screens call: no connection is opened before. */
  readonly rareHosts?: readonly (string | undefined)[];
};

const previewSize = { width: 1200, height: 630 };

/** The tags of one page. `atAddress` adds those that need the site's address. */
export function headTags(about: About): string {
  const { title, description, isPublic, siteName, pictureText, hosts, rareHosts = [] } = about;
  const { language = sourceLanguage } = about;
  const everywhere = [
    `<link rel="manifest" href="${languagePrefix(language)}/manifest.webmanifest">`,
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    ...readOrigins(hosts).map((origin) => `<link rel="preconnect" href="${origin}" crossorigin>`),
    ...readOrigins(rareHosts).map((origin) => `<link rel="dns-prefetch" href="${origin}">`),
  ];
  const preview = {
    'property="og:type"': 'website',
    'property="og:site_name"': siteName,
    // Readers take it for American English where it is missing.
    ...(language === sourceLanguage ? {} : { 'property="og:locale"': previewLocale(language) }),
    'property="og:title"': title,
    'property="og:description"': description,
    'property="og:image"': previewPicture,
    'property="og:image:width"': String(previewSize.width),
    'property="og:image:height"': String(previewSize.height),
    'property="og:image:alt"': pictureText,
    'name="twitter:card"': 'summary_large_image',
    'name="twitter:title"': title,
    'name="twitter:description"': description,
    'name="twitter:image"': previewPicture,
  };
  const tags = Object.entries(preview).map(
    ([name, content]) => `<meta ${name} content="${escapeMarkup(content)}">`,
  );
  return [...everywhere, ...(isPublic ? tags : [])].join('');
}

/** The language with the country where it is spoken by most: `ru_RU`. */
function previewLocale(language: Language): string {
  const { language: base, region = '' } = new Intl.Locale(language).maximize();
  return `${base}_${region}`;
}

/** The origins of the addresses, without the site's own. */
function readOrigins(addresses: readonly (string | undefined)[]): string[] {
  const urls = addresses.filter((address) => URL.canParse(address ?? ''));
  return [...new Set(urls.map((url) => new URL(url ?? '').origin))];
}

const icon = (src: string, size: number, purpose: string) => ({
  src,
  sizes: `${size}x${size}`,
  type: 'image/png',
  purpose,
});

/** The web app manifest, with which a phone or a browser can install the app. */
export function manifestJson({
  siteName,
  description,
  language = sourceLanguage,
}: Pick<About, 'siteName' | 'description' | 'language'>): string {
  return JSON.stringify({
    id: '/',
    name: siteName,
    short_name: siteName,
    description,
    lang: language,
    dir: languages[language].direction,
    start_url: languagePrefix(language) || '/',
    scope: '/',
    display: 'standalone',
    background_color: '#faf9f5',
    theme_color: '#faf9f5',
    icons: [
      icon('/icon-192.png', 192, 'any'),
      icon('/icon-512.png', 512, 'any'),
      icon('/icon-maskable.png', 512, 'maskable'),
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    ],
  });
}
