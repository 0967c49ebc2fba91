/** What Telegram does when a user moves the bot in a group, in its own dialog or in the group's profile. */
import { type BotApi } from './bot-api-server.ts';

type Group = {
  readonly id: number;
  /** The user who moves the bot. */
  readonly by: number;
  readonly title?: string;
  /** Of that user's Telegram; unknown when absent. */
  readonly language?: string;
};

type Place = 'left' | 'member' | 'administrator';

export function moveBot(
  botApi: BotApi,
  { id, by, title = 'Rice lovers', language }: Group,
  [from, to]: readonly [Place, Place],
): void {
  const bot = {
    id: botApi.bot.id,
    is_bot: true,
    first_name: 'Nori',
    username: botApi.bot.username,
  };
  const member = (status: Place) => ({
    status,
    user: bot,
    ...(status === 'administrator' ? { can_delete_messages: true } : {}),
  });
  botApi.updates.push({
    my_chat_member: {
      chat: { id, type: 'supergroup', title },
      from: { id: by, is_bot: false, first_name: 'Mika', language_code: language },
      date: 0,
      old_chat_member: member(from),
      new_chat_member: member(to),
    },
  });
}
