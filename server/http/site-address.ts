/**
 * Everything that depends on the public address of the site: canonical links, the picture of link
 * previews, and the sitemap. The build uses it for a static host, and the server for itself.
 */
import { sourceLanguage } from '#contract/languages';

import { splitPrefix } from './site-languages.ts';

/** The picture of link previews, from the root of the site. */
export const previewPicture = '/social.png';

const addressTags = /<link rel="canonical"[^>]*>|<meta property="og:url"[^>]*>/g;
const previewTag = new RegExp(
  `(<meta (?:property="og|name="twitter):image" content=")[^"]*(${previewPicture}")`,
  'g',
);

/** The address without a slash at its end; undefined when it is not a web address. */
export function siteOrigin(publicUrl: string | undefined): string | undefined {
  const isWeb = URL.canParse(publicUrl ?? '') && /^https?:/.test(publicUrl ?? '');
  return isWeb ? publicUrl?.replace(/\/+$/, '') : undefined;
}

/** Whether search engines may list the page. */
export function isListed(html: string): boolean {
  return /<meta name="robots" content="index/.test(html);
}

/**
 * Puts `origin` into a built page in place of the address it was built for. `path` is the path of the
 * page; undefined when search engines must not list it.
 */
export function atAddress(html: string, origin: string, path: string | undefined): string {
  const home = escapeMarkup(origin);
  const tags =
    path === undefined
      ? ''
      : `<link rel="canonical" href="${home}${path}"><meta property="og:url" content="${home}${path}">`;
  return html
    .replaceAll(addressTags, '')
    .replaceAll(previewTag, (_tag, start, end) => `${start}${home}${end}`)
    .replace('</head>', () => `${tags}</head>`);
}

/** Crawlers may read the pages but not the API. */
export function robotsText(origin: string | undefined): string {
  const lines = ['User-agent: *', 'Disallow: /backend/', 'Disallow: /public-api/'];
  const sitemap = origin === undefined ? [] : ['', `Sitemap: ${origin}/sitemap.xml`];
  return `${[...lines, ...sitemap].join('\n')}\n`;
}

/**
 * `paths` are the pages that search engines may list, in all languages. Each names its translations, and as the one for
 * everyone else that without a prefix, which knows the language of a browser.
 */
export function sitemapXml(origin: string, paths: readonly string[]): string {
  const pages = paths.map((path) => {
    const { language, path: plain } = splitPrefix(path);
    return { path, language, plain };
  });
  const isTranslated = pages.some(({ language }) => language !== undefined);
  const link = (language: string, path: string) =>
    `<xhtml:link rel="alternate" hreflang="${language}" href="${escapeMarkup(origin + path)}"/>`;
  const urls = pages.map((page) => {
    const translations = isTranslated ? pages.filter(({ plain }) => plain === page.plain) : [];
    const links = [
      ...translations.map(({ path, language }) => link(language ?? sourceLanguage, path)),
      ...translations
        .filter(({ language }) => language === undefined)
        .map(({ path }) => link('x-default', path)),
    ];
    return `  <url><loc>${escapeMarkup(origin + page.path)}</loc>${links.join('')}</url>\n`;
  });
  const names = isTranslated ? ' xmlns:xhtml="http://www.w3.org/1999/xhtml"' : '';
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"${names}>
${urls.join('')}</urlset>
`;
}

/** Escapes text for an element or a quoted attribute. */
export function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
