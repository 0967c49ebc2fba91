/** The values of a chat as they count for the bot: what is stored, else the default. */
import {
  type ChatValues,
  offName,
  readValue,
  type valueDefaults,
  type ValueName,
} from '#contract/chats/values';
import { wholeChatId } from '#server/db/chat-values';
import { type ChatValueService } from '#services/chats';

/** `log_channel` is undefined where the chat has none. */
export type ChatSettings = {
  readonly [Name in ValueName]: (typeof valueDefaults)[Name] | ChatValues[Name];
} & {
  /** Whether members may not use a command in a topic, or in the whole chat. */
  readonly isOff: (command: string, topicId: number) => boolean;
};

/** Rejects when the database fails. */
export async function readSettings(
  values: Pick<ChatValueService, 'readForBot'>,
  chatId: number,
): Promise<ChatSettings> {
  const stored = await values.readForBot(chatId);
  const whole = Object.fromEntries(stored.get(wholeChatId) ?? []);
  const isSet = (topicId: number, name: string) => stored.get(topicId)?.get(name) === true;
  return {
    warn_limit: readValue(whole, 'warn_limit'),
    warn_action: readValue(whole, 'warn_action'),
    warn_expiry: readValue(whole, 'warn_expiry'),
    reports: readValue(whole, 'reports'),
    trust_anonymous: readValue(whole, 'trust_anonymous'),
    quiet_actions: readValue(whole, 'quiet_actions'),
    log_channel: readValue(whole, 'log_channel'),
    log_categories: readValue(whole, 'log_categories'),
    isOff: (command, topicId) =>
      isSet(wholeChatId, offName(command)) || isSet(topicId, offName(command)),
  };
}
