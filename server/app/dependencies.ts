/** What the server takes from outside: storage, Telegram, time, chance and its console. */
import { type Logger } from 'pino';

import { type Database } from '#server/db/client';
import { type StaticSite } from '#server/http/static-site';
import { type ObjectStore } from '#server/lib/object-store';
import { type PasswordHasher } from '#server/lib/password-hasher';
import { type Random } from '#server/lib/random';
import { type Network } from '#server/upstream/allowlisted-fetch';
import { type Engines } from '#server/upstream/images/engines';
import { type LanguageModel } from '#server/upstream/images/language-model';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { type OutgoingMessage, type Telegram } from '#server/upstream/telegram/telegram';

import { type Env } from './env.ts';

export type Dependencies = {
  readonly env: Env;
  readonly database: Database;
  /** Where the bytes of pictures are kept. */
  readonly objects: ObjectStore;
  /** Absent when the server runs without a bot. */
  readonly telegram: Telegram | undefined;
  /** What the running bot works with; absent without a bot. */
  readonly telegramBot?: TelegramBot;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** What makes pictures; what the environment says for those that are absent. */
  readonly engines?: Partial<Engines>;
  /** How names are looked up, and which addresses may be asked for files; the platform's own when absent. */
  readonly network?: Network;
  /** What rewrites prompts; what the environment says when absent. */
  readonly languageModel?: LanguageModel;
  /** Milliseconds that linked services have to answer; ten seconds when absent. */
  readonly serviceTimeoutMs?: number;
  readonly hasher: PasswordHasher;
  readonly log: Logger;
  /** Where messages go when there is no bot: the console of whoever runs the server. */
  readonly deliver: (telegramId: number, message: OutgoingMessage) => void;
  readonly site?: StaticSite;
};
