/** The tables of who joins, of what the bot sends, and of the numbers of chats, as Kysely sees them. */
import { type Generated } from 'kysely';

/** `button` and `task` are asked in the group, `gate` in Nori before who asks to join is in. */
export type JoinCheckKind = 'button' | 'task' | 'gate';
/** `open` until it is settled; `gone` when they left, were removed, or were let in by an administrator. */
export type JoinCheckState = 'open' | 'passed' | 'failed' | 'expired' | 'gone';

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
   * `message_ids` (JSON) are the messages in the chat that go when it is settled.
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
  };
  /** Who joined within the last day. `key` names the update, `greeted` is 1 when the greeting was begun. */
  recent_joins: {
    chat_id: number;
    telegram_id: number;
    at: number;
    key: string;
    greeted: Generated<number>;
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
