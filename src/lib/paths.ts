/** Every address of the app. */
import { pictureStartParams, setUpStartParam } from '#contract/chats/bot-links';

/** The first part of every address of this language: "/ru"; empty for English. The paths below are without it. */
export const prefix: string = import.meta.env.NORI_PREFIX;

export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  reset: '/reset-password',
  dashboard: '/dashboard',
  features: '/features',
  credits: '/credits',
  privacyPolicy: '/privacy-policy',
  account: '/account',
  models: '/models',
  api: '/api',
  spotifyAuth: '/spotify-auth',
  anilistAuth: '/anilist-auth',
  nowPlaying: '/spotify/now-playing',
  video: '/jav-auth',
  gate: '/gate',
} as const;

/** The dashboard's steps are in the query, so that Back, a reload and a link keep them. */
export const dashboardPaths = {
  list: paths.dashboard,
  add: `${paths.dashboard}?step=add`,
  verify: (chatId: string) => `${paths.dashboard}?verify=${encodeURIComponent(chatId)}`,
  presets: (chatId: string) => `${paths.dashboard}?chat=${encodeURIComponent(chatId)}&view=presets`,
  chat: (chatId: string, topicId?: string) =>
    `${paths.dashboard}?chat=${encodeURIComponent(chatId)}${topicId === undefined ? '' : `&topic=${encodeURIComponent(topicId)}`}`,
  /** A tab of the chat's settings. `topicId` is the topic to which the tab of the locks returns. */
  section: (chatId: string, section: ChatSection, topicId?: string) =>
    `${dashboardPaths.chat(chatId, topicId)}${section === 'locks' ? '' : `&section=${section}`}`,
} as const;

/** The tabs of a chat's settings. The first is shown where the address names none. */
export const chatSections = [
  'locks',
  'moderation',
  'joining',
  'greetings',
  'automatic',
  'content',
  'log',
] as const;
export type ChatSection = (typeof chatSections)[number];

/** The hub's views are in the query, so that Back, a reload and a link keep them. */
export const hubPaths = {
  generator: `${paths.models}?provider=pixai&view=generator`,
  models: `${paths.models}?provider=pixai&view=models`,
  provider: (id: string) => `${paths.models}?provider=${encodeURIComponent(id)}`,
} as const;

/**
 * The address for a start parameter: `chat_<id>` and `chat_<id>_<topic>` open the chat's settings, `setup` the first
 * step of adding one, `picture_<id>` a picture and `remix_<id>` its recipe. Undefined for others. Anyone can forge it;
 * the server checks the access.
 */
export function startParamPath(startParam: string | undefined): string | undefined {
  if (startParam === setUpStartParam) {
    return dashboardPaths.add;
  }
  if (pictureStartParams.test(startParam ?? '')) {
    // The generator asks the server of which provider it is.
    return `${hubPaths.generator}&${startParam?.replace('_', '=')}`;
  }
  const match = /^chat_(-?[1-9]\d{0,15})(?:_(0|[1-9]\d{0,9}))?$/.exec(startParam ?? '');
  return match?.[1] === undefined ? undefined : dashboardPaths.chat(match[1], match[2]);
}
