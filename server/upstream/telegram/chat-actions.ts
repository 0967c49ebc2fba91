/**
 * What the bot does in groups for their administrators: bans and the like, pins, topics, titles. Each call says
 * in one of our words why Telegram refused it, so that nothing else reads Telegram's sentences.
 */
import { type Api, InputFile } from 'grammy';

import { type MediaKind, mediaWithoutCaption } from '#contract/chats/contents';
import { type Right } from '#contract/commands/command';

import { type ActionOutcome, callForOutcome, createApi } from './calls.ts';
import { type InlineActions, inlineActions } from './inline.ts';
import {
  editPhoto,
  editText,
  type MediaActions,
  mediaActions,
  type Medium,
  readMedium,
  sendMedium,
} from './media.ts';
import {
  type BotMessage,
  pictureActions,
  type PictureActions,
  toContentOptions,
  toMarkup,
  toMediaOptions,
  toSendOptions,
} from './messages.ts';
import {
  allPermissions,
  mutedPermissions,
  noRights,
  telegramRights,
  toPermissionsWithoutReactions,
} from './rights.ts';

export { type ActionOutcome, type ActionRefusal } from './calls.ts';
export { type StickerFormat } from './media.ts';
export { type BotMessage, buttonData, type MessageButton } from './messages.ts';

type EditedMessage = Pick<BotMessage, 'chatId' | 'text' | 'entities' | 'buttons'> & {
  /** Of a photo that is to stand above the text. */
  readonly photoId?: string | undefined;
  readonly messageId: number;
  /** Which ephemeral message it is, and of whom; its `messageId` is 0. */
  readonly onlyFor?: { readonly telegramId: number; readonly ephemeralId: number } | undefined;
};

/** `messageId` is 0 for an ephemeral message. A sticker is a message of its own after the text that it comes with. */
export type SentMessage = { readonly messageId: number; readonly stickerId?: number };

/** A file for the private chat with a user. `read` begins anew with each call, as it may be sent again. */
type UploadedFile = {
  readonly telegramId: number;
  readonly kind: MediaKind;
  readonly name: string;
  readonly read: () => AsyncIterable<Uint8Array>;
};

type In<T = true> = Promise<ActionOutcome<T>>;

type FileActions = MediaActions & PictureActions;

