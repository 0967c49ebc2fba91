/** The links of the bot's buttons: to Nori inside Telegram, to a page in it, or to the bot's private chat. */
import { type AnswerButton } from '#server/upstream/telegram/bot';

type Link = Pick<AnswerButton, 'url' | 'opens'>;

export type Links = {
  /** To a page of Nori, for buttons in private chats. */
  readonly toPage: (path?: string) => Link;
  /** To the settings of the chat or topic that a start parameter names, for buttons in private chats. */
  readonly toSettings: (startParam: string) => Link;
  /** The same for buttons in groups, where Telegram allows only plain links. */
  readonly toSettingsFromGroup: (startParam: string) => Link;
  /** To the bot's private chat, which begins with `/start` and this payload. */
  readonly toBot: (payload: string) => Link;
};

/** The page on which services are linked and chats are listed. */
export const dashboardPath = '/dashboard';

const plainLink = (url: string): Link => ({ url, opens: 'link' });

export function createLinks(publicUrl: string | undefined, username: string): Links {
  const me = `https://t.me/${username}`;
  // Telegram opens only HTTPS. Without it the operator may still have set up a Mini App for the bot.
  const toPage = (path = '/'): Link =>
    publicUrl?.startsWith('https:') === true
      ? { url: `${publicUrl}${path}`, opens: 'mini app' }
      : plainLink(`${me}?startapp`);

  return {
    toPage,
    toSettings: (startParam) => {
      // Not `?startapp=`: Telegram adds its own parameters, and does not open an address that has one twice.
      const [, chatId = '', topicId] = startParam.split('_');
      const topic = topicId === undefined ? '' : `&topic=${topicId}`;
      return toPage(`${dashboardPath}?chat=${chatId}${topic}`);
    },
    toSettingsFromGroup: (startParam) => plainLink(`${me}?startapp=${startParam}`),
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
