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

/** Undefined where nothing is stored and there is no default, such as a log channel. */
export type ChatSettings = {
  readonly [Name in ValueName]: (typeof valueDefaults)[Name] | ChatValues[Name];
} & {
  /** Whether members may not use a command in a topic, or in the whole chat. */
  readonly isOff: (command: string, topicId: number) => boolean;
  /** Whether commands for adults are switched on in a topic. */
  readonly isForAdults: (topicId: number) => boolean;
  /** Where they are switched on: topics, or the whole chat. */
  readonly adultPlaces: readonly number[];
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
    shared_bans: readValue(whole, 'shared_bans'),
    quiet_actions: readValue(whole, 'quiet_actions'),
    log_channel: readValue(whole, 'log_channel'),
    log_categories: readValue(whole, 'log_categories'),
    captcha_mode: readValue(whole, 'captcha_mode'),
    captcha_seconds: readValue(whole, 'captcha_seconds'),
    captcha_over: readValue(whole, 'captcha_over'),
    raid_until: readValue(whole, 'raid_until'),
    raid_seconds: readValue(whole, 'raid_seconds'),
    raid_auto: readValue(whole, 'raid_auto'),
    attack: readValue(whole, 'attack'),
    welcome: readValue(whole, 'welcome'),
    welcome_content: readValue(whole, 'welcome_content'),
    welcome_to: readValue(whole, 'welcome_to'),
    welcome_keep: readValue(whole, 'welcome_keep'),
    goodbye: readValue(whole, 'goodbye'),
    goodbye_content: readValue(whole, 'goodbye_content'),
    clean_service: readValue(whole, 'clean_service'),
    rules_content: readValue(whole, 'rules_content'),
    rules_public: readValue(whole, 'rules_public'),
    blocklist_action: readValue(whole, 'blocklist_action'),
    flood: readValue(whole, 'flood'),
    flood_action: readValue(whole, 'flood_action'),
    reaction_limit: readValue(whole, 'reaction_limit'),
    reactions_unwanted: readValue(whole, 'reactions_unwanted'),
    reactions_of_banned: readValue(whole, 'reactions_of_banned'),
    adult_mode: readValue(whole, 'adult_mode'),
    adult_clean: readValue(whole, 'adult_clean'),
    isOff: (command, topicId) =>
      isSet(wholeChatId, offName(command)) || isSet(topicId, offName(command)),
    isForAdults: (topicId) =>
      stored.get(topicId)?.has('adult_mode') === true
        ? isSet(topicId, 'adult_mode')
        : isSet(wholeChatId, 'adult_mode'),
    adultPlaces: [...stored.keys()].filter((topicId) => isSet(topicId, 'adult_mode')),
  };
}
