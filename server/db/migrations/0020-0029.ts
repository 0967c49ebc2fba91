/** What several machines share: events, leases that are counted, objects that no row holds, and positions in the log of updates. */
import { inOrder } from './in-order.ts';

const severalMachines = [
  // The transaction that wrote a row, by which readers find what was committed after their last read.
  `create table chat_events (
    id text primary key,
    xact bigint not null,
    origin text not null,
    chat_id bigint not null,
    event text not null,
    at bigint not null
  )`,
  'create index chat_events_by_xact on chat_events (xact)',
  'create index chat_events_by_time on chat_events (at)',
  'alter table due_deletions add column epoch bigint not null default 0',
  'alter table due_jobs add column epoch bigint not null default 0',
  // The request or update from which work that is done later comes.
  `alter table due_jobs add column request_id text not null default ''`,
  `alter table exports add column request_id text not null default ''`,
  // Each try has a file of its own, so that a process that was late overwrites none.
  `alter table exports add column file text`,
  `alter table generation_jobs add column request_id text not null default ''`,
  // By which the jobs of a visitor are counted on all machines.
  `alter table generation_jobs add column requester text not null default ''`,
  `create table loose_objects (
    name text primary key,
    remove_at bigint not null,
    held_until bigint not null default 0
  )`,
  'create index loose_objects_by_time on loose_objects (remove_at)',
  // Handled messages of albums, whose contents are kept for some seconds.
  `create index bot_inbox_albums on bot_inbox (bot_id, update_id)
    where handled_at is not null and payload is not null`,
  // What has expired is looked for every ten minutes.
  'create index sessions_by_end on sessions (expires_at)',
  'create index bot_chats_by_leaving on bot_chats (is_in, updated_at)',
  `create table bot_positions (
    bot_id bigint not null,
    partition bigint not null,
    epoch bigint not null,
    log text not null,
    handled_to bigint not null,
    handled_ahead text not null,
    primary key (bot_id, partition)
  )`,
  // Sealed with the key of the server, and made with one of its keys.
  `create table kept_keys (
    purpose text not null,
    made_with text not null,
    made_at bigint not null,
    sealed text not null,
    primary key (purpose, made_with)
  )`,
  `create table schema_versions (
    name text primary key,
    oldest_code text not null
  )`,
];

export const addSeveralMachines = inOrder(severalMachines, { oldestCode: '0019-trust' });

const newcomersAndContents = [
  // A content never changes: a setting that is changed names another one.
  `create table contents (
    id text primary key,
    chat_id bigint not null,
    body text not null,
    created_at bigint not null
  )`,
  'create index contents_of_chat on contents (chat_id)',
  'create index contents_by_time on contents (created_at)',
  `create table join_checks (
    chat_id bigint not null,
    telegram_id bigint not null,
    kind text not null,
    state text not null,
    answer_hash text,
    tries bigint not null default 0,
    query text,
    message_ids text not null default '[]',
    language text not null default 'en',
    started_at bigint not null,
    due_at bigint not null,
    settled_at bigint,
    asked_at bigint,
    asked_id bigint,
    since bigint,
    early text not null default '[]',
    primary key (chat_id, telegram_id)
  )`,
  `create index join_checks_open on join_checks (chat_id) where state = 'open'`,
  'create index join_checks_of_person on join_checks (telegram_id)',
  'create index join_checks_by_end on join_checks (settled_at)',
  // The joins of the last day: what greets, counts and protects looks at them.
  `create table recent_joins (
    chat_id bigint not null,
    telegram_id bigint not null,
    at bigint not null,
    key text not null,
    greeted bigint not null default 0,
    let_in bigint not null default 0,
    primary key (chat_id, telegram_id)
  )`,
  'create index recent_joins_by_time on recent_joins (at)',
  'create index recent_joins_of_chat on recent_joins (chat_id, at)',
  // The newest greeting of a chat, which goes when the next comes.
  `create table last_greetings (
    chat_id bigint primary key,
    message_id bigint not null,
    sent_at bigint not null
  )`,
  // How often something happened in a chat, by hour; topic -1 is the whole chat.
  `create table chat_numbers (
    chat_id bigint not null,
    topic_id bigint not null,
    name text not null,
    hour bigint not null,
    count bigint not null,
    primary key (chat_id, hour, name, topic_id)
  )`,
  'create index chat_numbers_by_time on chat_numbers (hour)',
  // In which topic a message is deleted, for the numbers; null where that is not known.
  'alter table due_deletions add column topic_id bigint',
  // Chats of one community, and of one owner, may share their bans.
  'alter table bot_chats add column community_id bigint',
  'create index bot_chats_of_community on bot_chats (community_id)',
  'create index chat_managers_of_owner on chat_managers (owner_id)',
  // The ban of another chat that this one follows.
  'alter table actions add column shared_from text',
  'create index actions_of_origin on actions (shared_from)',
  'create index actions_of_member on actions (chat_id, target_id)',
];

/** Who joins and what is asked of them, contents that the bot sends, and the numbers of chats. */
export const addNewcomersAndContents = inOrder(newcomersAndContents, {
  oldestCode: '0020-several-machines',
});
