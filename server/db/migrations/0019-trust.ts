/** Passkeys, what happened to an account, exports, and what protects sessions and links. */
import { inOrder } from './in-order.ts';

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
