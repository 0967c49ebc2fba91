/** What the Bot API stand-in keeps of the members of chats, and how it answers about them. */
import { type Right } from '#contract/commands/command';

import {
  asRecord,
  type Body,
  refuse,
  type StandInChat,
  type StandInPerson,
} from './bot-api-world.ts';

/** A user's place in a chat, as a test reads and writes it. Times are epoch seconds. */
type MemberState = {
  readonly status: 'creator' | 'administrator' | 'member' | 'restricted' | 'left' | 'kicked';
  /** Of a ban or a restriction; 0 is for ever. */
  readonly until?: number;
  /** Of a restricted user. */
  readonly permissions?: Readonly<Record<string, boolean>>;
  readonly rights?: readonly Right[];
  readonly title?: string;
  readonly tag?: string;
};

export type StandInMembers = {
  readonly read: (chatId: number, telegramId: number) => MemberState;
  /** Bans or restricts a user as another administrator would. For other places change the chat itself. */
  readonly put: (
    chatId: number,
    telegramId: number,
    state: Pick<MemberState, 'until' | 'permissions'> & {
      readonly status: 'restricted' | 'kicked';
    },
  ) => void;
  /** Channels whose owners may not write in the chat. */
  readonly bannedChannels: (chatId: number) => readonly number[];
};

type Known = {
  /** Throws a refusal for a chat that the bot cannot see, or (`write`) cannot change. */
  readonly getChat: (body: Body, access?: 'write') => StandInChat;
  readonly findChat: (chatId: number) => StandInChat | undefined;
  readonly people: ReadonlyMap<number, StandInPerson>;
  readonly isKnownUser: (telegramId: number) => boolean;
  readonly bot: { readonly id: number; readonly username: string };
  readonly clock: () => number;
};

export const rightNames = {
  delete: 'can_delete_messages',
  restrict: 'can_restrict_members',
  invite: 'can_invite_users',
  pin: 'can_pin_messages',
  topics: 'can_manage_topics',
  promote: 'can_promote_members',
  tags: 'can_manage_tags',
  info: 'can_change_info',
} as const satisfies Record<Right, string>;

export const allRights: readonly Right[] = [
  'delete',
  'restrict',
  'invite',
  'pin',
  'topics',
  'promote',
  'tags',
  'info',
];

/** A supergroup with no member but the bot, which may do everything, unless something else is said. */
export const completeChat = (
  chat: Partial<StandInChat> & { readonly id: number },
): StandInChat => ({
  title: 'Test chat',
  type: 'supergroup',
  creator: undefined,
  administrators: [],
  members: [],
  bot: 'administrator',
  botRights: allRights,
  botMayDelete: true,
  ...chat,
});
const usualRights = allRights.filter((right) => right !== 'promote');

const sendPermissions = [
  'can_send_messages',
  'can_send_audios',
  'can_send_documents',
  'can_send_photos',
  'can_send_videos',
  'can_send_video_notes',
  'can_send_voice_notes',
];
const otherPermissions = [
  'can_send_polls',
  'can_send_other_messages',
  'can_add_web_page_previews',
  'can_change_info',
  'can_invite_users',
  'can_pin_messages',
];
/** Permissions that follow another where they are not given. */
const followingPermissions = {
  can_react_to_messages: 'can_send_messages',
  can_manage_topics: 'can_pin_messages',
  can_edit_tag: 'can_pin_messages',
} as const;

type Restriction =
  | { readonly kind: 'kicked'; readonly until: number }
  | {
      readonly kind: 'restricted';
      readonly until: number;
      readonly permissions: Readonly<Record<string, boolean>>;
    };

/** What the bot may do in a chat. */
export function botRights(chat: StandInChat): readonly Right[] {
  return chat.bot === 'administrator'
    ? chat.botRights.filter((right) => right !== 'delete' || chat.botMayDelete)
    : [];
}

/** What is known of the members of one chat beside its lists. It is kept when the chat gets another id. */
type Ledger = {
  readonly restrictions: Map<number, Restriction>;
  readonly tags: Map<number, string>;
  readonly channels: Set<number>;
};

