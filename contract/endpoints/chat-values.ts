/** The values of a chat: reading them, and changing many at once. Their history is that of the settings. */
import * as v from 'valibot';

import { contentBody } from '#contract/chats/contents';
import { valuePresetNames } from '#contract/chats/value-presets';
import { isPossibleValue, isSettable, wholeChat } from '#contract/chats/values';

import { change } from './chat-changes.ts';
import { chatFieldTexts } from './chat-texts.ts';
import { chatId, endpoint } from './endpoint.ts';

/** The capability that announces these endpoints; other backends have none of them. */
export const chatValues = 'chats.values';

/** `chat`, or a topic → name → value. A value that is not stored is absent: its default counts. */
const storedValues = v.record(v.string(), v.record(v.string(), v.unknown()));
export type StoredValues = v.InferOutput<typeof storedValues>;

export const readValues = endpoint({
  method: 'GET',
  path: '/chats/:chat_id/values',
  input: v.object({ chat_id: chatId }),
  output: v.object({
    values: storedValues,
    /** ID → what it says, of the contents that the values name. Other backends send none. */
    contents: v.optional(v.record(v.string(), contentBody), {}),
  }),
});

/** What one change may name: a switch for each command in each of 500 topics. */
const maxItems = 2000;

const place = v.pipe(v.string(), v.regex(/^(?:chat|0|[1-9]\d{0,9})$/, chatFieldTexts.unknownPlace));

/** Null removes what is stored, so that the default counts. */
const wantedValues = v.pipe(
  v.record(place, v.record(v.string(), v.unknown())),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) {
      return;
    }
    const items = Object.entries(dataset.value).flatMap(([where, values]) =>
      Object.entries(values).map(([name, value]) => ({ where, name, value })),
    );
    if (items.length === 0 || items.length > maxItems) {
      addIssue({ message: chatFieldTexts.valueCount(maxItems) });
    }
    for (const { where, name, value } of items) {
      if (!isSettable(name, where)) {
        addIssue({ message: chatFieldTexts.unknownValue(name) });
      } else if (value !== null && !isPossibleValue(name, value)) {
        addIssue({ message: chatFieldTexts.impossibleValue(name) });
      }
    }
  }),
);

/** Sets all named values or none. `change` is null when none of them differed. */
export const changeValues = endpoint({
  method: 'PUT',
  path: '/chats/:chat_id/values',
  maxBytes: 768 * 1024,
  input: v.strictObject({
    chat_id: chatId,
    kind: v.picklist(['values', 'preset', 'copy'], chatFieldTexts.unknownChange),
    preset: v.optional(v.picklist(valuePresetNames, chatFieldTexts.unknownPreset)),
    values: wantedValues,
  }),
  output: v.object({ change: v.nullable(change) }),
});

/** The capability that announces `pickLogChannel`, which needs a bot that listens. */
export const logChannelPick = 'chats.log-pick';

/**
 * Prepares Telegram's own list of channels to pick the log channel of a chat from; `request_id` is for the
 * client's `requestChat`. When the user has picked one, the bot sets the value `log_channel`.
 */
export const pickLogChannel = endpoint({
  method: 'POST',
  path: '/chats/:chat_id/log-channel/pick',
  input: v.object({ chat_id: chatId }),
  output: v.object({ request_id: v.string() }),
});

export { wholeChat };
