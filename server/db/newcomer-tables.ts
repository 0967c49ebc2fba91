/** The tables of who joins, of what the bot sends, and of the numbers of chats, as Kysely sees them. */
import { type Generated } from 'kysely';

/**
 * `button` and `task` are asked in the group, `gate` in Nori before who asks to join is in. `raid`: nothing is asked, raid
 * protection turns them away. `none`: the person has written, and nothing was heard of their joining.
 */
export type JoinCheckKind = 'button' | 'task' | 'gate' | 'raid' | 'none';
/**
 * `open` until it is settled; `gone` when they left or were removed, `let_in` when an administrator let them in, `removed` by
 * raid protection. `early` is the state of `none`.
 */
export type JoinCheckState =
  | 'open'
  | 'passed'
  | 'failed'
  | 'expired'
  | 'gone'
  | 'let_in'
  | 'removed'
  | 'early';

export type NewcomerTables = {
  /** What the bot sends: greetings, rules, answers and notes. `body` is JSON; a content never changes. */
  contents: {
    id: string;
    chat_id: number;
    body: string;
    created_at: number;
  };
  /**
   * What is asked of who joins. `query` is the sealed ID by which Telegram takes the answer to a request to join;
   * `message_ids` (JSON) say that they have joined, and go unless they pass. `asked_id` is a message of the bot for them that
   * all see. `since` is when the first stay began of those in a row in which they did not pass. `early` (JSON) are messages that were written before their joining was heard of, with their times.
   */
  join_checks: {
    chat_id: number;
    telegram_id: number;
    kind: JoinCheckKind;
    state: JoinCheckState;
    answer_hash: string | null;
    tries: Generated<number>;
    query: string | null;
    message_ids: Generated<string>;
    language: Generated<string>;
    started_at: number;
    due_at: number;
    settled_at: number | null;
    asked_at: number | null;
    asked_id: number | null;
    since: number | null;
    early: Generated<string>;
  };
  /**
   * Who joined within the last day. `key` names the update, `greeted` is 1 when the greeting was begun, `let_in` for those whom
   * an administrator has added.
   */
  recent_joins: {
    chat_id: number;
    telegram_id: number;
    at: number;
    key: string;
    greeted: Generated<number>;
    let_in: Generated<number>;
  };
  /** The newest greeting of each chat. */
  last_greetings: {
    chat_id: number;
    message_id: number;
    sent_at: number;
  };
  /** How often something happened in a chat in an hour; topic -1 is the whole chat. */
  chat_numbers: {
    chat_id: number;
    topic_id: number;
    name: string;
    hour: number;
    count: number;
  };
};