export function createMembers({ getChat, findChat, people, isKnownUser, bot, clock }: Known) {
  const ledgers = new WeakMap<StandInChat, Ledger>();

  function ledgerFor(chat: StandInChat): Ledger {
    const ledger = ledgers.get(chat) ?? {
      restrictions: new Map(),
      tags: new Map(),
      channels: new Set(),
    };
    ledgers.set(chat, ledger);
    return ledger;
  }

  function readRestriction(chat: StandInChat, id: number): Restriction | undefined {
    const { restrictions } = ledgerFor(chat);
    const found = restrictions.get(id);
    const isOver = found !== undefined && found.until !== 0 && found.until * 1000 <= clock();
    // Who is in the list of members again was let in again.
    if (isOver || (found?.kind === 'kicked' && chat.members.includes(id))) {
      restrictions.delete(id);
      return undefined;
    }
    return found;
  }

  function readStatus(chat: StandInChat, id: number): MemberState['status'] {
    if (id === chat.creator) {
      return 'creator';
    }
    if (chat.administrators.includes(id)) {
      return 'administrator';
    }
    return readRestriction(chat, id)?.kind ?? (chat.members.includes(id) ? 'member' : 'left');
  }

  function readMember(chat: StandInChat, id: number): MemberState {
    const status = readStatus(chat, id);
    const isAdministrator = status === 'creator' || status === 'administrator';
    const title = isAdministrator ? chat.titles?.[id] : undefined;
    const tag = ledgerFor(chat).tags.get(id);
    return {
      status,
      ...(status === 'administrator'
        ? { rights: chat.administratorRights?.[id] ?? usualRights }
        : describeRestriction(readRestriction(chat, id))),
      ...(title === undefined ? {} : { title }),
      ...(tag === undefined ? {} : { tag }),
    };
  }

  /** Whether the bot made the user an administrator, or one whom it made did. */
  function isOurs({ promotedBy = {} }: StandInChat, id: number): boolean {
    const seen = new Set<number>();
    let by = promotedBy[id];
    while (by !== undefined && by !== bot.id && !seen.has(by)) {
      seen.add(by);
      by = promotedBy[by];
    }
    return by === bot.id;
  }

  const isEditable = (chat: StandInChat, id: number) =>
    botRights(chat).includes('promote') && isOurs(chat, id);

  const isIn = (chat: StandInChat, id: number) =>
    id === chat.creator || chat.administrators.includes(id) || chat.members.includes(id);

  function takeOut(chat: StandInChat, id: number): void {
    chat.members = chat.members.filter((one) => one !== id);
    chat.administrators = chat.administrators.filter((one) => one !== id);
  }

  /** The user of a call. */
  function readUser({ user_id }: Body): number {
    const id = Number(user_id);
    if (!Number.isSafeInteger(id) || id <= 0) {
      throw refuse('invalid user_id specified');
    }
    if (!isKnownUser(id)) {
      throw refuse('PARTICIPANT_ID_INVALID');
    }
    return id;
  }

  /** A member as getChatMember answers. */
  function answerMember(chat: StandInChat, id: number) {
    if (id === bot.id) {
      return answerBot(chat);
    }
    const { status, until, permissions, rights, title, tag } = readMember(chat, id);
    const isAdministrator = status === 'creator' || status === 'administrator';
    return {
      user: { is_bot: false, ...(people.get(id) ?? { id, first_name: `Person ${id}` }) },
      status,
      ...(until === undefined ? {} : { until_date: until }),
      ...(permissions && { is_member: chat.members.includes(id), ...permissions }),
      ...(isAdministrator
        ? { is_anonymous: chat.anonymous?.includes(id) ?? false, ...toField('custom_title', title) }
        : toField('tag', isIn(chat, id) ? tag : undefined)),
      ...(rights && {
        can_be_edited: isEditable(chat, id),
        ...rightFields(rights),
        ...(chat.type === 'channel' && { can_post_messages: true }),
      }),
    };
  }

  function answerBot(chat: StandInChat) {
    const user = { id: bot.id, is_bot: true, first_name: 'Nori', username: bot.username };
    return chat.bot === 'administrator'
      ? {
          user,
          status: chat.bot,
          can_be_edited: false,
          is_anonymous: false,
          ...rightFields(botRights(chat)),
          ...(chat.type === 'channel' && { can_post_messages: chat.botMayPost ?? true }),
        }
      : { user, status: chat.bot };
  }

  function findOrThrow(chatId: number): StandInChat {
    const chat = findChat(chatId);
    if (chat === undefined) {
      throw new Error(`The stand-in has no chat ${chatId}`);
    }
    return chat;
  }

  const members: StandInMembers = {
    read: (chatId, telegramId) => readMember(findOrThrow(chatId), telegramId),
    put: (chatId, telegramId, { status, until = 0, permissions = {} }) => {
      const chat = findOrThrow(chatId);
      const { restrictions } = ledgerFor(chat);
      if (status === 'kicked') {
        takeOut(chat, telegramId);
        restrictions.set(telegramId, { kind: 'kicked', until });
      } else {
        const whole = readPermissions({ permissions, use_independent_chat_permissions: true });
        restrictions.set(telegramId, { kind: 'restricted', until, permissions: whole });
      }
    },
    bannedChannels: (chatId) => [...ledgerFor(findOrThrow(chatId)).channels],
  };

  return {
    ...members,
    ledgerFor,
    readStatus,
    readUser,
    isEditable,
    isIn,
    takeOut,
    answerMember,
    methods: {
      getChatAdministrators: (body: Body) => {
        const chat = getChat(body);
        if (chat.type === 'private') {
          throw refuse('there are no administrators in the private chat');
        }
        const ids = [...(chat.creator === undefined ? [] : [chat.creator]), ...chat.administrators];
        const listed = ids.filter(
          (id) => body['return_bots'] === true || people.get(id)?.is_bot !== true,
        );
        return [
          ...listed.map((id) => answerMember(chat, id)),
          ...(chat.bot === 'administrator' ? [answerMember(chat, bot.id)] : []),
        ];
      },
      getChatMember: (body: Body) => {
        const chat = getChat(body);
        const id = readUser(body);
        if (chat.type === 'supergroup' && chat.bot !== 'administrator' && id !== bot.id) {
          // Telegram answers about others reliably only while the bot is an administrator.
          throw refuse('CHAT_ADMIN_REQUIRED');
        }
        return answerMember(chat, id);
      },
    },
  };
}

