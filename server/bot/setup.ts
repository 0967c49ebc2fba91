/** Tells Telegram how the bot looks: its commands, and the button that opens Nori. The same at every start. */
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/errors';

import { commandLists } from './commands.ts';
import { type Links } from './links.ts';
import { botTexts } from './texts.ts';

export type Step = () => Promise<void>;

/** Each one may be repeated, and none depends on another. */
export function setupSteps(api: TelegramBot, links: Links): readonly Step[] {
  const nori = links.place();
  return [
    ...commandLists.map(
      ({ scope, names }) =>
        () =>
          api.setCommands(
            scope,
            names.map((command) => ({ command, description: botTexts.descriptions[command] })),
          ),
    ),
    // Without HTTPS whatever button BotFather was told stays.
    ...(nori.opens === 'mini app'
      ? [() => api.setMenuButton({ text: botTexts.menuButton, url: nori.url })]
      : []),
  ];
}

/** The same steps, for which Telegram's no is an end: it would say no for ever. `say` hears of the first. */
export function unlessRefused(
  steps: readonly Step[],
  say: (line: string) => void,
): readonly Step[] {
  let isSaid = false;
  return steps.map((step) => async () => {
    try {
      await step();
    } catch (error) {
      if (!(error instanceof BotFailure) || error.trouble !== 'refused') {
        throw error;
      }
      if (!isSaid) {
        isSaid = true;
        say(botTexts.looksRefused(error.message));
      }
    }
  });
}
