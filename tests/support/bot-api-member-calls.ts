/**
 * The calls that change members of a chat in the Bot API stand-in: bans, mutes, rights, titles and tags. Their
 * checks are those of github.com/tdlib/td, in its order, and worded as Telegram's.
 */
import { setTimeout as sleep } from 'node:timers/promises';

import {
  allRights,
  botRights,
  type createMembers,
  readPermissions,
  rightNames,
} from './bot-api-members.ts';
import { type Body, refuse, type StandInChat } from './bot-api-world.ts';

type Known = {
  /** Throws a refusal for a chat that the bot cannot change. */
  readonly getChat: (body: Body, access: 'write') => StandInChat;
  readonly members: ReturnType<typeof createMembers>;
  readonly bot: { readonly id: number };
  readonly clock: () => number;
  /** How long a removal takes. */
  readonly kickMs: number;
};

/** Rights that the stand-in's bot never has, and so may not give. */
const foreignRights = [
  'can_manage_video_chats',
  'can_post_stories',
  'can_edit_stories',
  'can_delete_stories',
  'can_send_welcome_messages',
  'can_post_messages',
  'can_edit_messages',
  'can_manage_direct_messages',
];

const minTimedS = 30;
const maxTimedS = 366 * 86_400;
/** Who is removed is banned for so long, until the ban is lifted. */
const removalS = 60;

const maxTitleLength = 16;
const emoji = /\p{Extended_Pictographic}/u;

