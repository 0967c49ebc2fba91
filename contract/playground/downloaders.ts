/** Downloaders: an endpoint for each social network that returns the files behind a link. */
import { downloadAnswer } from './answers.ts';
import { type PublicEndpoint } from './public-endpoint.ts';
import { playgroundTexts as texts } from './texts.ts';

type Network<Path extends string> = {
  readonly path: Path;
  readonly name: string;
  /** The first one is named when a link is wrong. */
  readonly sites: readonly string[];
  /** An example of a link as users share it. */
  readonly link: string;
};

function downloader<const Path extends string>({ path, name, sites, link }: Network<Path>) {
  return {
    id: path,
    name,
    method: 'GET',
    path: `/${path}`,
    description: texts.download.description(name),
    category: texts.categories.downloaders,
    parameters: [
      {
        name: 'url',
        type: 'url',
        required: true,
        description: texts.download.url(name),
        placeholder: link,
        maxLength: 2000,
        sites,
      },
    ],
    examples: [
      {
        name: texts.download.example.name,
        description: texts.download.example.description(name),
        parameters: { url: link },
      },
    ],
    is18plus: false,
    answer: downloadAnswer,
  } as const satisfies PublicEndpoint;
}

/** The ends of the domains that Pinterest's own certificate names beside pinterest.com. */
const pinterestCountries =
  'at be ca ch cl co co.at co.in co.kr co.nz co.uk com.au com.bo com.ec com.mx com.pe com.py com.uy com.vn de dk ec es fr hu id ie in it jp kr mx nl nz pe ph pt se th tw uk vn'.split(
    ' ',
  );

export const downloaderEndpoints = [
  downloader({
    path: 'douyin',
    name: 'Douyin',
    sites: ['douyin.com', 'iesdouyin.com'],
    link: 'https://www.douyin.com/video/7100000000000000000',
  }),
  downloader({
    path: 'tk',
    name: 'TikTok',
    sites: ['tiktok.com'],
    link: 'https://www.tiktok.com/@example/video/7100000000000000000',
  }),
  downloader({
    path: 'fb',
    name: 'Facebook',
    sites: ['facebook.com', 'fb.watch', 'fb.com'],
    link: 'https://www.facebook.com/watch/?v=1000000000000000',
  }),
  downloader({
    path: 'insta',
    name: 'Instagram',
    sites: ['instagram.com', 'instagr.am'],
    link: 'https://www.instagram.com/p/EXAMPLE0000/',
  }),
  downloader({
    path: 'x',
    name: 'X',
    sites: ['x.com', 'twitter.com', 't.co'],
    link: 'https://x.com/example/status/1000000000000000000',
  }),
  downloader({
    path: 'pin',
    name: 'Pinterest',
    sites: ['pinterest.com', 'pin.it', ...pinterestCountries.map((end) => `pinterest.${end}`)],
    link: 'https://www.pinterest.com/pin/100000000000000000/',
  }),
  downloader({
    path: 'threads',
    name: 'Threads',
    sites: ['threads.com', 'threads.net'],
    link: 'https://www.threads.com/@example/post/EXAMPLE0000',
  }),
] as const;
