/** The migrations 10 to 19. */
import { inOrder } from './in-order.ts';

/** Which lease of a job a process works by, so that a late process can be told from the current one. */
export const numberLeases = inOrder([
  `alter table generation_jobs add column epoch bigint not null default 0`,
]);

/** Removing a row looks for the rows that refer to it: without an index, in the whole table. */
export const indexReferences = inOrder([
  'create index generations_by_picture on generations (picture_id)',
  'create index generation_jobs_by_owner on generation_jobs (owner_id)',
  'create index connection_attempts_by_user on connection_attempts (telegram_id)',
]);

/** Updates of Telegram are saved before they are handled; due deletions have a lease; counts say what is exact. */
export const addBotInbox = inOrder([
  `create table bot_inbox (
    bot_id bigint not null,
    update_id bigint not null,
    chat_id bigint not null,
    payload text,
    received_at bigint not null,
    handled_at bigint,
    runner text not null,
    leased_until bigint not null,
    primary key (bot_id, update_id)
  )`,
  'create index bot_inbox_open on bot_inbox (bot_id, chat_id, update_id) where handled_at is null',
  'create index bot_inbox_by_arrival on bot_inbox (received_at)',
  'alter table due_deletions add column leased_until bigint not null default 0',
  'alter table deletions add column uncertain bigint not null default 0',
]);

/** How many bytes the pictures of a job take, so that the disk has a budget. */
export const countPictureBytes = inOrder([
  'alter table generation_jobs add column picture_bytes bigint',
  // Sums are read from these alone.
  'create index picture_bytes_of_person on pictures (telegram_id, bytes)',
  'create index picture_bytes_of_jobs on generation_jobs (picture_bytes)',
]);

/** Hints to users who added the bot without the right that it needs; they wait a moment. */
export const addDueHints = inOrder([
  `create table due_hints (
      chat_id bigint not null primary key,
      telegram_id bigint not null,
      due_at bigint not null,
      give_up_at bigint not null
    )`,
  `create index due_hints_by_time on due_hints (due_at)`,
]);

/** When a picture was deleted: until it is removed for good it can be restored. */
export const restorePictures = inOrder([
  `alter table pictures add column deleted_at bigint`,
  `create index pictures_in_bin on pictures (deleted_at) where deleted_at is not null`,
]);

/** The languages of users and groups, and what the bot has told Telegram about itself. */
export const addLanguages = inOrder([
  'alter table people add column language text',
  'alter table people add column language_code text',
  'alter table bot_chats add column language text',
  `create table bot_profile (
    bot_id bigint not null,
    part text not null,
    fingerprint text not null,
    primary key (bot_id, part)
  )`,
]);

/** A change of a chat's history may be one of the language that the bot writes there. */
export const addLanguageChanges = inOrder([
  'alter table setting_changes add column language_was text',
  'alter table setting_changes add column language text',
]);

/** Values of chats, people and messages that the bot has seen, and what was done to members. */
export const moderateMembers = inOrder([
  `create table chat_values (
    chat_id bigint not null references chats (chat_id) on delete cascade,
    topic_id bigint not null,
    name text not null,
    value text not null,
    updated_at bigint not null,
    primary key (chat_id, topic_id, name)
  )`,
  `create table setting_value_items (
    change_id text not null references setting_changes (id) on delete cascade,
    topic_id bigint not null,
    name text not null,
    was text,
    becomes text,
    primary key (change_id, topic_id, name)
  )`,
  `create table people_seen (
    telegram_id bigint primary key,
    username text unique,
    first_name text not null,
    seen_at bigint not null
  )`,
  'create index people_seen_by_time on people_seen (seen_at)',
  `create table seen_messages (
    chat_id bigint not null,
    message_id bigint not null,
    topic_id bigint not null,
    sender_id bigint not null,
    sent_at bigint not null,
    primary key (chat_id, message_id)
  )`,
  'create index seen_messages_by_time on seen_messages (sent_at)',
  `create table warnings (
    id text primary key,
    chat_id bigint not null,
    telegram_id bigint not null,
    by_id bigint not null,
    reason text not null,
    given_at bigint not null,
    expires_at bigint,
    ended_at bigint,
    update_id bigint,
    unique (chat_id, telegram_id, update_id)
  )`,
  'create index warnings_of_member on warnings (chat_id, telegram_id)',
  'create index warnings_by_end on warnings (ended_at)',
  'create index warnings_by_expiry on warnings (expires_at)',
  `create table approvals (
    chat_id bigint not null,
    telegram_id bigint not null,
    by_id bigint not null,
    until bigint,
    at bigint not null,
    primary key (chat_id, telegram_id)
  )`,
  'create index approvals_by_end on approvals (until)',
  `create table actions (
    id text primary key,
    chat_id bigint not null,
    at bigint not null,
    by_id bigint not null,
    target_id bigint not null,
    kind text not null,
    reason text not null,
    until bigint,
    undone_at bigint
  )`,
  'create index actions_of_chat on actions (chat_id, at, id)',
  'create index actions_by_time on actions (at)',
  `create table due_jobs (
    id text primary key,
    kind text not null,
    chat_id bigint not null,
    telegram_id bigint,
    body text not null,
    due_at bigint not null,
    held_until bigint not null default 0,
    tries bigint not null default 0
  )`,
  'create index due_jobs_by_time on due_jobs (due_at)',
  'create index due_jobs_of_chat on due_jobs (chat_id)',
]);

/** Passkeys, what happened to an account, exports, and what protects sessions and links. */
export const addTrust = inOrder([
  // Launch data that Telegram signed up to then is void.
  'alter table people add column launches_void_until bigint not null default 0',
  `alter table sessions add column address_prefix text not null default ''`,
  // How many of the tries were without the attempt.
  'alter table otps add column plain_tries bigint not null default 0',
  `create table used_launches (
    hash text primary key,
    expires_at bigint not null
  )`,
  'create index used_launches_by_end on used_launches (expires_at)',
  `create table account_events (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    at bigint not null,
    kind text not null,
    device text not null,
    address_prefix text not null,
    detail text not null,
    times bigint not null
  )`,
  'create index account_events_of_user on account_events (telegram_id, at)',
  'create index account_events_by_time on account_events (at)',
  `create table passkeys (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    public_key text not null,
    counter bigint not null,
    transports text not null,
    name text not null,
    created_at bigint not null,
    last_used_at bigint
  )`,
  'create index passkeys_of_user on passkeys (telegram_id)',
  `create table passkey_challenges (
    challenge_hash text primary key,
    purpose text not null,
    telegram_id bigint references people (telegram_id) on delete cascade,
    expires_at bigint not null
  )`,
  'create index passkey_challenges_by_end on passkey_challenges (expires_at)',
  'create index passkey_challenges_of_user on passkey_challenges (telegram_id)',
  `create table exports (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    state text not null,
    by_bot bigint not null,
    language text not null,
    file_bytes bigint,
    held_until bigint not null,
    tries bigint not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index exports_of_user on exports (telegram_id)',
  'create index exports_by_end on exports (expires_at)',
  // What a service has answered, encrypted, while the user has yet to confirm the link.
  'alter table connection_attempts add column answer text',
  // A name is shown only to the user who entered it. Those of before do not say who that was.
  'drop table model_names',
  `create table model_names (
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    model_id text not null,
    name text not null,
    learned_at bigint not null,
    primary key (telegram_id, model_id)
  )`,
  'create index model_names_by_time on model_names (learned_at)',
]);
