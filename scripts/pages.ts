/** Assembles the HTML of one page: the built template, the rendered content, and what it loads. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { sourceLanguage } from '#contract/languages';
import { escapeMarkup } from '#server/http/site-address';

import { earlyInputScript } from './lib/early-input.ts';
import { languageScript } from './lib/early-language.ts';
import { headTags } from './lib/head.ts';
import {
  type BuildLanguage,
  isPseudoLanguage,
  siteLanguages,
  textDirection,
} from './lib/languages/build-language.ts';

type Chunk = {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
  readonly isEntry?: boolean;
};

/** Vite's manifest: what it built, by source file. */
export type Manifest = Readonly<Record<string, Chunk>>;

type Page = {
  /** The page's address; undefined for the page that is served at unknown addresses. */
  readonly path: string | undefined;
  readonly html: string;
  readonly title: string;
  readonly description: string;
  readonly isPublic: boolean;
  readonly siteName: string;
  /** What the picture of a preview shows. */
  readonly pictureText: string;
  readonly hosts: readonly (string | undefined)[];
  readonly rareHosts: readonly (string | undefined)[];
  /** The source file of its screen, as the manifest names it. */
  readonly source: string | undefined;
  /** The source file of the screen that a link to a chat opens instead. */
  readonly chatSource: string | undefined;
};

/** Screens that show nothing of their own before the server has answered, so that they call it at once. */
const callsAtOnce = /images\/hub-screen/;
/** What makes the first call. */
const httpClient = 'node_modules/axios/index.js';

/** The chunks and style sheets that a screen needs beyond those of the entry. */
function filesOfScreen(manifest: Manifest, source: string | undefined) {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  const entry = Object.values(manifest).find(({ isEntry }) => isEntry);
  const known = new Set(entry?.imports);
  const visit = (key: string) => {
    const chunk = manifest[key];
    if (chunk && !known.has(key) && chunk.isEntry !== true) {
      known.add(key);
      scripts.add(chunk.file);
      chunk.css?.forEach((file) => styles.add(file));
      chunk.imports?.forEach(visit);
    }
  };
  if (source !== undefined) {
    visit(source);
    if (callsAtOnce.test(source)) {
      visit(httpClient);
    }
  }
  return { scripts: [...scripts], styles: [...styles] };
}

/**
 * A style sheet inlined into the page saves a round trip before the first paint. The disabled link is never
 * fetched; it tells Vite's loader that the style sheet of a lazy chunk is already there.
 */
async function inlineSheet(dist: string, file: string): Promise<string> {
  const css = await readFile(join(dist, file), 'utf8');
  return `<style>${css.trim()}</style><link rel="stylesheet" href="/${file}" disabled>`;
}

type Preloads = {
  readonly preloads: readonly string[];
  /** What a link to a chat needs instead. */
  readonly chatPreloads: readonly string[];
};

/** Where no paint is reported (a hidden page, an old browser), scripts load after this time. */
const longestWaitMs = 500;

/**
 * Loads the scripts after the first paint: on a slow connection they would delay it, and the prerendered
 * page does not need them. The browser reports the paint, because an animation frame comes before it. Where the
 * browser has Trusted Types, the address of a script must come from a policy that the server's policy of pages names.
 */
function deferredScripts(entry: string, { preloads, chatPreloads }: Preloads): string {
  // A link to a chat shows another screen than the prerendered one, so there is no paint to wait for.
  const early =
    chatPreloads.length === 0
      ? ''
      : `if(/tgWebAppStartParam=chat_/.test(location.href))return load(${JSON.stringify(chatPreloads)});`;
  const script = `(function(isLoading){
function add(tag,attributes){document.head.append(Object.assign(document.createElement(tag),attributes))}
function load(files){
if(isLoading)return;isLoading=true;
(files||${JSON.stringify(preloads)}).forEach(function(href){add('link',/css$/.test(href)?{rel:'preload',as:'style',crossOrigin:'',href:href}:{rel:'modulepreload',href:href})});
var rules={createScriptURL:function(){return ${JSON.stringify(entry)}}};
add('script',{type:'module',src:(window.trustedTypes?trustedTypes.createPolicy('nori-entry',rules):rules).createScriptURL('')})}
${early}
setTimeout(function(){load()},document.hidden?0:${longestWaitMs});
try{new PerformanceObserver(function(list){if(list.getEntriesByName('first-contentful-paint').length)load()}).observe({type:'paint',buffered:true})}catch(unknown){load()}
})()`;
  return `<script>${script.replaceAll('\n', '')}</script>`;
}

