/** The chats and users that the Bot API stand-in knows, in Telegram's shapes. */

export type StandInPerson = {
  readonly id: number;
  readonly first_name: string;
  readonly username?: string;
};

/** A chat; all fields may be changed while the stand-in runs. */
export type StandInChat = {
  id: number;
  title: string;
  type: 'group' | 'supergroup' | 'channel' | 'private';
  /** Undefined when Telegram shows none, as for a deleted account. */
  creator: number | undefined;
  administrators: number[];
  members: number[];
  /** `left`: a public chat that the bot still sees. `absent`: a chat unknown to the bot. */
  bot: 'administrator' | 'member' | 'left' | 'kicked' | 'absent';
  botMayDelete: boolean;
  /** Whether it has topics. */
  isForum?: boolean;
  /** The channel whose posts it discusses. */
  linkedId?: number;
};

/** Telegram refuses a call. */
export class Refusal extends Error {
  readonly status: number;
  readonly description: string;
  readonly parameters: Readonly<Record<string, number>> | undefined;

  constructor(status: number, description: string, parameters?: Readonly<Record<string, number>>) {
    super(description);
    this.status = status;
    this.description = description;
    this.parameters = parameters;
  }
}

/** The answer of getChat. */
export function chatAnswer({ id, title, type, isForum, linkedId }: StandInChat) {
  return {
    id,
    type,
    ...(type === 'private' ? { first_name: title } : { title }),
    ...(isForum === undefined ? {} : { is_forum: isForum }),
    ...(linkedId === undefined ? {} : { linked_chat_id: linkedId }),
  };
}

/** The answer of savePreparedKeyboardButton, which refuses bot rights that the user need not have. */
export function preparedButton(button: unknown) {
  const { bot_administrator_rights: wanted = {}, user_administrator_rights: had = {} } = asRecord(
    asRecord(button)['request_chat'],
  );
  const missing = Object.entries(asRecord(wanted)).some(
    ([right, isWanted]) => isWanted === true && asRecord(had)[right] !== true,
  );
  if (missing) {
    throw new Refusal(400, 'Bad Request: bot rights must be a subset of user rights');
  }
  return { id: 'prepared-button-1' };
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value))
    : {};
}

/** The answer of getChatMember. */
export function memberAnswer(
  chat: StandInChat,
  id: number,
  {
    known,
    bot,
  }: { known: ReadonlyMap<number, StandInPerson>; bot: { id: number; username: string } },
) {
  if (id === bot.id) {
    return {
      user: { id, is_bot: true, first_name: 'Nori', username: bot.username },
      status: chat.bot,
      ...(chat.bot === 'administrator' ? { can_delete_messages: chat.botMayDelete } : {}),
    };
  }
  const user = { is_bot: false, ...(known.get(id) ?? { id, first_name: `Person ${id}` }) };
  if (id === chat.creator) {
    return { user, status: 'creator', is_anonymous: false };
  }
  if (chat.administrators.includes(id)) {
    return { user, status: 'administrator', can_delete_messages: true };
  }
  return { user, status: chat.members.includes(id) ? 'member' : 'left' };
}

/** A message as in an update, with an entity for a command. Groups have ids below zero. */
export function writtenMessage({
  text,
  chatId,
  from,
  topicId,
  messageId,
  title = 'Otters',
}: {
  readonly text: string;
  readonly chatId: number;
  readonly from: number;
  readonly topicId?: number | undefined;
  readonly messageId: number;
  readonly title?: string;
}) {
  const command = /^\/\w+(?:@\w+)?/.exec(text)?.[0];
  return {
    message_id: messageId,
    date: 0,
    chat:
      chatId < 0
        ? { id: chatId, type: 'supergroup', title, ...(topicId && { is_forum: true }) }
        : { id: chatId, type: 'private', first_name: `Person ${chatId}` },
    from: { id: from, is_bot: false, first_name: `Person ${from}` },
    text,
    ...(command === undefined
      ? {}
      : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] }),
    ...(topicId === undefined ? {} : { is_topic_message: true, message_thread_id: topicId }),
  };
}
