/** What the bot finds where it is written to by its name in any chat: `@bot keyword words`. A name is a keyword. */
import { declareCommands } from './command.ts';

export const inlineCommands = declareCommands({
  'inline-anime': {
    names: ['anime'],
    usage: ['@bot anime frieren'],
    who: 'anyone',
    where: ['inline'],
    needs: ['anilist'],
    answer: 'public',
  },
  'inline-manga': {
    names: ['manga'],
    usage: ['@bot manga berserk'],
    who: 'anyone',
    where: ['inline'],
    needs: ['anilist'],
    answer: 'public',
  },
  'inline-character': {
    names: ['character'],
    usage: ['@bot character lelouch'],
    who: 'anyone',
    where: ['inline'],
    needs: ['anilist'],
    answer: 'public',
  },
  'inline-wiki': {
    names: ['wiki'],
    usage: ['@bot wiki red panda'],
    who: 'anyone',
    where: ['inline'],
    needs: ['wikimedia'],
    answer: 'public',
  },
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
  'inline-picture': {
    names: ['picture'],
    usage: ['@bot picture fox'],
    who: 'anyone',
    where: ['inline'],
    needs: ['publicAddress'],
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

export type InlineId = keyof typeof inlineCommands;

export const isInlineId = (id: string): id is InlineId => Object.hasOwn(inlineCommands, id);
