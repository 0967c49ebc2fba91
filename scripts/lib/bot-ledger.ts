/** Records at the Bot API stand-in which messages were sent to the bot and which it deleted. */

type Content = Readonly<Record<string, unknown>>;

export type LedgerTotals = {
  readonly blocked: number;
  /** Blocked and not deleted. */
  readonly missed: number;
  /** Deleted and not blocked. */
  readonly wrong: number;
  /** Blocked and deleted more than once. */
  readonly twice: number;
  /** Milliseconds from writing a message to the bot's order to delete it, sorted. */
  readonly waits: readonly number[];
  readonly commands: CommandTotals;
};

type CommandTotals = {
  readonly given: number;
  /** Commands without an answer. */
  readonly unanswered: number;
  /** Commands that were answered more than once. */
  readonly answeredTwice: number;
  /** Milliseconds from writing a command to the bot's answer, sorted. */
  readonly waits: readonly number[];
};

type Where = (chatId: string) => boolean;

export type BotLedger = {
  /** Records a call to the Bot API. */
  readonly recordCall: (method: string, body: Content) => void;
  /** Records that a message was written just now. */
  readonly recordMessage: (key: string) => void;
  /** Adds a message that has to be deleted. */
  readonly expect: (key: string) => void;
  /** Adds a command that has to be answered. */
  readonly expectAnswer: (key: string) => void;
  /** The bot has received every update before this one. */
  readonly offset: () => number;
  /** Whether every message that has to be deleted is deleted, and every command is answered. */
  readonly isDone: () => boolean;
  /** The messages that have to be deleted and are not. */
  readonly missing: () => readonly string[];
  /** The messages whose deletion was asked for more than once. */
  readonly repeated: () => readonly string[];
  /** Returns the totals since the last `clear`, of all chats or of some. */
  readonly totals: (where?: Where) => LedgerTotals;
  readonly clear: () => void;
};

export const messageKey = (chatId: unknown, messageId: unknown): string =>
  `${String(chatId)}:${String(messageId)}`;

export function createBotLedger(): BotLedger {
  const writtenAt = new Map<string, number>();
  const deletions = new Map<string, number>();
  const expected = new Set<string>();
  const waits = new Map<string, number>();
  const commands = new Set<string>();
  /** Command → when each answer came, after it was written. */
  const answers = new Map<string, number[]>();
  let offset = 0;

  function noteAnswer(key: string, now: number): void {
    const since = writtenAt.get(key);
    if (commands.has(key) && since !== undefined) {
      answers.set(key, [...(answers.get(key) ?? []), now - since]);
    }
  }

  function countCommands(isIn: Where): CommandTotals {
    const given = [...commands].filter((key) => isIn(key.split(':')[0] ?? ''));
    const times = given.map((key) => answers.get(key) ?? []);
    return {
      given: given.length,
      unanswered: times.filter(({ length }) => length === 0).length,
      answeredTwice: times.filter(({ length }) => length > 1).length,
      waits: times
        .flatMap(([first]) => (first === undefined ? [] : [first]))
        .toSorted((one, other) => one - other),
    };
  }

  function noteDeletion(key: string, now: number): void {
    const times = deletions.get(key) ?? 0;
    deletions.set(key, times + 1);
    const since = writtenAt.get(key);
    if (times === 0 && since !== undefined) {
      waits.set(key, now - since);
    }
  }

  return {
    recordCall(method, body) {
      if (method === 'getUpdates') {
        offset = Math.max(offset, Number(body['offset'] ?? 0));
      } else if (method === 'deleteMessage') {
        noteDeletion(messageKey(body['chat_id'], body['message_id']), performance.now());
      } else if (method === 'sendMessage') {
        const { message_id: replyTo } = Object(body['reply_parameters']);
        noteAnswer(messageKey(body['chat_id'], replyTo), performance.now());
      } else if (method === 'deleteMessages' && Array.isArray(body['message_ids'])) {
        for (const id of body['message_ids']) {
          noteDeletion(messageKey(body['chat_id'], id), performance.now());
        }
      }
    },

    recordMessage: (key) => void writtenAt.set(key, performance.now()),

    expect: (key) => void expected.add(key),
    expectAnswer: (key) => void commands.add(key),
    offset: () => offset,

    isDone: () =>
      [...expected].every((key) => deletions.has(key)) &&
      [...commands].every((key) => answers.has(key)),

    missing: () => [...expected].filter((key) => !deletions.has(key)),

    repeated: () => [...deletions].filter(([, times]) => times > 1).map(([key]) => key),

    totals(where = () => true) {
      const isIn = (key: string) => where(key.split(':')[0] ?? '');
      const blocked = [...expected].filter(isIn);
      const deleted = [...deletions].filter(([key]) => isIn(key));
      return {
        blocked: blocked.length,
        missed: blocked.filter((key) => !deletions.has(key)).length,
        wrong: deleted.filter(([key]) => !expected.has(key)).length,
        twice: deleted.filter(([key, times]) => expected.has(key) && times > 1).length,
        waits: [...waits]
          .filter(([key]) => isIn(key))
          .map(([, ms]) => ms)
          .toSorted((one, other) => one - other),
        commands: countCommands(where),
      };
    },

    clear: () => {
      expected.clear();
      deletions.clear();
      writtenAt.clear();
      waits.clear();
      commands.clear();
      answers.clear();
    },
  };
}
