/** What a command of the bot is: an entry of the table from which menus, /help, the Features page and the handlers come. */
import type { usageTexts } from './usage-texts.ts';

/** Rights of administrators in Telegram, in our short names. */
export const rights = [
  'delete',
  'restrict',
  'invite',
  'pin',
  'topics',
  'promote',
  'tags',
  'info',
] as const;
export type Right = (typeof rights)[number];

/**
 * Who may use a command in a group: anyone, administrators with a right, or (`manage`) the creator,
 * administrators who may change the group's info, and those who manage the chat in Nori. `creator`: the creator alone.
 */
export type Who = 'anyone' | 'manage' | 'creator' | Right;

/** `topic`: the command means the topic in which it is written. `inline`: it is found in any chat by a keyword. */
export type Place = 'group' | 'topic' | 'private' | 'inline';

/** A service that a command uses. Without it the command is neither listed nor answered. */
export const needs = [
  'anilist',
  'anilistAccount',
  'spotify',
  'upstream',
  'translate',
  'wikimedia',
  'weather',
  'adult',
  // An address from which Telegram can load pictures.
  'publicAddress',
  // That the bot hears what is written to it by its name in any chat.
  'inline',
] as const;
export type Need = (typeof needs)[number];

/**
 * How an answer in a group stays: `public` until it is deleted by a user, `tidy` for a minute, `quiet` is seen by
 * the one who asked alone (an ephemeral message), and tidy where the server of Telegram or the chat has none.
 */
export type AnswerKind = 'public' | 'tidy' | 'quiet';

type Sentences = typeof usageTexts;

/**
 * A way to use a command: the command as it is typed, or the name of a sentence of `usageTexts` and what it
 * contains. `@bot` stands for the bot's name.
 */
export type UsageLine =
  | string
  | {
      [Name in keyof Sentences]: Sentences[Name] extends `${string}{other}${string}`
        ? readonly [text: Name, command: string, other: string]
        : readonly [text: Name, command: string];
    }[keyof Sentences];

export type Command = {
  /** The first stands in Telegram's menus; the others are aliases, or verbs of the same handler. Keywords where it is inline. */
  readonly names: readonly [string, ...string[]];
  readonly usage: readonly UsageLine[];
  readonly who: Who;
  readonly where: readonly Place[];
  /** What the bot needs in the group. */
  readonly right?: Right;
  /** Any one of these is enough. */
  readonly needs?: readonly Need[];
  readonly answer: AnswerKind;
};

/** Declares the commands of a category; the identity function that gives them their exact type. */
export function declareCommands<Id extends string>(
  entries: Readonly<Record<Id, Command>>,
): Readonly<Record<Id, Command>> {
  return entries;
}
