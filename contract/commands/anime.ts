/** The commands about anime, and those for adults. IDs are used in links and in usage figures, so they do not change. */
import { declareCommands } from './command.ts';

const lookup = {
  who: 'anyone',
  where: ['group', 'private'],
  needs: ['anilist'],
  answer: 'public',
} as const;

export const animeCommands = declareCommands({
  anime: { ...lookup, names: ['anime'], usage: ['/anime Frieren'] },
  manga: { ...lookup, names: ['manga'], usage: ['/manga Berserk'] },
  character: { ...lookup, names: ['character'], usage: ['/character Spike Spiegel'] },
  staff: { ...lookup, names: ['staff'], usage: ['/staff Hayao Miyazaki'] },
  studio: { ...lookup, names: ['studio'], usage: ['/studio Madhouse'] },
  airing: { ...lookup, names: ['airing'], usage: ['/airing One Piece'] },
  schedule: { ...lookup, names: ['schedule'], usage: ['/schedule'] },
  season: {
    ...lookup,
    names: ['season'],
    usage: ['/season', ['seasonOther', '/season winter 2026']],
  },
  topanime: { ...lookup, names: ['top', 'topanime'], usage: ['/top'] },
  recommend: { ...lookup, names: ['recommend'], usage: ['/recommend Cowboy Bebop'] },
  waifu: { ...lookup, names: ['waifu'], usage: ['/waifu'] },
  watchlist: {
    names: ['watchlist', 'watched'],
    usage: ['/watchlist', ['watchedNext', '/watched Frieren'], ['watchedTo', '/watched Frieren 5']],
    who: 'anyone',
    where: ['group', 'private'],
    needs: ['anilistAccount'],
    answer: 'quiet',
  },
  sfw: {
    names: ['sfw', 'pixiv'],
    usage: ['/sfw', '/sfw Totoro', '/pixiv Hatsune Miku'],
    who: 'anyone',
    where: ['group', 'private'],
    needs: ['upstream'],
    answer: 'public',
  },
});

export const adultCommands = declareCommands({
  nsfwmode: {
    names: ['nsfwmode', 'nsfwclean'],
    usage: [
      ['either', '/nsfwmode on', '/nsfwmode off'],
      ['nsfwmodeAll', '/nsfwmode off all'],
      '/nsfwclean 10m',
    ],
    who: 'creator',
    where: ['group', 'topic'],
    needs: ['adult'],
    answer: 'quiet',
  },
  nsfw: {
    names: ['nsfw'],
    usage: ['/nsfw', '/nsfw Hatsune Miku'],
    who: 'anyone',
    where: ['group', 'topic', 'private'],
    needs: ['adult'],
    answer: 'tidy',
  },
  hanime: {
    names: ['hanime'],
    usage: ['/hanime', ['hanimePage', '/hanime 2']],
    who: 'anyone',
    where: ['group', 'topic', 'private'],
    needs: ['adult'],
    answer: 'tidy',
  },
});
