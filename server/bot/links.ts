/** Where the bot's buttons lead: Nori inside Telegram, a place in it, or the bot's own private chat. */
import { type AnswerButton } from '#server/upstream/telegram/bot';

type Place = Pick<AnswerButton, 'url' | 'opens'>;

export type Links = {
  /** A place in Nori, from a private chat. */
  readonly place: (path?: string) => Place;
  /** The settings of a chat or of one of its topics, from a private chat; by a start parameter that names one. */
  readonly chat: (startParam: string) => Place;
  /** The same from a group, where Telegram allows nothing but links. */
  readonly chatFromGroup: (startParam: string) => Place;
  /** The bot's private chat, which begins with `/start` and this payload. */
  readonly start: (payload: string) => Place;
};

/** Where accounts are linked, and chats are listed. */
export const dashboardPath = '/dashboard';

const link = (url: string): Place => ({ url, opens: 'link' });

export function createLinks(publicUrl: string | undefined, username: string): Links {
  const me = `https://t.me/${username}`;
  // Telegram opens nothing but HTTPS; without it the bot's own Mini App may still be set up.
  const place = (path: string): Place =>
    publicUrl?.startsWith('https:') === true
      ? { url: `${publicUrl}${path}`, opens: 'mini app' }
      : link(`${me}?startapp`);

  return {
    place: (path = '/') => place(path),
    chat: (startParam) => {
      // Parameters of Telegram's own names are Telegram's to set: an address with one twice opens nothing.
      const [, chatId = '', topicId] = startParam.split('_');
      const topic = topicId === undefined ? '' : `&topic=${topicId}`;
      return place(`${dashboardPath}?chat=${chatId}${topic}`);
    },
    chatFromGroup: (startParam) => link(`${me}?startapp=${startParam}`),
    start: (payload) => link(`${me}?start=${payload}`),
  };
}

/** The start parameter by which Nori opens the settings of a chat, or of one of its topics. */
export function chatStartParam(chatId: number, topicId: number | undefined): string {
  return topicId === undefined ? `chat_${chatId}` : `chat_${chatId}_${topicId}`;
}

/** Whether a payload of `/start` names a chat. Whose it is, the server asks when Nori does. */
export function isChatStartParam(payload: string): boolean {
  return /^chat_-?[1-9]\d{0,15}(?:_(?:0|[1-9]\d{0,9}))?$/.test(payload);
}
