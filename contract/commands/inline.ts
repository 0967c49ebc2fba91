/** What the bot finds where it is written to by its name in any chat: `@bot keyword words`. A name is a keyword. */
import { declareCommands } from './command.ts';

export const inlineCommands = declareCommands({
  'inline-calc': {
    names: ['calc'],
    usage: ['@bot calc 2^10 / 3'],
    who: 'anyone',
    where: ['inline'],
    answer: 'public',
  },
  'inline-nowplaying': {
    names: ['nowplaying', 'np'],
    usage: ['@bot nowplaying'],
    who: 'anyone',
    where: ['inline'],
    needs: ['spotify'],
    answer: 'public',
  },
  'inline-note': {
    names: ['note'],
    usage: ['@bot note wifi'],
    who: 'anyone',
    where: ['inline'],
    answer: 'public',
  },
  'inline-whisper': {
    names: ['whisper'],
    usage: [['inlineWhisper', '@bot whisper @user']],
    who: 'anyone',
    where: ['inline'],
    answer: 'public',
  },
});
