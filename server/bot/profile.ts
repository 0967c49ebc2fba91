/** Tells Telegram what the bot says of itself: its commands, its descriptions, and the button that opens Nori. */
import { createHash } from 'node:crypto';

import { type CommandId } from '#contract/commands/index';
import { type Language, languageTags, sourceLanguage } from '#contract/languages';
import { type Dependencies } from '#server/app/dependencies';
import { createBotProfileRepository } from '#server/db/bot-inbox';
import { type Say, sayEnglish } from '#server/lib/languages';
import { type Links } from '#server/services/links';
import { type TelegramBot } from '#server/upstream/telegram/bot';
import { BotFailure } from '#server/upstream/telegram/calls';
import { botGroupRights } from '#server/upstream/telegram/rights';

import { commandLists, listCommands, withoutAdult } from './menus.ts';
import { operatorMessages } from './operator-messages.ts';
import { type Retry } from './retry.ts';
import { botTexts } from './texts.ts';

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
  /** The commands whose services are connected. */
  readonly offered: readonly CommandId[];
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
  { botId, offered, links, retry, signal, say }: Options,
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

  for (const part of listParts(api, languages, { offered, links })) {
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
  { offered: spoken, textsIn }: Dependencies['languages'],
  { offered, links }: Pick<Options, 'offered' | 'links'>,
): readonly Part[] {
  const listIn = (say: Say | undefined, language?: Language) =>
    listLanguageParts(api, { say, offered, language });
  return [
    ...listIn(sayEnglish),
    ...listDefaultRights(api),
    ...listMenuButton(api, links),
    ...languageTags
      .filter((tag) => tag !== sourceLanguage)
      // What was said in a language that is offered no more is taken back.
      .flatMap((tag) => listIn(spoken.includes(tag) ? textsIn(tag) : undefined, tag)),
  ];
}

function listLanguageParts(
  api: TelegramBot,
  {
    say,
    offered,
    language,
  }: Pick<Options, 'offered'> & {
    readonly say: Say | undefined;
    readonly language: Language | undefined;
  },
): readonly Part[] {
  const { description = '', shortDescription = '' } = say?.(botTexts) ?? {};
  const suffix = language === undefined ? '' : ` ${language}`;
  return [
    ...commandLists.map(({ scope, audience }) => {
      const commands = say === undefined ? [] : listCommands(audience, say, withoutAdult(offered));
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

/** The rights that Telegram suggests when the bot is made an administrator of a group. */
function listDefaultRights(api: TelegramBot): readonly Part[] {
  return [
    {
      name: 'default rights',
      value: botGroupRights,
      isEmpty: false,
      send: () => api.setDefaultRights(),
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

export function toFingerprint(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url');
}
