/** The rights of administrators in Telegram's words, those that the bot asks for, and what members may do. */
import { type ChatMember, type ChatPermissions } from 'grammy/types';

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

export const mutedPermissions: ChatPermissions = {
  can_send_messages: false,
  can_send_audios: false,
  can_send_documents: false,
  can_send_photos: false,
  can_send_videos: false,
  can_send_video_notes: false,
  can_send_voice_notes: false,
  can_send_polls: false,
  can_send_other_messages: false,
  can_add_web_page_previews: false,
  can_react_to_messages: false,
};

/** Telegram lifts a restriction when all is allowed. What the chat allows everyone stays the limit. */
export const allPermissions: ChatPermissions = {
  can_send_messages: true,
  can_send_audios: true,
  can_send_documents: true,
  can_send_photos: true,
  can_send_videos: true,
  can_send_video_notes: true,
  can_send_voice_notes: true,
  can_send_polls: true,
  can_send_other_messages: true,
  can_add_web_page_previews: true,
  can_react_to_messages: true,
  can_change_info: true,
  can_invite_users: true,
  can_edit_tag: true,
  can_pin_messages: true,
  can_manage_topics: true,
};

/** What a member may do now, less reactions. */
export function toPermissionsWithoutReactions(member: ChatMember): ChatPermissions {
  const now: ChatPermissions = member.status === 'restricted' ? member : allPermissions;
  return {
    ...Object.fromEntries(
      Object.keys(allPermissions).map((name) => [name, Reflect.get(now, name) === true]),
    ),
    can_react_to_messages: false,
  };
}
