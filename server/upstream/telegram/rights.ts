/** The rights of administrators in Telegram's words, and those that the bot asks for. */
import { type Right } from '#contract/commands/command';

/** Telegram's name of each of our rights. */
export const telegramRights = {
  delete: 'can_delete_messages',
  restrict: 'can_restrict_members',
  invite: 'can_invite_users',
  pin: 'can_pin_messages',
  topics: 'can_manage_topics',
  promote: 'can_promote_members',
  tags: 'can_manage_tags',
  info: 'can_change_info',
} as const satisfies Record<Right, string>;

/** Every right that Telegram requires to be named, with none of them given. */
export const noRights = {
  is_anonymous: false,
  can_manage_chat: false,
  can_delete_messages: false,
  can_manage_video_chats: false,
  can_restrict_members: false,
  can_promote_members: false,
  can_change_info: false,
  can_invite_users: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
} as const;

/** What the bot asks for in groups: all that its commands need, without adding administrators. */
export const botGroupRights = {
  ...noRights,
  can_manage_chat: true,
  can_delete_messages: true,
  can_restrict_members: true,
  can_invite_users: true,
  can_pin_messages: true,
  can_manage_topics: true,
  can_manage_tags: true,
} as const;

/** What the bot asks for in a channel: writing there. */
export const botChannelRights = {
  ...noRights,
  can_manage_chat: true,
  can_post_messages: true,
} as const;
