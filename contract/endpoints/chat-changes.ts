/** Changing many settings of a chat at once, the history of changes, and reverting them. */
import * as v from 'valibot';

import { allMessageTypes } from '#contract/chats/message-types';
import { presets } from '#contract/chats/presets';
import { valuePresetNames } from '#contract/chats/value-presets';

import { chatFieldTexts } from './chat-texts.ts';
import { isBlocked, settingKey } from './chats.ts';
import { chatId, endpoint, topicId } from './endpoint.ts';
import { fieldTexts } from './field-texts.ts';

/** The settings that one change may name: all of 500 topics. */
const maxItems = 500 * allMessageTypes.length;

const topicKey = v.pipe(v.string(), v.regex(/^(?:0|[1-9]\d{0,9})$/, fieldTexts.topicIdMalformed));

/** Topic → setting → blocked. Settings that are not named stay as they are. */
const wantedSettings = v.pipe(
  v.record(topicKey, v.record(settingKey, isBlocked)),
  v.check((topics) => {
    const count = Object.values(topics).reduce((sum, one) => sum + Object.keys(one).length, 0);
    return count > 0 && count <= maxItems;
  }, chatFieldTexts.settingCount(maxItems)),
);

const kinds = ['toggle', 'bulk', 'preset', 'copy', 'language', 'values', 'undo', 'revert'] as const;

const user = v.object({
  telegram_id: v.pipe(v.union([v.string(), v.number()]), v.transform(String)),
  /** Empty when unknown. */
  name: v.string(),
});

export const change = v.object({
  change_id: v.string(),
  /** Epoch milliseconds. */
  changed_at: v.number(),
  changed_by: user,
  kind: v.picklist(kinds),
  /** For the kind `preset`. */
  preset: v.nullable(v.picklist([...presets, ...valuePresetNames])),
  /** Only the settings that differed. */
  items: v.array(
    v.object({
      topic_id: topicId,
      setting_name: v.string(),
      was: v.boolean(),
      becomes: v.boolean(),
    }),
  ),
  /** Tags of languages, where the change is of what the bot writes in the chat; it has no items then. */
  language: v.optional(v.nullable(v.object({ was: v.string(), becomes: v.string() }))),
  /** The values that differed; `place` is `chat` or a topic. Null is a value that is not stored. */
  values: v.optional(
    v.array(
      v.object({
        place: v.string(),
        name: v.string(),
        was: v.unknown(),
        becomes: v.unknown(),
      }),
    ),
    [],
  ),
});
/** Settings that one user changed at once, or what the bot writes in the chat. */
export type Change = v.InferOutput<typeof change>;

/** Sets all named settings or none. `change` is null when none of them differed. */
export const changeSettings = endpoint({
  method: 'PUT',
  path: '/chats/:chat_id/settings',
  maxBytes: 768 * 1024,
  input: v.strictObject({
    chat_id: chatId,
    kind: v.picklist(['bulk', 'preset', 'copy'], chatFieldTexts.unknownChange),
    preset: v.optional(v.picklist(presets, chatFieldTexts.unknownPreset)),
    topics: wantedSettings,
  }),
  output: v.object({ change: v.nullable(change) }),
});

/** The changes of a chat, newest first. `before` is the `change_id` after which the next page begins. */
export const listChanges = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/changes',
  input: v.object({ chat_id: chatId, before: v.optional(v.string()) }),
  output: v.object({ changes: v.array(change), has_more: v.boolean() }),
});

/**
 * Gives each setting of a change the value it had before, and the bot its language. What was changed again
 * since stays and counts as skipped. `change` is null when nothing was reverted.
 */
export const revertChange = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/changes/:change_id/revert',
  input: v.object({ chat_id: chatId, change_id: v.string(), kind: v.picklist(['undo', 'revert']) }),
  output: v.object({ change: v.nullable(change), skipped: v.number() }),
});
