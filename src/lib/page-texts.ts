/**
 * The titles of all pages, without the product's name, and what else names them. Every page loads titles
 * and labels, so they are apart from the texts of the features.
 */
import { type paths } from './paths.ts';

export const titles = {
  home: 'The bot your group chat was missing',
  login: 'Log in',
  signup: 'Sign up',
  reset: 'Set a new password',
  dashboard: 'Dashboard',
  features: 'Features',
  credits: 'Models and credits',
  privacyPolicy: 'Privacy Policy',
  account: 'Your account',
  models: 'AI Models',
  api: 'API',
  spotifyAuth: 'Connect Spotify',
  anilistAuth: 'Connect AniList',
  nowPlaying: 'Now playing',
  video: 'JAV Video Player',
  gate: 'Join a group',
  notFound: 'Page not found',
} as const satisfies Record<keyof typeof paths | 'notFound', string>;

/** The entries of the navigation. */
export const labels = {
  home: 'Home',
  models: 'Models',
  credits: 'Credits',
} as const;

/** For search engines and link previews. Only needed when prerendering. */
export const descriptions = {
  home: 'Moderate topics, warn and mute by command, make art. Set up your bot here, in Telegram or in any browser.',
  login: 'Log in to manage what is allowed in your Telegram chats.',
  signup: 'Create an account with your Telegram user ID and a one-time password.',
  features: 'Every command of the bot, with a search: locks, warnings, bans, reports, topics.',
  models: 'Browse and generate AI images with models: hundreds of models and LoRAs, one history.',
  api: 'Try the bot’s public API from the page: pictures, anime, downloads, text to speech.',
  credits: 'Whose pictures, data and open-source work this stands on.',
  privacyPolicy: 'What is kept about you, what for, and how to have it deleted.',
} as const;

/** Of the picture that a preview of a link shows. */
export const preview = {
  picture: (product: string) =>
    `${product}: a friendly rice ball, and what it can do for a group chat`,
} as const;
