/** What the credits page says. */
import { brand } from '#lib/brand';

export const creditsTexts = {
  heading: 'Models',
  lead: `Whose models, data and open work ${brand.name} stands on.`,

  providersHeading: 'Providers',
  providersLead:
    'Each belongs to those who run it. None of them made this app, and whoever runs the server decides which are connected.',
  providers: [
    { name: 'PixAI', href: 'https://pixai.art', use: 'Models and LoRAs for anime pictures' },
    { name: 'Kusa', href: 'https://kusa.pics', use: 'Styles to draw in' },
    { name: 'Imagine Art', href: 'https://www.imagine.art', use: 'Pictures in six styles' },
    { name: 'Midjourney', href: 'https://www.midjourney.com', use: 'Pictures in series' },
    { name: 'AniList', href: 'https://anilist.co', use: 'Facts about anime, manga and characters' },
    { name: 'Spotify', href: 'https://www.spotify.com', use: 'The song that is playing' },
    {
      name: 'Telegram',
      href: 'https://telegram.org',
      use: 'The chats, the bot, and this app’s home',
    },
  ],

  authorHeading: 'Author',
  author: (name: string) => `Made by ${name}.`,
  licence: `${brand.name} is free software under the MIT licence.`,
  updates: 'Updates channel',
  notSet: (variable: string) => `Set ${variable} to link this`,

  partsHeading: 'Open source',
  partsLead: 'Thank you to everybody who writes, mends and documents these:',
  licenceText: (licence: string) => `${licence} licence`,
} as const;
