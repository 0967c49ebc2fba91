/** The tables as Kysely sees them. Ids, epoch milliseconds and booleans (0/1) are bigint, the rest text. */

export type Tables = {
  people: {
    telegram_id: number;
    email: string;
    password_hash: string;
    first_name: string | null;
    username: string | null;
    photo_url: string | null;
    created_at: number;
  };
  /** Inert registrations: nothing but their own code turns one into a person. */
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
    created_at: number;
    last_seen_at: number;
    expires_at: number;
  };
  /** One-time passwords, as keyed hashes. `subject` is what the code opens: a registration attempt, or a chat and who asked. */
  otps: {
    id: string;
    purpose: 'registration' | 'chat';
    subject: string;
    code_hash: string;
    created_at: number;
    expires_at: number;
    tries: number;
  };
  chats: {
    chat_id: number;
    chat_name: string;
    is_demo: number;
    created_at: number;
  };
  /** Who manages a chat, vouched for by the owner whose code they entered. */
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
  /** Groups that became supergroups: the id they had, and the one they have. */
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
  /** Pictures that were asked for. `recipe` and `picture_ids` are JSON; `runner` is the process that works on it until `held_until`. */
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
    error_code: string | null;
    detail: string | null;
    runner: string;
    held_until: number;
    created_at: number;
    finished_at: number | null;
  };
  /** Where the bot is or was, also where nobody manages the chat. `added_by` brought it there, or picked the chat, the last time at `added_at`. */
  bot_chats: {
    chat_id: number;
    chat_name: string;
    is_in: number;
    may_delete: number;
    is_forum: number;
    added_by: number | null;
    added_at: number | null;
    updated_at: number;
  };
  /** What topics are called, as far as the bot has heard. */
  topic_names: {
    chat_id: number;
    topic_id: number;
    name: string;
    updated_at: number;
  };
  /** Who changed settings, and when; what they changed is in `setting_change_items`. */
  setting_changes: {
    id: string;
    chat_id: number;
    changed_at: number;
    changed_by: number;
    kind: 'toggle' | 'bulk' | 'preset' | 'copy' | 'undo' | 'revert';
    preset: string | null;
    /** How many settings it changed. */
    item_count: number;
  };
  setting_change_items: {
    change_id: string;
    topic_id: number;
    name: string;
    was: number;
    becomes: number;
  };
  /** How many messages were deleted for which setting; `hour` is when the hour began. */
  deletions: {
    chat_id: number;
    name: string;
    hour: number;
    total: number;
  };
  /**
   * Messages that are to be deleted later: what Telegram could not take yet, and the bot's own that
   * tidy themselves away (`setting` is null). Of whom it is not known yet whether they are an
   * administrator, `sender_id` says who wrote it. Nothing is tried after `give_up_at`.
   */
  due_deletions: {
    chat_id: number;
    message_id: number;
    due_at: number;
    setting: string | null;
    sender_id: number | null;
    give_up_at: number;
  };
  rate_buckets: {
    key: string;
    window_start: number;
    hits: number;
  };
  /** What models are called that the server only knows by their ids. */
  model_names: {
    model_id: string;
    name: string;
    learned_at: number;
  };
  /** Kept pictures. The bytes are in the object store. */
  pictures: {
    id: string;
    telegram_id: number;
    type: string;
    bytes: number;
    width: number;
    height: number;
    created_at: number;
  };
  /** What people have made; `tags` and `loras` are JSON. */
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
  /** All but the first, where one wish made several. */
  further_pictures: {
    generation_id: string;
    position: number;
    picture_id: string;
  };
  /** Accounts of other services; tokens are sealed. */
  connections: {
    telegram_id: number;
    service: string;
    access_token: string;
    refresh_token: string | null;
    expires_at: number | null;
    account_name: string | null;
    linked_at: number;
  };
  /** Links that are being made. Of the state that comes back only the hash is kept; the verifier is sealed. */
  connection_attempts: {
    state_hash: string;
    telegram_id: number;
    service: string;
    verifier: string;
    redirect_uri: string;
    /** `pending` until the person comes back, `taken` while the code is being exchanged. */
    status: 'pending' | 'taken' | 'linked';
    expires_at: number;
  };
};
