/** The tables as Kysely sees them. Ids, epoch milliseconds and booleans (0/1) are bigint, the rest text. */

import { type Generated } from 'kysely';

import { type AccountEventKind } from '#contract/endpoints/account-events';
import { type ActionKind } from '#contract/endpoints/chat-members';

import { type NewcomerTables, type PersonalTables } from './newcomer-tables.ts';

export type Tables = NewcomerTables &
  PersonalTables & {
    people: {
      telegram_id: number;
      email: string;
      password_hash: string;
      first_name: string | null;
      username: string | null;
      photo_url: string | null;
      created_at: number;
      /** The language that the user chose, as one of our tags. */
      language: string | null;
      /** The language of the user's Telegram, as it was said last, if it is one of ours. */
      language_code: string | null;
      /** Launch data that was signed up to then is void. */
      launches_void_until: Generated<number>;
    };
    /** Registrations that wait for their code. */
    registrations: {
      attempt_hash: string;
      telegram_id: number;
      email: string;
      password_hash: string;
      created_at: number;
      expires_at: number;
    };
    sessions: {
      id: string;
      token_hash: string;
      telegram_id: number;
      device: string;
      /** The first part of the address that the session was last used from; '' for one from before. */
      address_prefix: string;
      created_at: number;
      last_seen_at: number;
      expires_at: number;
    };
    /** Launch data that was exchanged for a session. Only hashes are stored, for as long as it would be valid. */
    used_launches: {
      hash: string;
      expires_at: number;
    };
    /** What happened to an account. `times` counts repeated events in one row, such as failed logins. */
    account_events: {
      id: string;
      telegram_id: number;
      at: number;
      kind: AccountEventKind;
      device: string;
      address_prefix: string;
      detail: string;
      times: number;
    };
    /** `id` and `public_key` in base64url; `transports` is JSON. */
    passkeys: {
      id: string;
      telegram_id: number;
      public_key: string;
      counter: number;
      transports: string;
      name: string;
      created_at: number;
      last_used_at: number | null;
    };
    /** Each challenge is for one purpose, and valid once. `telegram_id` is null for a login. */
    passkey_challenges: {
      challenge_hash: string;
      purpose: 'login' | 'register' | 'confirm';
      telegram_id: number | null;
      expires_at: number;
    };
    /** Files with all that is stored about a user. The process that makes one has it until `held_until`. */
    exports: {
      id: string;
      telegram_id: number;
      state: 'waiting' | 'ready' | 'failed';
      /** Whether the bot sends the file (1), or has sent it (2); 0 if it does not. */
      by_bot: number;
      language: string;
      file_bytes: number | null;
      held_until: number;
      tries: number;
      created_at: number;
      expires_at: number;
      /** The request that it comes from. */
      request_id: Generated<string>;
      /** The name of its object; null until it is ready, and of earlier versions. */
      file: Generated<string | null>;
    };
    /** One-time passwords as keyed hashes. `subject` is what the code is valid for: an attempt to register or to reset a password, or a chat with the user and its owner. */
    otps: {
      id: string;
      purpose: 'registration' | 'chat' | 'password' | 'login' | 'connection' | 'confirmation';
      subject: string;
      code_hash: string;
      created_at: number;
      expires_at: number;
      tries: number;
      plain_tries: number;
    };
    chats: {
      chat_id: number;
      chat_name: string;
      is_demo: number;
      created_at: number;
    };
    /** Users who manage a chat; `owner_id` is the owner whose code they entered. */
    chat_managers: {
      chat_id: number;
      telegram_id: number;
      owner_id: number;
      role: 'creator' | 'administrator' | 'member';
      verified_at: number;
      checked_at: number;
    };
    topics: {
      chat_id: number;
      topic_id: number;
      created_at: number;
    };
    topic_settings: {
      chat_id: number;
      topic_id: number;
      name: string;
      is_blocked: number;
      updated_at: number;
    };
    /** Groups that became supergroups: their old and their current ID. */
    chat_upgrades: {
      old_chat_id: number;
      chat_id: number;
    };
    /** How often each feature was used on each day; `day` is when the day began (UTC). */
    usage: {
      name: string;
      day: number;
      uses: number;
    };
    /**
     * Jobs. `recipe` and `picture_ids` are JSON; `runner` is the process that has the lease until `held_until`,
     * by the clock of the database. `epoch` counts the leases of the job.
     */
    generation_jobs: {
      job_key: string;
      owner_id: number | null;
      provider: string;
      engine: string;
      recipe: string;
      seed: string;
      state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
      task_id: string | null;
      picture_ids: string | null;
      picture_bytes: number | null;
      error_code: string | null;
      detail: string | null;
      runner: string;
      held_until: number;
      epoch: number;
      created_at: number;
      /** When an engine began to work on it. */
      began_at: number | null;
      finished_at: number | null;
      /** The request that it comes from. */
      request_id: Generated<string>;
      /** A keyed hash of a visitor's address; '' for users. */
      requester: Generated<string>;
    };
    /**
     * Chats that the bot is or was in, managed in Nori or not. `added_by` is the user who added it, or picked
     * the chat, last. `language` is what the bot writes there; null until it is known.
     */
    bot_chats: {
      chat_id: number;
      chat_name: string;
      is_in: number;
      may_delete: number;
      is_forum: number;
      added_by: number | null;
      added_at: number | null;
      updated_at: number;
      language: string | null;
      /** Of Telegram; null where the chat is in none, or it is not known. */
      community_id: Generated<number | null>;
    };
    /** What Telegram was told about a bot, such as its commands in a language: a hash of each part. */
    bot_profile: {
      bot_id: number;
      part: string;
      fingerprint: string;
    };
    /** Names of topics, as far as the bot knows them. */
    topic_names: {
      chat_id: number;
      topic_id: number;
      name: string;
      updated_at: number;
    };
    /**
     * Changes of settings and values; what they changed is in `setting_change_items` and `setting_value_items`.
     * A change of what the bot writes in the chat has its languages here, and no settings.
     */
    setting_changes: {
      id: string;
      chat_id: number;
      changed_at: number;
      changed_by: number;
      kind: 'toggle' | 'bulk' | 'preset' | 'copy' | 'language' | 'values' | 'undo' | 'revert';
      preset: string | null;
      /** How many settings and values it changed. */
      item_count: number;
      language_was: string | null;
      language: string | null;
    };
    setting_change_items: {
      change_id: string;
      topic_id: number;
      name: string;
      was: number;
      becomes: number;
    };
    /** Values as JSON; null where none was, or is, stored. `topic_id` as in `chat_values`. */
    setting_value_items: {
      change_id: string;
      topic_id: number;
      name: string;
      was: string | null;
      becomes: string | null;
    };
    /** What is set in a chat besides the locks of its topics. `topic_id` is -1 for the whole chat; `value` is JSON. */
    chat_values: {
      chat_id: number;
      topic_id: number;
      name: string;
      value: string;
      updated_at: number;
    };
    /**
     * Whom the bot has seen write, so that @names lead to IDs. `username` is in lower case; of two with the same
     * the one seen last has it. Channels have IDs below zero.
     */
    people_seen: {
      telegram_id: number;
      username: string | null;
      first_name: string;
      seen_at: number;
    };
    /** Which messages are in which topic, and who wrote them; nothing of what they say. `topic_id` 0 is General. */
    seen_messages: {
      chat_id: number;
      message_id: number;
      topic_id: number;
      sender_id: number;
      sent_at: number;
    };
    /**
     * Warnings of members. One counts until `expires_at` (null: for good), or until it is taken back or used up
     * at `ended_at`. `update_id` is the update of Telegram that gave it, so that a repeated one gives no second.
     */
    warnings: {
      id: string;
      chat_id: number;
      telegram_id: number;
      by_id: number;
      reason: string;
      given_at: number;
      expires_at: number | null;
      ended_at: number | null;
      update_id: number | null;
    };
    /** Who is exempt from what is deleted automatically; `until` is null for good. */
    approvals: {
      chat_id: number;
      telegram_id: number;
      by_id: number;
      until: number | null;
      at: number;
    };
    /** What was done to members. Only IDs are stored: names are in `people` and `people_seen`. */
    actions: {
      id: string;
      chat_id: number;
      at: number;
      by_id: number;
      target_id: number;
      kind: ActionKind;
      reason: string;
      until: number | null;
      undone_at: number | null;
      /** The action of another chat that this one follows. */
      shared_from: Generated<string | null>;
    };
    /** What the bot does later; `body` is JSON. The process that tries a row now has it until `held_until`. */
    due_jobs: {
      id: string;
      kind: string;
      chat_id: number;
      telegram_id: number | null;
      body: string;
      due_at: number;
      held_until: Generated<number>;
      tries: Generated<number>;
      /** Counts the leases of the row. */
      epoch: Generated<number>;
      /** The request or update that it comes from. */
      request_id: Generated<string>;
    };
    /**
     * How many messages were deleted for which setting; `hour` is when the hour began. `uncertain` of the
     * total were deleted together with others, where Telegram does not say which were there.
     */
    deletions: {
      chat_id: number;
      name: string;
      hour: number;
      total: number;
      uncertain: Generated<number>;
    };
    /**
     * Messages to delete later: those that Telegram could not delete yet, and temporary ones of the bot
     * itself (`setting` is null). `sender_id` is set while it is unknown whether the sender is an
     * administrator. Nothing is tried after `give_up_at`. The process that tries a row now has it until
     * `leased_until`.
     */
    due_deletions: {
      chat_id: number;
      message_id: number;
      due_at: number;
      setting: string | null;
      sender_id: number | null;
      give_up_at: number;
      leased_until: Generated<number>;
      /** Counts the leases of the row. */
      epoch: Generated<number>;
      /** Where the message is; null where that is not known. */
      topic_id: Generated<number | null>;
    };
    /**
     * Updates of Telegram. `payload` is the update as JSON until it is handled. `chat_id` is 0 where there is
     * none. The process `runner` handles it and is taken to live until `leased_until`; '' is no process.
     */
    bot_inbox: {
      bot_id: number;
      update_id: number;
      chat_id: number;
      payload: string | null;
      received_at: number;
      handled_at: number | null;
      runner: string;
      leased_until: number;
    };
    /** To whom the bot says that it lacks a right; given up at `give_up_at`. */
    due_hints: {
      chat_id: number;
      telegram_id: number;
      due_at: number;
      give_up_at: number;
    };
    rate_buckets: {
      key: string;
      window_start: number;
      hits: number;
    };
    /** Names of models that the server knows only by their IDs, each for the user who entered it. */
    model_names: {
      telegram_id: number;
      model_id: string;
      name: string;
      learned_at: number;
    };
    /**
     * Saved pictures. The bytes are in the object store; `bytes` counts those of both files. One with a
     * `deleted_at` is in the bin: it can be restored for a while.
     */
    pictures: {
      id: string;
      telegram_id: number;
      type: string;
      bytes: number;
      width: number;
      height: number;
      created_at: number;
      deleted_at: number | null;
      /** Until when a picture is kept that is in no history, as others are made from it; null for all others. */
      source_until: number | null;
      /** The photo that Telegram has of it, and the bot that can send it; null where it was not sent as one. */
      photo_bot_id: number | null;
      photo_file_id: string | null;
    };
    /** The generations of users; `tags` and `loras` are JSON. */
    generations: {
      id: string;
      telegram_id: number;
      picture_id: string;
      prompt: string;
      negative_prompt: string;
      model_id: string;
      model_name: string;
      seed: string;
      ratio: string;
      nsfw: number;
      tags: string;
      loras: string;
      job_key: string | null;
      created_at: number;
      provider: string;
      style: string;
    };
    /** All pictures of a generation except the first. */
    further_pictures: {
      generation_id: string;
      position: number;
      picture_id: string;
    };
    /** Linked accounts of other services; tokens are encrypted. */
    connections: {
      telegram_id: number;
      service: string;
      access_token: string;
      refresh_token: string | null;
      expires_at: number | null;
      account_name: string | null;
      linked_at: number;
    };
    /** Links to services that have begun. Only the hash of the state is stored; the verifier is encrypted. */
    connection_attempts: {
      state_hash: string;
      telegram_id: number;
      service: string;
      verifier: string;
      redirect_uri: string;
      /**
       * `pending` until the user comes back, `taken` while the code is being exchanged, `unconfirmed` while the
       * user has yet to confirm the link; then `answer` is what the service has answered, encrypted.
       */
      status: 'pending' | 'taken' | 'unconfirmed' | 'linked';
      answer: Generated<string | null>;
      expires_at: number;
    };
    /**
     * Events of chats for the other processes of the same PostgreSQL. `event` is JSON, `origin` the process that wrote it, and
     * `xact` the number of its transaction.
     */
    chat_events: {
      id: string;
      xact: number;
      origin: string;
      chat_id: number;
      event: string;
      at: number;
    };
    /**
     * Objects of the store that no other row holds, such as those whose row is yet to come; removed at `remove_at`. Above 0,
     * `held_until` is how long the process that removes one is given.
     */
    loose_objects: {
      name: string;
      remove_at: number;
      held_until: Generated<number>;
    };
    /**
     * How far the updates of each partition of the message log are handled: all up to the number `handled_to`, and those
     * in `handled_ahead` (JSON). `epoch` counts the owners of the partition.
     */
    bot_positions: {
      bot_id: number;
      partition: number;
      epoch: number;
      /** When the log was made: another one counts from 1 again. */
      log: string;
      handled_to: number;
      handled_ahead: string;
    };
    /**
     * Keys of rows that outlive a key of the server, sealed. `made_with` says which key of the server they were derived
     * from; the oldest that can be opened counts.
     */
    kept_keys: {
      purpose: string;
      made_with: string;
      made_at: number;
      sealed: string;
    };
    /** For each migration, the oldest migration whose code works with the tables that it leaves. */
    schema_versions: {
      name: string;
      oldest_code: string;
    };
  };