/** Each resolves with Telegram's answer, and never rejects because of it. Times are epoch seconds. */
export type ChatActions = FileActions &
  InlineActions & {
    /** Again sets another time. Without `until` for ever, and in a basic group always. */
    readonly ban: (chatId: number, telegramId: number, until?: number) => In;
    readonly unban: (chatId: number, telegramId: number) => In;
    /** In a basic group this is a ban that is lifted; in a supergroup one call that does both. */
    readonly kick: (chatId: number, telegramId: number, isBasicGroup: boolean) => In;
    /** Keeps the owner of a channel from writing in its name, or in that of another channel of theirs. */
    readonly banChannel: (chatId: number, channelId: number) => In;
    readonly unbanChannel: (chatId: number, channelId: number) => In;
    /** Nothing may be sent, and nothing be reacted to. */
    readonly mute: (chatId: number, telegramId: number, until?: number) => In;
    /** All may be sent again that the chat allows everyone. */
    readonly unmute: (chatId: number, telegramId: number) => In;
    /**
     * Nothing may be reacted to until then. Who is limited already keeps what they have and its end, as Telegram knows one
     * end only: nothing changes where that is later, or never.
     */
    readonly forbidReactions: (chatId: number, telegramId: number, until: number) => In;
    /** Of a member, or of a channel or group (an ID below zero), at one message. */
    readonly removeReaction: (chatId: number, messageId: number, actorId: number) => In;
    /** All that they have given lately, up to 10,000. */
    readonly removeReactions: (chatId: number, actorId: number) => In;
    /** Gives exactly these rights; none takes the role away. */
    readonly promote: (chatId: number, telegramId: number, rights: readonly Right[]) => In;
    readonly setTitle: (chatId: number, telegramId: number, title: string) => In;
    /** An empty tag removes it. */
    readonly setTag: (chatId: number, telegramId: number, tag: string) => In;
    readonly pin: (chatId: number, messageId: number, isLoud: boolean) => In;
    /** The newest pinned message without `messageId`. */
    readonly unpin: (chatId: number, messageId?: number) => In;
    /** All of a topic (0 is General), or with undefined all of the chat. */
    readonly unpinAll: (chatId: number, topicId: number | undefined) => In;
    /** Returns the ID of the new topic. */
    readonly createTopic: (chatId: number, name: string) => In<number>;
    /** Topic 0 is General, here and below. */
    readonly renameTopic: (chatId: number, topicId: number, name: string) => In;
    readonly closeTopic: (chatId: number, topicId: number) => In;
    readonly reopenTopic: (chatId: number, topicId: number) => In;
    readonly send: (message: BotMessage) => In<SentMessage>;
    /** Sends a file without a sound. Returns its ID, by which it can be sent again, and the message that it is in. */
    readonly upload: (file: UploadedFile) => In<SentMessage & { readonly medium: Medium }>;
    readonly countMembers: (chatId: number) => In<number>;
    /** Replaces text and buttons of a message of the bot, and adds a picture; the text alone when Telegram cannot get it. */
    readonly edit: (message: EditedMessage) => In;
    /** Ends the waiting of a pressed button; the text is shown to the one who pressed it. At most 200 characters. */
    readonly answerPress: (pressId: string, text?: string) => In;
    /** Opens a page of Nori for who asks to join; the decision follows. Within 10 seconds of the query. */
    readonly openForQuery: (queryId: string, url: string) => In;
    /** Decides about a request to join by its query; `queue` leaves it to the administrators. */
    readonly answerQuery: (queryId: string, result: 'approve' | 'decline' | 'queue') => In;
    /** Decides about a request to join without a query. */
    readonly approveRequest: (chatId: number, telegramId: number) => In;
    readonly declineRequest: (chatId: number, telegramId: number) => In;
  };

const timeoutS = 10;
/** A file is sent as fast as the line of the server allows. */
const fileTimeoutS = 2 * 60;

/** Connects to the Bot API at `apiRoot`, or at Telegram's own address. Sends nothing by itself. */
export function connectChatActions(server: {
  readonly token: string;
  readonly apiRoot?: string | undefined;
}): ChatActions {
  const api = createApi(server, timeoutS);
  const files = createApi(server, fileTimeoutS);
  return {
    ...memberActions(api),
    ...reactionActions(api),
    ...requestActions(api),
    ...pinAndTopicActions(api),
    ...messageActions(api),
    ...inlineActions(api),
    ...fileActions(files),
    ...pictureActions(api, files),
    ...mediaActions(files, server),
  };
}

function requestActions(api: Api) {
  return {
    openForQuery: (queryId, url) =>
      callForOutcome(() => api.sendChatJoinRequestWebApp(queryId, url)),
    answerQuery: (queryId, result) =>
      callForOutcome(() => api.answerChatJoinRequestQuery(queryId, result)),
    approveRequest: (chatId, telegramId) =>
      callForOutcome(() => api.approveChatJoinRequest(chatId, telegramId)),
    declineRequest: (chatId, telegramId) =>
      callForOutcome(() => api.declineChatJoinRequest(chatId, telegramId)),
  } satisfies Partial<ChatActions>;
}

