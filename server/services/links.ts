/** The links of the bot's buttons and messages: to Nori inside Telegram, to a page in it, or to the bot's private chat. */
import {
  addBotLink,
  type PictureLink,
  pictureStartParam,
  setUpStartParam,
} from '#contract/chats/bot-links';
import { languagePrefix, sourceLanguage } from '#contract/languages';
import { type UserLanguage } from '#server/lib/languages';
import { type AnswerButton } from '#server/upstream/telegram/bot';

type Link = Pick<AnswerButton, 'url' | 'opens'>;

export type Links = {
  /** To a page of Nori, for buttons in private chats; none where Telegram could not open it. */
  readonly toPage: (path?: string) => Link | undefined;
  /** To the settings of the chat or topic that a start parameter names, for buttons in private chats. */
  readonly toSettings: (startParam: string) => Link | undefined;
  /** The same for buttons in groups, where Telegram allows only plain links. */
  readonly toSettingsFromGroup: (startParam: string) => Link;
  /** To the first step of adding a group, for buttons in private chats. */
  readonly toSetUp: () => Link | undefined;
  /** To Telegram's own list of groups, from which the bot is added to one with its rights. */
  readonly toGroupList: () => Link;
  /** To a picture of a user's history, or to the form with its recipe; in private chats inside Telegram. */
  readonly toPicture: (
    what: PictureLink,
    generationId: string,
    inGroup: boolean,
  ) => Link | undefined;
  /** Whether the bot can be asked in any chat by its name. */
  readonly hasInline: boolean;
  /** To the bot's private chat, which begins with `/start` and this payload. */
  readonly toBot: (payload: string) => Link;
};

/** The page on which services are linked and chats are listed. */
export const dashboardPath = '/dashboard';

/** The page on which pictures are made and looked at; it learns from the server of which provider a picture is. */
const hubPath = '/models';

const plainLink = (url: string): Link => ({ url, opens: 'link' });

/** What `getMe` says about the bot. */
type BotUser = {
  readonly username: string;
  readonly has_main_web_app?: boolean;
  readonly supports_inline_queries?: boolean;
};

/** Telegram opens only HTTPS. */
function isOpenable(publicUrl: string | undefined): publicUrl is string {
  return publicUrl?.startsWith('https:') === true;
}

const unknownLanguage: UserLanguage = { language: sourceLanguage, isChosen: false };

/** A choice is named, as pages follow the language of Telegram otherwise. */
function inLanguage(path: string, { language, isChosen }: UserLanguage): string {
  const prefix = languagePrefix(language);
  const [address = '', ...query] = path.split('?');
  const named = isChosen ? [...query, `lang=${language}`] : query;
  const place = prefix !== '' && address === '/' ? prefix : prefix + address;
  return named.length === 0 ? place : `${place}?${named.join('&')}`;
}

/**
 * `to` is the language of the user who gets the links: pages have it in their addresses. Links to Telegram
 * cannot say it.
 *
 * Without a main Mini App, which the operator sets up at BotFather, a link with `?startapp=` only opens the
 * bot's private chat and says nothing there. So `?start=` is used, which the bot answers.
 */
export function createLinks(
  publicUrl: string | undefined,
  {
    username,
    has_main_web_app: hasMiniApp = false,
    supports_inline_queries: hasInline = false,
  }: BotUser,
  to: UserLanguage = unknownLanguage,
): Links {
  const me = `https://t.me/${username}`;
  const toPage = (path = '/'): Link | undefined => {
    if (isOpenable(publicUrl)) {
      return { url: `${publicUrl}${inLanguage(path, to)}`, opens: 'mini app' };
    }
    return hasMiniApp ? plainLink(`${me}?startapp`) : undefined;
  };

  /** By a path where Telegram opens one, else by a start parameter, which Nori turns into the same path. */
  const toPlace = (path: string, startParam: string): Link | undefined =>
    isOpenable(publicUrl)
      ? toPage(path)
      : hasMiniApp
        ? plainLink(`${me}?startapp=${startParam}`)
        : undefined;

  return {
    toPage,
    toSetUp: () => toPlace(`${dashboardPath}?step=add`, setUpStartParam),
    toGroupList: () => plainLink(addBotLink(me)),
    toSettings: (startParam) => {
      // Not `?startapp=`: Telegram adds its own parameters, and does not open an address that has one twice.
      const [, chatId = '', topicId] = startParam.split('_');
      const topic = topicId === undefined ? '' : `&topic=${topicId}`;
      return toPlace(`${dashboardPath}?chat=${chatId}${topic}`, startParam);
    },
    toSettingsFromGroup: (startParam) =>
      plainLink(`${me}?${hasMiniApp ? 'startapp' : 'start'}=${startParam}`),
    toPicture: (what, generationId, inGroup) => {
      const startParam = pictureStartParam(what, generationId);
      return inGroup
        ? plainLink(`${me}?${hasMiniApp ? 'startapp' : 'start'}=${startParam}`)
        : toPlace(`${hubPath}?provider=pixai&view=generator&${what}=${generationId}`, startParam);
    },
    hasInline,
    toBot: (payload) => plainLink(`${me}?start=${payload}`),
  };
}

/** The start parameter by which Nori opens the settings of a chat, or of one of its topics. */
export function chatStartParam(chatId: number, topicId: number | undefined): string {
  return topicId === undefined ? `chat_${chatId}` : `chat_${chatId}_${topicId}`;
}

/** Whether a payload of `/start` names a chat. Whether the user may see it is checked when Nori opens it. */
export function isChatStartParam(payload: string): boolean {
  return /^chat_-?[1-9]\d{0,15}(?:_(?:0|[1-9]\d{0,9}))?$/.test(payload);
}
