/** Stand-ins for what /download and /tts use: the public upstream, and the hosts where files are. */
import { isPublicAddress, type Network } from '#server/upstream/allowlisted-fetch';

import { startGroup } from './command-group.ts';
import { type Answer } from './stand-in-server.ts';
import { startStandIn } from './stand-in.ts';

/** Names that end in .example are on loopback, which counts as the open internet; *.intern is a private network. */
const network: Network = {
  lookup: (host) =>
    host.endsWith('.example') || host.endsWith('.intern')
      ? Promise.resolve([
          { address: host.endsWith('.intern') ? '10.0.0.7' : '127.0.0.1', family: 4 },
        ])
      : Promise.reject(new Error(`getaddrinfo ENOTFOUND ${host}`)),
  isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
};

/** An Opus file, as its first bytes say. */
export const opus = Buffer.concat([
  Buffer.from('OggS'),
  Buffer.alloc(24),
  Buffer.from('OpusHead…'),
]);

type Media = readonly { readonly type: 'image' | 'video' | 'audio'; readonly stream_url: string }[];

const voices: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  tts: { Low: ['Ben'] },
  'anime-tts': { Heroes: ['Holo', 'Holo the Wise'] },
};

/** A bot with an upstream that finds `media` behind every link, and speaks by `speech`; `files` are by their path. */
export async function startWithMedia({
  files = {},
  options = {},
}: {
  readonly files?: Readonly<Record<string, Answer>>;
  readonly options?: Parameters<typeof startGroup>[0];
} = {}) {
  const host = await startStandIn(
    ({ path }): Answer =>
      files[path] ?? { status: 404, headers: { 'Content-Type': 'text/html' }, body: 'gone' },
  );
  const { port } = new URL(host.url);
  const at = (path: string, name = 'media.example') => `http://${name}:${port}${path}`;
  const found: { title?: string; media: Media; speech: string } = { media: [], speech: '/voice' };

  const upstream = await startStandIn(({ path }): Answer => {
    const url = new URL(path, 'http://stand-in');
    const [, collection = '', call, category = ''] = decodeURIComponent(url.pathname).split('/');
    const link = url.searchParams.get('url');
    if (link !== null) {
      return { body: { url: link, ...found } };
    }
    const listed = voices[collection] ?? {};
    if (call === 'categories') {
      return { body: { categories: Object.keys(listed) } };
    }
    if (call === 'characters') {
      return { body: { characters: listed[category] ?? [] } };
    }
    if (call === 'synthesize') {
      return { body: { stream_url: found.speech } };
    }
    return files[path] ?? { status: 404, body: { error: 'not_found' } };
  });

  const group = await startGroup({
    network,
    ...options,
    variables: { PUBLIC_API_UPSTREAM: upstream.url, ...options.variables },
  });
  return { group, upstream, host, found, at };
}