export function createMemberCalls({ getChat, members, bot, clock, kickMs }: Known) {
  const { ledgerFor, readStatus, readUser, isEditable, takeOut, isIn } = members;

  function throwUnlessRestrictable(chat: StandInChat, id: number): void {
    if (id === bot.id) {
      throw refuse("can't restrict self");
    }
    if (id === chat.creator) {
      throw refuse("can't remove chat owner");
    }
    if (!botRights(chat).includes('restrict')) {
      throw refuse('not enough rights to restrict/unrestrict chat member');
    }
    if (chat.administrators.includes(id) && !isEditable(chat, id)) {
      throw refuse('user is an administrator of the chat');
    }
  }

  function readUntil({ until_date = 0 }: Body): number {
    const until = Number(until_date);
    const leftS = until - Math.floor(clock() / 1000);
    return leftS < minTimedS || leftS > maxTimedS ? 0 : until;
  }

  function banChatMember(body: Body): true {
    const chat = getChat(body, 'write');
    const id = readUser(body);
    if (chat.type === 'private') {
      throw refuse("can't ban members in private chats");
    }
    if (chat.type === 'group') {
      return removeFromGroup(chat, id);
    }
    throwUnlessRestrictable(chat, id);
    takeOut(chat, id);
    ledgerFor(chat).restrictions.set(id, { kind: 'kicked', until: readUntil(body) });
    return true;
  }

  /** A basic group has no list of banned users. */
  function removeFromGroup(chat: StandInChat, id: number): true {
    if (!botRights(chat).includes('restrict')) {
      throw refuse('CHAT_ADMIN_REQUIRED');
    }
    if (id === chat.creator || chat.administrators.includes(id)) {
      throw refuse('user is an administrator of the chat');
    }
    if (!chat.members.includes(id)) {
      throw refuse('USER_NOT_PARTICIPANT');
    }
    takeOut(chat, id);
    return true;
  }

  /** Without `only_if_banned` it removes members, too: a ban that is lifted a second later. */
  async function unbanChatMember(body: Body): Promise<true> {
    const chat = getChat(body, 'write');
    const id = readUser(body);
    if (chat.type !== 'supergroup' && chat.type !== 'channel') {
      throw refuse('method is available for supergroup and channel chats only');
    }
    const { restrictions } = ledgerFor(chat);
    const status = readStatus(chat, id);
    if (status === 'left' || (body['only_if_banned'] === true && status !== 'kicked')) {
      return true;
    }
    throwUnlessRestrictable(chat, id);
    if (status !== 'kicked' && isIn(chat, id)) {
      takeOut(chat, id);
      const until = Math.floor(clock() / 1000) + removalS;
      restrictions.set(id, { kind: 'kicked', until });
      await sleep(kickMs);
    }
    restrictions.delete(id);
    return true;
  }

  function restrictChatMember(body: Body): true {
    const chat = getChat(body, 'write');
    const id = readUser(body);
    if (chat.type !== 'supergroup') {
      throw refuse('method is available only for supergroups');
    }
    const permissions = readPermissions(body);
    throwUnlessRestrictable(chat, id);
    if (chat.administrators.includes(id)) {
      takeOut(chat, id);
      chat.members.push(id);
    }
    const { restrictions } = ledgerFor(chat);
    if (Object.values(permissions).every(Boolean)) {
      restrictions.delete(id);
    } else {
      restrictions.set(id, { kind: 'restricted', until: readUntil(body), permissions });
    }
    return true;
  }

  function banChatSenderChat(body: Body): true {
    const [chat, channelId] = readSenderChat(body);
    ledgerFor(chat).channels.add(channelId);
    return true;
  }

  function unbanChatSenderChat(body: Body): true {
    const [chat, channelId] = readSenderChat(body);
    ledgerFor(chat).channels.delete(channelId);
    return true;
  }

  function readSenderChat(body: Body): readonly [chat: StandInChat, channelId: number] {
    const chat = getChat(body, 'write');
    if (chat.type !== 'supergroup' && chat.type !== 'channel') {
      throw refuse('method is available for supergroup and channel chats only');
    }
    const channelId = Number(body['sender_chat_id']);
    if (!Number.isSafeInteger(channelId) || channelId >= 0) {
      throw refuse('PARTICIPANT_ID_INVALID');
    }
    if (!botRights(chat).includes('restrict')) {
      throw refuse('not enough rights to restrict/unrestrict chat member');
    }
    return [chat, channelId];
  }

  function promoteChatMember(body: Body): true {
    const chat = getChat(body, 'write');
    const id = readUser(body);
    if (chat.type !== 'supergroup' && chat.type !== 'channel') {
      throw refuse('method is available for supergroup and channel chats only');
    }
    const given = allRights.filter((right) => body[rightNames[right]] === true);
    const isPromotion =
      given.length > 0 || ['can_manage_chat', 'is_anonymous'].some((name) => body[name] === true);
    throwUnlessPromotable(chat, id, isPromotion);
    const isBeyond = given.some((right) => !botRights(chat).includes(right));
    if (isBeyond || foreignRights.some((name) => body[name] === true)) {
      throw refuse('RIGHT_FORBIDDEN');
    }
    if (isPromotion) {
      takeOut(chat, id);
      chat.administrators.push(id);
      chat.administratorRights = { ...chat.administratorRights, [id]: given };
      chat.promotedBy = { ...chat.promotedBy, [id]: bot.id };
      ledgerFor(chat).restrictions.delete(id);
    } else if (chat.administrators.includes(id)) {
      takeOut(chat, id);
      chat.members.push(id);
      chat.titles = { ...chat.titles };
      delete chat.titles[id];
    }
    return true;
  }

  function throwUnlessPromotable(chat: StandInChat, id: number, isPromotion: boolean): void {
    if (id === chat.creator) {
      throw refuse("can't remove chat owner");
    }
    if (id === bot.id) {
      throw refuse("can't promote self");
    }
    // Nothing changes for a member who is no administrator.
    if (!isPromotion && readStatus(chat, id) === 'member') {
      return;
    }
    if (!botRights(chat).includes('promote')) {
      throw refuse('not enough rights');
    }
    if (chat.administrators.includes(id) && !isEditable(chat, id)) {
      throw refuse('CHAT_ADMIN_REQUIRED');
    }
    if (!isIn(chat, id)) {
      throw refuse('USER_NOT_PARTICIPANT');
    }
  }

  function setChatAdministratorCustomTitle(body: Body): true {
    const chat = getChat(body, 'write');
    const id = readUser(body);
    if (chat.type !== 'group' && chat.type !== 'supergroup') {
      throw refuse('method is available only for groups and supergroups');
    }
    if (id === chat.creator) {
      throw refuse('only the owner can edit their custom title');
    }
    if (!chat.administrators.includes(id)) {
      throw refuse('user is not an administrator');
    }
    if (!isEditable(chat, id)) {
      throw refuse('not enough rights to change custom title of the user');
    }
    const title = readShortText(body['custom_title'], 'CUSTOM_TITLE');
    chat.titles = { ...chat.titles, [id]: title };
    return true;
  }

  function setChatMemberTag(body: Body): true {
    const chat = getChat(body, 'write');
    const id = readUser(body);
    if (chat.type !== 'group' && chat.type !== 'supergroup') {
      throw refuse('method is available only for groups and supergroups');
    }
    if (!botRights(chat).includes('tags')) {
      throw refuse('CHAT_ADMIN_REQUIRED');
    }
    if (!isIn(chat, id)) {
      throw refuse('USER_NOT_PARTICIPANT');
    }
    if (id === chat.creator || (chat.administrators.includes(id) && !isEditable(chat, id))) {
      throw refuse('TAG_CHANGE_FORBIDDEN');
    }
    const tag = readShortText(body['tag'], 'TAG');
    const { tags } = ledgerFor(chat);
    if (tag === '') {
      tags.delete(id);
    } else {
      tags.set(id, tag);
    }
    return true;
  }

  return {
    banChatMember,
    unbanChatMember,
    restrictChatMember,
    banChatSenderChat,
    unbanChatSenderChat,
    promoteChatMember,
    setChatAdministratorCustomTitle,
    setChatMemberTag,
  };
}

function readShortText(value: unknown, name: 'TAG' | 'CUSTOM_TITLE'): string {
  const text = typeof value === 'string' ? value : '';
  if (emoji.test(text)) {
    throw refuse(`${name}_EMOJI_NOT_ALLOWED`);
  }
  if (Array.from(text).length > maxTitleLength) {
    throw refuse(`${name}_INVALID`);
  }
  return text;
}
