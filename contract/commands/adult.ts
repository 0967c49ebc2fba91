/** The commands for adults. IDs are used in links and in usage figures, so they do not change. */
import { declareCommands } from './command.ts';

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