/**
 * Starts the service worker when the page is at rest, and tells it what the page has loaded before. Some web views, and
 * private windows, refuse it. Plain text like the loader, so that it costs the page's scripts nothing.
 */
const workerScript = `<script>addEventListener('load',function(){setTimeout(function(){
var workers=navigator.serviceWorker;if(!workers)return;
var rules={createScriptURL:function(){return '/service-worker.js'}};
workers.register((window.trustedTypes?trustedTypes.createPolicy('nori-offline',rules):rules).createScriptURL('')).then(function(){return workers.ready}).then(function(registration){
registration.active.postMessage(performance.getEntriesByType('resource').map(function(entry){return entry.name}))}).catch(function(){})
},2000)})</script>`.replaceAll('\n', '');

function toAddresses(files: readonly string[]): string[] {
  return files.map((file) => `/${file}`);
}

/** Removes every match from the page and returns their first captures. */
function takeOut(page: string, pattern: RegExp): { page: string; taken: string[] } {
  const taken = [...page.matchAll(pattern)].map(([, value = '']) => value);
  return { page: page.replaceAll(pattern, ''), taken };
}

type Built = {
  /** The folder of the built site. */
  readonly dist: string;
  /** The page that Vite built, without content. */
  readonly template: string;
  readonly manifest: Manifest;
  readonly language: BuildLanguage;
  /** The page that loads nothing: its script is in it. */
  readonly gate: { readonly path: string; readonly script: string };
};

/** The end of an element in a text of the script would end the script. */
const toInline = (script: string): string => script.trim().replaceAll('</script', '<\\/script');

/** Returns a function that fills the template which Vite built, for one page at a time. */
export function createPageWriter({ dist, template, manifest, language, gate }: Built) {
  const entry = takeOut(template, /<script type="module"[^>]*src="([^"]+)"[^>]*><\/script>/g);
  const preloads = takeOut(entry.page, /<link rel="modulepreload"[^>]*href="([^"]+)"[^>]*>/g);
  const sheets = takeOut(preloads.page, /<link rel="stylesheet"[^>]*href="\/([^"]+)"[^>]*>/g);

  const ownLanguage = isPseudoLanguage(language) ? sourceLanguage : language;

  return async ({ path, html, source, chatSource, ...about }: Page): Promise<string> => {
    const { title, description, isPublic } = about;
    const { scripts, styles } = filesOfScreen(manifest, source);
    const css = await Promise.all(
      [...sheets.taken, ...styles].map((file) => inlineSheet(dist, file)),
    );
    const chat = filesOfScreen(manifest, chatSource);
    const chatFiles = [...chat.scripts, ...chat.styles];
    const isGate = path === gate.path;
    const loader = deferredScripts(entry.taken[0] ?? '', {
      preloads: [...preloads.taken, ...toAddresses(scripts)],
      chatPreloads: chatSource === undefined ? [] : [...preloads.taken, ...toAddresses(chatFiles)],
    });
    const script = languageScript(siteLanguages(), { isServed: about.hosts[0] === undefined });
    const languages = script === '' ? '' : `<script>${script}</script>`;
    const dataPath = path === undefined ? '' : ` data-path="${path}"`;
    return sheets.page
      .replace('<meta name="viewport"', (meta) => languages + meta)
      .replace('<html lang="en"', `<html lang="${language}" dir="${textDirection(language)}"`)
      .replace(/<title>.*<\/title>/, () => `<title>${escapeMarkup(title)}</title>`)
      .replace(
        /(<meta name="description" content=")"/,
        (_, start) => `${start}${escapeMarkup(description)}"`,
      )
      .replace(
        /(<meta name="robots" content=")[^"]*"/,
        (_, start) => `${start}${isPublic ? 'index,follow' : 'noindex'}"`,
      )
      .replace(
        '</head>',
        () => `${headTags({ ...about, language: ownLanguage })}${css.join('')}</head>`,
      )
      .replace('<div id="root"></div>', () => `<div id="root"${dataPath}>${html}</div>`)
      .replace('</body>', () =>
        isGate
          ? `<script>${toInline(gate.script)}</script></body>`
          : `<script>${earlyInputScript}</script>${loader}${workerScript}</body>`,
      );
  };
}
