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

const personalRecords = [
  // Who has said that they are away.
  `create table away (
    telegram_id bigint primary key,
    reason text not null,
    since bigint not null
  )`,
  'create index away_by_time on away (since)',
  // Messages in groups that one named person can open; the text is sealed.
  `create table whispers (
    id text primary key,
    from_id bigint not null,
    to_id bigint,
    to_username text,
    text text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index whispers_of_writer on whispers (from_id)',
  'create index whispers_to on whispers (to_id)',
  'create index whispers_by_end on whispers (expires_at)',
  // Sets of stickers that the bot has made for people. Telegram has the stickers.
  `create table sticker_packs (
    name text primary key,
    telegram_id bigint not null,
    number bigint not null,
    title text not null,
    count bigint not null,
    created_at bigint not null
  )`,
  'create index sticker_packs_of_person on sticker_packs (telegram_id, number)',
  // Who has said in a private chat that they are 18 or older.
  `create table adult_confirmations (
    telegram_id bigint primary key,
    confirmed_at bigint not null
  )`,
  // Reminders are jobs, which people list.
  'create index due_jobs_of_person on due_jobs (telegram_id, kind)',
];

/** What people have the bot keep for them: that they are away, whispers, packs of stickers, their word that they are adults. */
export const addPersonalRecords = inOrder(personalRecords, {
  oldestCode: '0021-newcomers-and-contents',
});

const generationTimes = [
  // When an engine began to work on it; null while it waits.
  'alter table generation_jobs add column began_at bigint',
  'create index generation_jobs_by_engine on generation_jobs (engine, state, finished_at)',
];

/** When the work on a picture began: what was measured says how long the next one will take. */
export const addGenerationTimes = inOrder(generationTimes, {
  oldestCode: '0022-personal-records',
});

const pictureSources = [
  // Until when a picture is kept that is in no history, as others are made from it; null for all others.
  'alter table pictures add column source_until bigint',
  'create index pictures_by_source_end on pictures (source_until) where source_until is not null',
];

/** Pictures of users that others are made from. */
export const addPictureSources = inOrder(pictureSources, {
  oldestCode: '0023-generation-times',
});

const telegramPhotos = [
  // The photo that Telegram has of a picture since this bot has sent it; null where it was not sent as one.
  'alter table pictures add column photo_bot_id bigint',
  'alter table pictures add column photo_file_id text',
];

/** Photos that Telegram has already, by which a picture is shared without being loaded again. */
export const addTelegramPhotos = inOrder(telegramPhotos, { oldestCode: '0024-picture-sources' });
