/** Everything the server gets from outside; tests replace it. */
import { type Logger } from 'pino';

import { type Database } from '#server/db/client';
import { type StaticSite } from '#server/http/static-site';
import { type KeptKeys } from '#server/lib/derived-keys';
import { type ServerLanguages } from '#server/lib/languages';
import { type ObjectStore } from '#server/lib/object-store';
import { type PasswordHasher } from '#server/lib/password-hasher';
import { type Random } from '#server/lib/random';
import { type Network } from '#server/upstream/allowlisted-fetch';
import { type Engines } from '#server/upstream/images/engines';
import { type LanguageModel } from '#server/upstream/images/language-model';
import { type PaintSketch } from '#server/upstream/images/sketch/index';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { type ChatActions } from '#server/upstream/telegram/chat-actions';
import { type OutgoingMessage, type Telegram } from '#server/upstream/telegram/telegram';

import { type Env } from './env.ts';

export type Dependencies = {
  readonly env: Env;
  readonly database: Database;
  /** Read from the database at the start. */
  readonly keptKeys: KeptKeys;
  /** The bytes of pictures. */
  readonly objects: ObjectStore;
  /** Undefined without a bot. */
  readonly telegram: Telegram | undefined;
  /** Receives updates and sends messages; absent without a bot. */
  readonly telegramBot?: TelegramBot;
  /** Acts and writes in groups; absent without a bot. */
  readonly chatActions?: ChatActions;
  /** Epoch milliseconds. */
  readonly clock: () => number;
  readonly random: Random;
  /** Engines of pictures; the others are chosen by the environment. */
  readonly engines?: Partial<Engines>;
  /** Paints sketches; the painter with its threads when absent. */
  readonly paint?: PaintSketch;
  /** Resolves names and decides which addresses files may be loaded from; the default when absent. */
  readonly network?: Network;
  /** Rewrites prompts; chosen by the environment when absent. */
  readonly languageModel?: LanguageModel;
  /** Milliseconds within which linked services must answer; ten seconds when absent. */
  readonly serviceTimeoutMs?: number;
  readonly hasher: PasswordHasher;
  readonly log: Logger;
  /** Logins, changes of accounts and refusals, at every level of the log. */
  readonly securityLog: Logger;
  readonly languages: ServerLanguages;
  /** Shows messages on the operator's console when there is no bot. */
  readonly deliver: (telegramId: number, message: OutgoingMessage) => void;
  readonly site?: StaticSite;
  /** Whether this process ends soon, so that balancers are to choose another one; absent when it never does. */
  readonly isStopping?: () => boolean;
};
