/** Reads the links of messages, and compares them with the addresses of a blocklist. */
import { domainToASCII } from 'node:url';

import { foldText, toSigns } from './signs.ts';
import { compileWords, hasWildcard } from './words.ts';

/** An address without its scheme, in lower case; the path begins with a slash, or is empty. */
export type Link = { readonly host: string; readonly path: string };

/** Of an address only so much is read, in UTF-16 code units. */
const maxAddressLength = 512;
const telegramHosts: ReadonlySet<string> = new Set(['t.me', 'telegram.me', 'telegram.dog']);

/** Undefined for what is no address of the web or of a chat in Telegram. */
export function readLink(address: string): Link | undefined {
  const given = address.slice(0, maxAddressLength).trim().toLowerCase();
  if (given.startsWith('tg:')) {
    return readDeepLink(given);
  }
  const scheme = given.indexOf('://');
  const rest = given.slice(scheme === -1 ? 0 : scheme + 3);
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  const host = toHost(authority);
  const path = end === -1 ? '' : rest.slice(end).replace(/^[\\/]*/, '/');
  return host === undefined ? undefined : unifyTelegram(host, path === '/' ? '' : path);
}

function toHost(authority: string): string | undefined {
  const named = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  const host = named.endsWith('.') ? named.slice(0, -1) : named;
  // In the letters in which it is asked for: пример.рф is xn--e1afmkfd.xn--p1ai.
  const ascii = /^[\w.-]+$/.test(host) ? host : domainToASCII(host);
  const labels = ascii.split('.');
  const isHost = labels.length > 1 && labels.every((label) => label !== '');
  return isHost && /[a-z]/.test(labels.at(-1) ?? '')
    ? (labels[0] === 'www' && labels.length > 2 ? labels.slice(1) : labels).join('.')
    : undefined;
}

/** `tg://join?invite=…` and `tg://resolve?domain=…` open what an address of t.me opens. */
function readDeepLink(given: string): Link | undefined {
  const [, invite] = /[?&]invite=([\w-]+)/.exec(given) ?? [];
  const [, name] = /[?&]domain=(\w+)/.exec(given) ?? [];
  const path = invite === undefined ? name : `+${invite}`;
  return path === undefined ? undefined : { host: 't.me', path: `/${path}` };
}

/** The addresses of a chat differ, and all of them open it. */
function unifyTelegram(host: string, path: string): Link {
  if (telegramHosts.has(host)) {
    return {
      host: 't.me',
      path: path.replace(/^\/s\//, '/').replace(/^\/(?:joinchat\/|%2b)/, '/+'),
    };
  }
  const [, name] = /^([a-z]\w+)\.t\.me$/.exec(host) ?? [];
  return name === undefined ? { host, path } : { host: 't.me', path: `/${name}${path}` };
}

/** Where a text has what looks like an address, marked as a link or not. */
export function listLinks(
  text: string,
): readonly { readonly link: Link; readonly start: number; readonly end: number }[] {
  return [...text.matchAll(/[^\s,;|<>()[\]{}"'«»“”]+/gu)].flatMap(({ 0: token, index }) => {
    if (!token.includes('.') && !/^tg:/i.test(token)) {
      return [];
    }
    const start = token.search(/[\p{L}\p{N}]/u);
    let { length } = token;
    while (length > 0 && '.!?:*_~`…'.includes(token.charAt(length - 1))) {
      length -= 1;
    }
    const link = start === -1 ? undefined : readLink(token.slice(start, length));
    return link === undefined ? [] : [{ link, start: index + start, end: index + length }];
  });
}

const entryPattern =
  /^(?:[a-z][a-z\d+.-]*:\/\/)?(?:\*\.)?(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+(?:[/?#]\S*)?$/iu;

/** The address that an entry of a blocklist is; undefined for words. `*.ru` stands for all hosts of it. */
export function readLinkEntry(entry: string): Link | undefined {
  const [, domain] = /^\*\.([\p{L}\d-]{2,})$/u.exec(entry) ?? [];
  if (domain !== undefined) {
    return { host: domainToASCII(domain), path: '' };
  }
  if (!entryPattern.test(entry) || !entry.includes('.')) {
    return undefined;
  }
  const link = readLink(entry.replace(/^((?:[a-z][a-z\d+.-]*:\/\/)?)\*\./i, '$1'));
  // What stands for any host is a word with a wildcard.
  return link !== undefined && hasWildcard(link.host) ? undefined : link;
}

/** In the place of the slash after the host, which has its own sign so that a path is never taken for a host. */
const afterHost = '\uE000';
/** Signs of an address that are compared with entries with wildcards. */
const maxComparedLength = 64;

const toComparedText = ({ host, path }: Link): string =>
  `${host}${afterHost}${path.slice(1)}`.slice(0, maxComparedLength);

export type LinkMatcher = ReturnType<typeof compileLinks>;

/** Returns what finds the entry that has a link: its host or one above it, and the beginning of its path. */
export function compileLinks(entries: readonly Link[]) {
  const exact = new Map<string, number>();
  const loose: { readonly text: string; readonly index: number }[] = [];
  const looseHosts = new Set<string>();
  for (const [index, link] of entries.entries()) {
    if (hasWildcard(link.path)) {
      loose.push({ text: toComparedText(link), index });
      looseHosts.add(link.host);
    } else {
      const key = link.host + link.path;
      exact.set(key, exact.get(key) ?? index);
    }
  }
  const patterns = compileWords(loose.map(({ text }) => ({ text, hasWildcards: true })));

  return (link: Link): number | undefined => {
    const hosts = listHosts(link.host);
    const paths = listBeginnings(link.path);
    for (const host of hosts) {
      for (const path of paths) {
        const index = exact.get(host + path);
        if (index !== undefined) {
          return index;
        }
      }
    }
    const host = hosts.find((one) => looseHosts.has(one));
    const { found } =
      host === undefined
        ? { found: undefined }
        : patterns.find(toSigns(foldText(toComparedText({ ...link, host }))));
    return found === undefined ? undefined : loose[found]?.index;
  };
}

/** The host and all above it: a.b.example.com, b.example.com, example.com, com. */
function listHosts(host: string): readonly string[] {
  const labels = host.split('.');
  return labels.map((_label, index) => labels.slice(index).join('.'));
}

/** What a longer path begins with, up to where a part of it ends. */
function listBeginnings(path: string): readonly string[] {
  const ends = [...path.slice(0, maxComparedLength).matchAll(/[/?#&]/g)].map(({ index }) => index);
  return [...new Set(['', ...ends.map((end) => path.slice(0, end)), path])];
}