function memberActions(api: Api) {
  return {
    ban: (chatId, telegramId, until) =>
      callForOutcome(() => api.banChatMember(chatId, telegramId, toUntilDate(until))),
    unban: (chatId, telegramId) =>
      callForOutcome(() => api.unbanChatMember(chatId, telegramId, { only_if_banned: true })),
    kick: (chatId, telegramId, isBasicGroup) =>
      callForOutcome(() =>
        // A basic group has no list of banned users: who is banned there may come back.
        isBasicGroup
          ? api.banChatMember(chatId, telegramId)
          : api.unbanChatMember(chatId, telegramId),
      ),
    banChannel: (chatId, channelId) =>
      callForOutcome(() => api.banChatSenderChat(chatId, channelId)),
    unbanChannel: (chatId, channelId) =>
      callForOutcome(() => api.unbanChatSenderChat(chatId, channelId)),
    mute: (chatId, telegramId, until) =>
      callForOutcome(() =>
        api.restrictChatMember(chatId, telegramId, mutedPermissions, {
          use_independent_chat_permissions: true,
          ...toUntilDate(until),
        }),
      ),
    unmute: (chatId, telegramId) =>
      callForOutcome(() =>
        api.restrictChatMember(chatId, telegramId, allPermissions, {
          use_independent_chat_permissions: true,
        }),
      ),
    promote: (chatId, telegramId, rights) =>
      callForOutcome(() => api.promoteChatMember(chatId, telegramId, toTelegramRights(rights))),
    setTitle: (chatId, telegramId, title) =>
      callForOutcome(() => api.setChatAdministratorCustomTitle(chatId, telegramId, title)),
    setTag: (chatId, telegramId, tag) =>
      callForOutcome(() => api.setChatMemberTag(chatId, telegramId, tag)),
  } satisfies Partial<ChatActions>;
}

function reactionActions(api: Api) {
  async function forbid(chatId: number, telegramId: number, until: number): Promise<true> {
    const member = await api.getChatMember(chatId, telegramId);
    const isLimited = member.status === 'restricted';
    const end = isLimited ? member.until_date : until;
    // 0 is for ever.
    const isShort = end > 0 && end <= until;
    return isShort && (member.status === 'member' || (isLimited && member.can_react_to_messages))
      ? api.restrictChatMember(chatId, telegramId, toPermissionsWithoutReactions(member), {
          use_independent_chat_permissions: true,
          until_date: end,
        })
      : true;
  }

  return {
    forbidReactions: (chatId, telegramId, until) =>
      callForOutcome(() => forbid(chatId, telegramId, until)),
    removeReaction: (chatId, messageId, actorId) =>
      callForOutcome(() =>
        actorId < 0
          ? api.deleteMessageReactionChat(chatId, messageId, actorId)
          : api.deleteMessageReactionUser(chatId, messageId, actorId),
      ),
    removeReactions: (chatId, actorId) =>
      callForOutcome(() =>
        actorId < 0
          ? api.deleteAllMessageReactionsChat(chatId, actorId)
          : api.deleteAllMessageReactionsUser(chatId, actorId),
      ),
  } satisfies Partial<ChatActions>;
}

function pinAndTopicActions(api: Api) {
  return {
    pin: (chatId, messageId, isLoud) =>
      callForOutcome(() =>
        api.pinChatMessage(chatId, messageId, { disable_notification: !isLoud }),
      ),
    unpin: (chatId, messageId) => callForOutcome(() => api.unpinChatMessage(chatId, messageId)),
    unpinAll: (chatId, topicId) =>
      callForOutcome(() => {
        if (topicId === undefined) {
          return api.unpinAllChatMessages(chatId);
        }
        return topicId === 0
          ? api.unpinAllGeneralForumTopicMessages(chatId)
          : api.unpinAllForumTopicMessages(chatId, topicId);
      }),

    createTopic: (chatId, name) =>
      callForOutcome(async () => {
        const topic = await api.createForumTopic(chatId, name);
        return topic.message_thread_id;
      }),
    renameTopic: (chatId, topicId, name) =>
      callForOutcome(() =>
        topicId === 0
          ? api.editGeneralForumTopic(chatId, name)
          : api.editForumTopic(chatId, topicId, { name }),
      ),
    closeTopic: (chatId, topicId) =>
      callForOutcome(() =>
        topicId === 0 ? api.closeGeneralForumTopic(chatId) : api.closeForumTopic(chatId, topicId),
      ),
    reopenTopic: (chatId, topicId) =>
      callForOutcome(() =>
        topicId === 0 ? api.reopenGeneralForumTopic(chatId) : api.reopenForumTopic(chatId, topicId),
      ),
  } satisfies Partial<ChatActions>;
}