function describeRestriction(
  restriction: Restriction | undefined,
): Pick<MemberState, 'until' | 'permissions'> {
  if (restriction === undefined) {
    return {};
  }
  const { until } = restriction;
  return restriction.kind === 'kicked'
    ? { until }
    : { until, permissions: restriction.permissions };
}

const toField = (name: string, value: string | undefined) =>
  value === undefined ? {} : { [name]: value };

const rightFields = (given: readonly Right[]) => ({
  can_manage_chat: true,
  can_manage_video_chats: false,
  can_post_stories: false,
  can_edit_stories: false,
  can_delete_stories: false,
  can_send_welcome_messages: false,
  ...Object.fromEntries(allRights.map((right) => [rightNames[right], given.includes(right)])),
});

/** All permissions; those that are not given are false, or follow another. */
export function readPermissions({
  permissions,
  use_independent_chat_permissions: isIndependent,
}: Body): Readonly<Record<string, boolean>> {
  if (typeof permissions !== 'object' || permissions === null) {
    throw refuse("can't parse permissions: expected an Object");
  }
  if (isIndependent !== true) {
    // The stand-in lacks permissions that imply others, which the bot does not use.
    throw refuse('use_independent_chat_permissions is needed by the stand-in');
  }
  const given = asRecord(permissions);
  const whole = Object.fromEntries(
    [...sendPermissions, ...otherPermissions].map((name) => [name, given[name] === true]),
  );
  const following = Object.entries(followingPermissions).map(([name, other]) => [
    name,
    given[name] === undefined ? whole[other] === true : given[name] === true,
  ]);
  return { ...whole, ...Object.fromEntries(following) };
}
