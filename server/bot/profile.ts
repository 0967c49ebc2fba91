/** Tells Telegram what the bot says of itself: its commands, its descriptions, and the button that opens Nori. */
import { type BotCommandScope } from 'grammy/types';
import { createHash } from 'node:crypto';

import { type Language, languageTags, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createBotProfileRepository } from '#server/db/bot-inbox';
import { type Say, sayEnglish } from '#server/lib/languages';
import { type Links } from '#server/services/links';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';

import { type Audience, listCommands } from './commands.ts';
import { operatorMessages } from './operator-messages.ts';
import { type Retry } from './retry.ts';
import { botTexts } from './texts.ts';

/** Telegram shows a user the narrowest list that fits. */
const commandLists: readonly { readonly scope: BotCommandScope; readonly audience: Audience }[] = [
  { scope: { type: 'default' }, audience: 'private' },
  { scope: { type: 'all_private_chats' }, audience: 'private' },
  { scope: { type: 'all_group_chats' }, audience: 'members' },
  { scope: { type: 'all_chat_administrators' }, audience: 'administrators' },
];

/** What Telegram is told in one call. */
type Part = {
  readonly name: string;
  readonly value: unknown;
  /** Without it there is nothing to say, unless something was said before. */
  readonly isEmpty: boolean;
  readonly send: () => Promise<void>;
};

type Options = {
  readonly botId: number;
  readonly links: Links;
  readonly retry: Pick<Retry, 'untilDone'>;
  readonly signal: AbortSignal;
  /** Writes a line to the operator's console. */
  readonly say: (line: string) => void;
};

/**
 * Tells Telegram what has changed since it was told last, in all languages: one call after the other, as there
 * are many and they are not urgent. What fails is repeated. A refusal would come again each time, so it ends
 * its part until the next start; the operator is told of the first. Throws when the signal is aborted.
 */
export async function tellProfile(
  api: TelegramBot,
  { database, languages }: Pick<Dependencies, 'database' | 'languages'>,
  { botId, links, retry, signal, say }: Options,
): Promise<void> {
  const stored = createBotProfileRepository(database, botId);
  const told = await stored.readAll();
  let isRefusalSaid = false;

  async function tell({ send }: Part): Promise<boolean> {
    try {
      await send();
      return true;
    } catch (error) {
      if (!(error instanceof BotFailure) || error.kind !== 'refused') {
        throw error;
      }
      if (!isRefusalSaid) {
        isRefusalSaid = true;
        say(operatorMessages.setUpRefused(error.message));
      }
      return false;
    }
  }

  for (const part of listParts(api, languages, links)) {
    const before = told.get(part.name);
    const fingerprint = toFingerprint(part.value);
    const isDue = before !== fingerprint && !(part.isEmpty && before === undefined);
    if (isDue && (await retry.untilDone(() => tell(part), signal))) {
      await stored.save(part.name, fingerprint);
    }
  }
}

/** English first, which all others get where they have nothing of their own. */
function listParts(
  api: TelegramBot,
  { offered, textsIn }: Dependencies['languages'],
  links: Links,
): readonly Part[] {
  return [
    ...listLanguageParts(api, sayEnglish),
    ...listMenuButton(api, links),
    ...languageTags
      .filter((tag) => tag !== sourceLanguage)
      // What was said in a language that is offered no more is taken back.
      .flatMap((tag) =>
        listLanguageParts(api, offered.includes(tag) ? textsIn(tag) : undefined, tag),
      ),
  ];
}

function listLanguageParts(
  api: TelegramBot,
  say: Say | undefined,
  language?: Language,
): readonly Part[] {
  const { description = '', shortDescription = '' } = say?.(botTexts) ?? {};
  const suffix = language === undefined ? '' : ` ${language}`;
  return [
    ...commandLists.map(({ scope, audience }) => {
      const commands = say === undefined ? [] : listCommands(audience, say);
      return {
        name: `commands ${scope.type}${suffix}`,
        value: commands,
        isEmpty: commands.length === 0,
        send: () => api.setCommands(scope, commands, language),
      };
    }),
    {
      name: `description${suffix}`,
      value: description,
      isEmpty: description === '',
      send: () => api.setDescription(description, language),
    },
    {
      name: `short description${suffix}`,
      value: shortDescription,
      isEmpty: shortDescription === '',
      send: () => api.setShortDescription(shortDescription, language),
    },
  ];
}

/** Without HTTPS the button that the operator may have set at BotFather stays. */
function listMenuButton(api: TelegramBot, links: Links): readonly Part[] {
  const link = links.toPage();
  if (link?.opens !== 'mini app') {
    return [];
  }
  const button = { text: botTexts.menuButton, url: link.url };
  return [
    {
      name: 'menu button',
      value: button,
      isEmpty: false,
      send: () => api.setMenuButton(button),
    },
  ];
}

function toFingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
