/** Tells Telegram how the bot looks: its commands, and the button that opens Nori. The same at every start. */
import { type TelegramBot } from '#server/upstream/telegram-bot';

import { commandLists } from './commands.ts';
import { type Links } from './links.ts';
import { botTexts } from './texts.ts';

type Step = () => Promise<void>;

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
