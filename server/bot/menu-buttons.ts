/**
 * The button that opens Nori beside the input of private chats. Telegram knows one for each chat and none
 * for each language, so users whose language is not English get one of their own.
 */
import { sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { type Links } from '#server/services/links';
import { type MenuButton, type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';
import { type UserLanguage } from '#services/accounts';

import { type Retry } from './retry.ts';
import { botTexts } from './texts.ts';

const maxTries = 3;

export type MenuButtons = {
  /** Gives a user's chat the button for this language, soon; where Telegram could not open Nori, nothing happens. */
  readonly set: (telegramId: number, language: UserLanguage) => void;
  /** Resolves when nothing is in progress; never rejects. */
  readonly settled: () => Promise<void>;
};

type Options = {
  readonly linksIn: (language: UserLanguage) => Links;
  readonly retry: Pick<Retry, 'pauseAfter'>;
  readonly signal: AbortSignal;
};

export function createMenuButtons(
  api: Pick<TelegramBot, 'setMenuButton'>,
  { languages, log }: Pick<Dependencies, 'languages' | 'log'>,
  { linksIn, retry, signal }: Options,
): MenuButtons {
  /** Only the last language of a user counts. */
  const waiting = new Map<number, UserLanguage>();
  let working: Promise<void> | undefined;

  function getButton(language: UserLanguage): MenuButton | undefined {
    const link = linksIn(language).toPage();
    const { menuButton } = languages.textsIn(language.language)(botTexts);
    return link?.opens === 'mini app' ? { text: menuButton, url: link.url } : undefined;
  }

  async function setOne(telegramId: number, button: MenuButton | undefined): Promise<void> {
    for (let tries = 1; !signal.aborted; tries += 1) {
      try {
        await api.setMenuButton(button, telegramId);
        return;
      } catch (error) {
        if (!(error instanceof BotFailure) || error.kind === 'refused' || tries === maxTries) {
          // The next change or /start sets it again; until then the button opens Nori in another language.
          const reason = error instanceof BotFailure ? error.message : 'unexpected';
          log.warn({ reason }, 'could not set the menu button of a user');
          return;
        }
        await retry.pauseAfter(error, signal);
      }
    }
  }

  /** One call after the other: many users may change their language at once, and Telegram limits the bot. */
  async function work(): Promise<void> {
    for (;;) {
      const [next] = waiting;
      if (next === undefined || signal.aborted) {
        working = undefined;
        return;
      }
      const [telegramId, language] = next;
      waiting.delete(telegramId);
      const isDefault = language.language === sourceLanguage && !language.isChosen;
      await setOne(telegramId, isDefault ? undefined : getButton(language));
    }
  }

  return {
    set: (telegramId, language) => {
      if (getButton(language) !== undefined) {
        waiting.set(telegramId, language);
        working ??= work();
      }
    },
    settled: async () => working,
  };
}
