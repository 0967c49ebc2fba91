/** Every address of the app. */
export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
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
} as const;

/** The dashboard's steps live in the query string, so that Back, reload and a link keep the place. */
export const dashboardPaths = {
  list: paths.dashboard,
  add: `${paths.dashboard}?step=add`,
  verify: (chatId: string) => `${paths.dashboard}?verify=${encodeURIComponent(chatId)}`,
  chat: (chatId: string, topicId?: string) =>
    `${paths.dashboard}?chat=${encodeURIComponent(chatId)}${topicId === undefined ? '' : `&topic=${encodeURIComponent(topicId)}`}`,
} as const;

/**
 * Where a start parameter leads: `chat_<id>` and `chat_<id>_<topic>` open that chat's settings.
 * Undefined for anything else; anyone can forge it, so the server decides what it shows.
 */
export function pathOfStartParam(startParam: string | undefined): string | undefined {
  const match = /^chat_(-?[1-9]\d{0,15})(?:_(0|[1-9]\d{0,9}))?$/.exec(startParam ?? '');
  return match?.[1] === undefined ? undefined : dashboardPaths.chat(match[1], match[2]);
}

/** The hub's parts live in the query string, so that Back, reload and a link keep the place. */
export const hubPaths = {
  generator: `${paths.models}?provider=pixai&view=generator`,
  models: `${paths.models}?provider=pixai&view=models`,
  provider: (id: string) => `${paths.models}?provider=${encodeURIComponent(id)}`,
} as const;
