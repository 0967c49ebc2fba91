/** The migrations 1 to 9. The only types are bigint and text, so that the SQL is the same for both databases. */
import { inOrder } from './in-order.ts';

/** The first tables. The only types are bigint and text, so that the SQL is the same for both databases. */
export const createTables = inOrder([
  `create table people (
    telegram_id bigint primary key,
    email text not null,
    password_hash text not null,
    first_name text,
    username text,
    photo_url text,
    created_at bigint not null
  )`,
  `create table registrations (
    attempt_hash text primary key,
    telegram_id bigint not null,
    email text not null,
    password_hash text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  'create index registrations_of_id on registrations (telegram_id, expires_at)',
  `create table sessions (
    id text primary key,
    token_hash text not null unique,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    device text not null,
    created_at bigint not null,
    last_seen_at bigint not null,
    expires_at bigint not null
  )`,
  'create index sessions_of_person on sessions (telegram_id, created_at)',
  `create table otps (
    id text primary key,
    purpose text not null,
    subject text not null,
    code_hash text not null,
    created_at bigint not null,
    expires_at bigint not null,
    tries bigint not null,
    unique (purpose, subject)
  )`,
  `create table chats (
    chat_id bigint primary key,
    chat_name text not null,
    is_demo bigint not null check (is_demo in (0, 1)),
    created_at bigint not null
  )`,
  `create table chat_managers (
    chat_id bigint not null references chats (chat_id) on delete cascade,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    owner_id bigint not null,
    role text not null,
    verified_at bigint not null,
    checked_at bigint not null,
    primary key (chat_id, telegram_id)
  )`,
  'create index chats_of_manager on chat_managers (telegram_id)',
  `create table topics (
    chat_id bigint not null references chats (chat_id) on delete cascade,
    topic_id bigint not null,
    created_at bigint not null,
    primary key (chat_id, topic_id)
  )`,
  `create table topic_settings (
    chat_id bigint not null,
    topic_id bigint not null,
    name text not null,
    is_blocked bigint not null check (is_blocked in (0, 1)),
    updated_at bigint not null,
    updated_by bigint not null,
    primary key (chat_id, topic_id, name),
    foreign key (chat_id, topic_id) references topics (chat_id, topic_id) on delete cascade
  )`,
  `create table chat_upgrades (
    old_chat_id bigint primary key,
    chat_id bigint not null
  )`,
  `create table rate_buckets (
    key text primary key,
    window_start bigint not null,
    hits bigint not null
  )`,
  'create index rate_buckets_by_age on rate_buckets (window_start)',
]);

/** Counts of used features, by day. */
export const countUsage = inOrder([
  `create table usage (
          name text not null,
          day bigint not null,
          uses bigint not null,
          primary key (name, day)
        )`,
]);

/** Jobs of generations. */
export const createGenerationJobs = inOrder([
  `create table generation_jobs (
    job_key text primary key,
    owner_id bigint references people (telegram_id) on delete cascade,
    provider text not null,
    engine text not null,
    recipe text not null,
    seed text not null,
    state text not null,
    task_id text,
    picture_id text,
    error_code text,
    detail text,
    runner text not null,
    held_until bigint not null,
    created_at bigint not null,
    finished_at bigint
  )`,
  'create index generation_jobs_by_age on generation_jobs (created_at)',
  'create index generation_jobs_by_state on generation_jobs (state, held_until)',
]);

/** Saved pictures with their recipes, and names of models. */
export const keepPictures = inOrder([
  `create table pictures (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    type text not null,
    bytes bigint not null,
    width bigint not null,
    height bigint not null,
    created_at bigint not null
  )`,
  'create index pictures_of_person on pictures (telegram_id)',
  `create table generations (
    id text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    picture_id text not null references pictures (id) on delete cascade,
    prompt text not null,
    negative_prompt text not null,
    model_id text not null,
    model_name text not null,
    seed text not null,
    ratio text not null,
    nsfw bigint not null check (nsfw in (0, 1)),
    tags text not null,
    loras text not null,
    job_key text,
    created_at bigint not null,
    unique (telegram_id, job_key)
  )`,
  `create table model_names (
    model_id text primary key,
    name text not null,
    learned_at bigint not null
  )`,
  'create index generations_of_person on generations (telegram_id, created_at)',
]);

/** Linked accounts of other services, and links that have begun. */
export const connectServices = inOrder([
  `create table connections (
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    service text not null,
    access_token text not null,
    refresh_token text,
    expires_at bigint,
    account_name text,
    linked_at bigint not null,
    primary key (telegram_id, service)
  )`,
  `create table connection_attempts (
    state_hash text primary key,
    telegram_id bigint not null references people (telegram_id) on delete cascade,
    service text not null,
    verifier text not null,
    redirect_uri text not null,
    status text not null,
    expires_at bigint not null
  )`,
]);

/** Several pictures per generation, with provider and style. */
export const severalPictures = inOrder([
  // A JSON list from now on. IDs have no characters that JSON would have to escape.
  'alter table generation_jobs rename column picture_id to picture_ids',
  `update generation_jobs set picture_ids = '["' || picture_ids || '"]' where picture_ids is not null`,
  `alter table generations add column provider text not null default 'pixai'`,
  `alter table generations add column style text not null default ''`,
  // The first picture stays with its generation.
  `create table further_pictures (
    generation_id text not null references generations (id) on delete cascade,
    position bigint not null,
    picture_id text not null references pictures (id) on delete cascade,
    primary key (generation_id, position)
  )`,
  'create index further_pictures_by_picture on further_pictures (picture_id)',
]);

/** Chats and topics of the bot, counts of deletions, and the history of settings. */
export const watchChats = inOrder([
  `create table bot_chats (
    chat_id bigint primary key,
    chat_name text not null,
    is_in bigint not null check (is_in in (0, 1)),
    may_delete bigint not null check (may_delete in (0, 1)),
    is_forum bigint not null check (is_forum in (0, 1)),
    added_by bigint,
    updated_at bigint not null
  )`,
  'create index bot_chats_by_adder on bot_chats (added_by)',
  `create table topic_names (
    chat_id bigint not null,
    topic_id bigint not null,
    name text not null,
    updated_at bigint not null,
    primary key (chat_id, topic_id)
  )`,
  `create table setting_changes (
    id text primary key,
    chat_id bigint not null references chats (chat_id) on delete cascade,
    changed_at bigint not null,
    changed_by bigint not null,
    kind text not null,
    preset text,
    item_count bigint not null
  )`,
  'create index setting_changes_of_chat on setting_changes (chat_id, changed_at, item_count)',
  `create table setting_change_items (
    change_id text not null references setting_changes (id) on delete cascade,
    topic_id bigint not null,
    name text not null,
    was bigint not null check (was in (0, 1)),
    becomes bigint not null check (becomes in (0, 1)),
    primary key (change_id, topic_id, name)
  )`,
  `create table deletions (
    chat_id bigint not null,
    name text not null,
    hour bigint not null,
    total bigint not null,
    primary key (chat_id, name, hour)
  )`,
  'create index deletions_by_hour on deletions (hour)',
  `create table due_deletions (
    chat_id bigint not null,
    message_id bigint not null,
    due_at bigint not null,
    setting text,
    sender_id bigint,
    give_up_at bigint not null,
    primary key (chat_id, message_id)
  )`,
  'create index due_deletions_by_time on due_deletions (due_at)',
]);

/** Removes the user from each setting, where it was stored without end. The history has it for 90 days. */
export const forgetWhoSet = inOrder([`alter table topic_settings drop column updated_by`]);

/** When a user last added the bot to a chat, or picked the chat. */
export const noteArrivals = inOrder([`alter table bot_chats add column added_at bigint`]);
