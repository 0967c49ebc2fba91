/**
 * The tables of who joins, of what the bot sends, of the numbers of chats, and of what people have the bot keep for them,
 * as Kysely sees them.
 */
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

export type PersonalTables = {
  /** Who has said that they are away; the row goes when they write. */
  away: {
    telegram_id: number;
    reason: string;
    since: number;
  };
  /**
   * Messages in groups that one named person can open. `text` is sealed. `to_id` is null until it is known who has the
   * name `to_username`, which is in lower case and without @.
   */
  whispers: {
    id: string;
    from_id: number;
    to_id: number | null;
    to_username: string | null;
    text: string;
    created_at: number;
    expires_at: number;
  };
  /** Sets of stickers that the bot has made for people, by the name that Telegram knows; `number` counts those of a person. */
  sticker_packs: {
    name: string;
    telegram_id: number;
    number: number;
    title: string;
    count: number;
    created_at: number;
  };
  /** Who has said in a private chat that they are 18 or older. */
  adult_confirmations: {
    telegram_id: number;
    confirmed_at: number;
  };
};
