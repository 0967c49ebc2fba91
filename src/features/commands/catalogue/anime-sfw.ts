/** Anime commands for everyone. */
import { type Entry } from './entry.ts';

export const animeSfw: readonly Entry[] = [
  {
    id: 'anime',
    title: 'Anime',
    description:
      'Looks a series up on AniList: score, episodes, genres, studio and what it is about.',
    usage: '/anime Frieren\n/anime 154587, by AniList ID',
  },
  {
    id: 'manga',
    title: 'Manga',
    description: 'Looks a manga or light novel up on AniList.',
    usage: '/manga Yotsuba&!',
  },
  {
    id: 'character',
    title: 'Character',
    description: 'Shows a character with a portrait, other names, and the series they are in.',
    usage: '/character Rem',
  },
  {
    id: 'staff',
    title: 'Staff',
    description: 'Finds a director, author, animator or voice actor and their best-known work.',
    usage: '/staff Naoko Yamada',
  },
  {
    id: 'studio',
    title: 'Studio',
    description: 'Lists what an animation studio has made, the most popular first.',
    usage: '/studio Kyoto Animation',
  },
  {
    id: 'airing',
    title: 'Airing',
    description: 'Tells when the next episode of a series is on, in your own time zone.',
    usage: '/airing One Piece',
  },
  {
    id: 'schedule',
    title: 'Schedule',
    description: 'Lists what is on air today, or on another day of the week.',
    usage: '/schedule\n/schedule friday',
  },
  {
    id: 'season',
    title: 'Season',
    description: 'Shows the series of this season, or of any other, by popularity.',
    usage: '/season\n/season spring 2024',
  },
  {
    id: 'topanime',
    title: 'Top anime',
    description: 'Lists the best-rated series of all time, or of one genre.',
    usage: '/topanime\n/topanime mystery',
  },
  {
    id: 'recommend',
    title: 'Recommend',
    description: 'Suggests what to watch next after a series you liked.',
    usage: '/recommend Mushishi',
  },
  {
    id: 'watchlist',
    title: 'Watch list',
    description:
      'Shows your AniList progress once your account is linked, and marks an episode as seen.',
    usage: '/watchlist\n/watched Frieren 12\n/link anilist',
  },
  {
    id: 'sfw',
    title: 'Anime picture',
    description: 'Sends a picture of a character you name, suitable for any group.',
    usage: '/sfw Rem',
  },
  {
    id: 'pixiv',
    title: 'Pixiv',
    description: 'Sends artwork of a character from Pixiv, with the artist’s name and the source.',
    usage: '/pixiv Hatsune Miku',
  },
  {
    id: 'waifu',
    title: 'Waifu',
    description: 'Draws a character of the day for you; it stays yours until midnight.',
    usage: '/waifu\n/waifu Asuna for one by name',
  },
  {
    id: 'sauce',
    title: 'Find the source',
    description: 'Finds out which series and episode a screenshot comes from.',
    usage: '/sauce as a reply to a picture',
  },
  {
    id: 'animequote',
    title: 'Quote',
    description: 'Sends a line from an anime, with who said it and where.',
    usage: '/animequote\n/animequote Lelouch',
  },
  {
    id: 'react',
    title: 'Reactions',
    description: 'Answers with a short animation: a hug, a pat, a wave and more.',
    usage: '/hug as a reply\n/pat @user\n/wave',
  },
];