function messageActions(api: Api) {
  const sendOnce = (message: BotMessage) =>
    callForOutcome(async () => {
      const { chatId, text, media } = message;
      const sent =
        media === undefined
          ? await api.sendMessage(chatId, text, toSendOptions(message))
          : await sendMedium[media.kind](api, chatId, {
              file: media.fileId,
              options: toMediaOptions(message),
            });
      return { messageId: sent.message_id };
    });

  async function sendOne(message: BotMessage): Promise<ActionOutcome<SentMessage>> {
    const outcome = await sendOnce(message);
    const { onlyFor } = message;
    // Of an ephemeral message Telegram does not look at `allow_sending_without_reply`.
    return onlyFor !== undefined && outcome.kind === 'refused' && outcome.why === 'message gone'
      ? sendOnce({
          ...message,
          replyTo: undefined,
          onlyFor: { ...onlyFor, replyToEphemeral: undefined },
        })
      : outcome;
  }

  /** Without what Telegram does not take: the text is what matters. */
  async function send(message: BotMessage): Promise<ActionOutcome<SentMessage>> {
    const { text, media, buttons = [] } = message;
    const outcome = await sendOne(message);
    if (outcome.kind !== 'refused') {
      return outcome;
    }
    if (outcome.why === 'button' && buttons.length > 0) {
      return send({ ...message, buttons: [] });
    }
    return media !== undefined && (outcome.why === 'file lost' || outcome.why === 'no right')
      ? send({ ...message, text: text === '' ? media.textWhenLost : text, media: undefined })
      : outcome;
  }

  return {
    countMembers: (chatId) => callForOutcome(() => api.getChatMemberCount(chatId)),
    send: async (message) => {
      const { media, text } = message;
      if (media === undefined || text === '' || !mediaWithoutCaption.has(media.kind)) {
        return send(message);
      }
      const outcome = await send({ ...message, media: undefined });
      if (outcome.kind !== 'done') {
        return outcome;
      }
      // Once only: the text has been sent.
      const sticker = await sendOne({ ...message, text: '', entities: [], buttons: [] });
      return sticker.kind === 'done'
        ? { ...outcome, result: { ...outcome.result, stickerId: sticker.result.messageId } }
        : outcome;
    },
    edit: async ({ photoId: fileId, ...message }) => {
      const { text: caption, entities = [], buttons = [] } = message;
      const content = { caption, caption_entities: [...entities], ...toMarkup(buttons) };
      const outcome =
        fileId === undefined
          ? undefined
          : await callForOutcome(() => editPhoto(api, message, { ...content, fileId }));
      return outcome === undefined || (outcome.kind === 'refused' && outcome.why === 'file lost')
        ? callForOutcome(() => editText(api, message, toContentOptions(message)))
        : outcome;
    },
    answerPress: (pressId, text) =>
      callForOutcome(() => api.answerCallbackQuery(pressId, text === undefined ? {} : { text })),
  } satisfies Partial<ChatActions>;
}

function fileActions(api: Api) {
  return {
    upload: ({ telegramId, kind, name, read }) =>
      callForOutcome(async () => {
        const file = new InputFile(read, name);
        const options = { disable_notification: true };
        const sent = await sendMedium[kind](api, telegramId, { file, options });
        return {
          messageId: sent.message_id,
          medium: readMedium(sent) ?? { kind, fileId: '' },
        };
      }),
  } satisfies Partial<ChatActions>;
}

const toUntilDate = (until: number | undefined) =>
  until === undefined ? {} : { until_date: until };

/** The right to add administrators is never given, so that one made by the bot can make no others. */
function toTelegramRights(rights: readonly Right[]) {
  const given = rights.filter((right) => right !== 'promote').map((right) => telegramRights[right]);
  return {
    ...noRights,
    can_pin_messages: false,
    can_manage_topics: false,
    can_manage_tags: false,
    ...Object.fromEntries(given.map((right) => [right, true])),
  };
}
