/** The commands that work in private chats, too. IDs are used in links and in usage figures, so they do not change. */
import { declareCommands } from './command.ts';

export const miscCommands = declareCommands({
  start: {
    names: ['start'],
    usage: [['start', '/start']],
    who: 'anyone',
    where: ['private'],
    answer: 'tidy',
  },
  help: {
    names: ['help'],
    usage: ['/help', '/help purge'],
    who: 'anyone',
    where: ['group', 'private'],
    answer: 'quiet',
  },
  link: {
    names: ['link'],
    usage: ['/link'],
    who: 'anyone',
    where: ['group', 'private'],
    needs: ['spotify', 'anilistAccount'],
    answer: 'quiet',
  },
  privacy: {
    names: ['privacy'],
    usage: ['/privacy'],
    who: 'anyone',
    where: ['group', 'private'],
    answer: 'quiet',
  },
});
