/** Says what a change was, in one sentence, and what it changed, line by line. */
import { settingLabel } from '#contract/chats/message-types';
import { readValue, type ValueName, wholeChat } from '#contract/chats/values';
import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat } from '#contract/endpoints/chats';
import { isLanguage, languages } from '#contract/languages';
import { joinList } from '#lib/format';

import { presetTexts } from '../message-type-texts.ts';
import { byTopicId, topicTitle } from '../names.ts';
import { toListOrder } from '../setting-order.ts';
import { countChanged } from '../settings-change.ts';
import { countTexts } from '../texts.ts';
import { actText, byValueName, switchedCommand, timeText, valueLine } from '../value-lines.ts';
import { valueTexts } from '../value-texts.ts';
import { historyTexts as texts } from './texts.ts';

type Named = Pick<Chat, 'topic_names'>;

/** The parts of a sentence that users have written, or slots for them. */
type Names = {
  readonly author: string;
  /** Where something was changed. */
  readonly where: string;
  /** Of a log channel. */
  readonly title: string;
};

/** As the language names itself. */
export function languageName(tag: string): string {
  return isLanguage(tag) ? languages[tag].name : tag;
}

/** The title of the topic that was changed, how many were, or the whole chat. */
export function describePlace({ items, values }: Change, chat: Named): string {
  const places = new Set([
    ...items.map(({ topic_id }) => topic_id),
    ...values.map(({ place }) => place),
  ]);
  if (places.has(wholeChat)) {
    return texts.wholeChat;
  }
  const [topicId = '', ...others] = places;
  return others.length === 0 ? topicTitle(chat, topicId) : countTexts.topics(others.length + 1);
}

/** The title of the log channel that was chosen; empty for other changes. */
export function channelTitle({ values }: Change): string {
  const chosen = values.find(({ name }) => name === 'log_channel')?.becomes;
  return readValue({ log_channel: chosen }, 'log_channel')?.title ?? '';
}

/** Whether its sentence says all about a change. */
export function isSaidWhole(change: Change): boolean {
  return change.kind === 'values'
    ? describeValues(change, { author: '', where: '', title: '' }) !== undefined
    : countChanged(change) <= (change.kind === 'toggle' ? 1 : 0);
}

/** Who did what and where, in one sentence. */
export function describeAction(change: Change, names: Names): string {
  const { author, where } = names;
  const { kind, preset, items, language } = change;
  const [only] = items;
  const count = countChanged(change);
  if (language) {
    const { was, becomes } = language;
    return texts.action.language(author, languageName(was), languageName(becomes));
  }
  if (kind === 'preset') {
    return texts.action.preset(author, presetName(preset), count, where);
  }
  if (kind === 'toggle' && items.length === 1 && only) {
    const toText = only.becomes ? texts.action.blocked : texts.action.allowed;
    return toText(author, settingLabel(only.setting_name), where);
  }
  if (kind === 'values') {
    return describeValues(change, names) ?? texts.action.toggle(author, count, where);
  }
  return texts.action[kind === 'language' ? 'toggle' : kind](author, count, where);
}

function presetName(preset: Change['preset']): string {
  const names = new Map<string, string>(
    Object.entries({ ...presetTexts.name, ...valueTexts.presets }),
  );
  return names.get(preset ?? '') ?? '';
}

/** The sentence for a change of one value, or of the two that belong together. */
function describeValues({ values }: Change, names: Names): string | undefined {
  const { author, where } = names;
  const becoming = Object.fromEntries(values.map(({ name, becomes }) => [name, becomes]));
  const [only, ...others] = values;
  if (values.length === 2 && 'warn_limit' in becoming && 'warn_action' in becoming) {
    const act = actText(readValue(becoming, 'warn_action'));
    return texts.value.warnLimitThen(author, readValue(becoming, 'warn_limit'), act);
  }
  if (only === undefined || others.length > 0) {
    return undefined;
  }
  const command = switchedCommand(only.name);
  if (command !== undefined) {
    const toText = only.becomes === true ? texts.value.commandOff : texts.value.commandOn;
    return toText(author, command, where);
  }
  const say = sentences.find(([name]) => name === only.name)?.[1];
  const line = valueLine(only.name, only.becomes);
  // A name that this version does not know says nothing.
  const other = line === only.name ? undefined : texts.value.other(author, line);
  return say?.(becoming, names) ?? other;
}

type Describe = (becoming: Readonly<Record<string, unknown>>, names: Names) => string;

const { value } = texts;

const byName = {
  warn_limit: (becoming, { author }) => value.warnLimit(author, readValue(becoming, 'warn_limit')),
  warn_action: (becoming, { author }) =>
    value.warnAction(author, actText(readValue(becoming, 'warn_action'))),
  warn_expiry: (becoming, { author }) => {
    const expiry = readValue(becoming, 'warn_expiry');
    return expiry === 'off'
      ? value.warnExpiryOff(author)
      : value.warnExpiry(author, timeText(expiry));
  },
  reports: (becoming, { author }) =>
    (readValue(becoming, 'reports') ? value.reportsOn : value.reportsOff)(author),
  trust_anonymous: (becoming, { author }) =>
    (readValue(becoming, 'trust_anonymous') ? value.trustOn : value.trustOff)(author),
  quiet_actions: (becoming, { author }) =>
    (readValue(becoming, 'quiet_actions') ? value.quietOn : value.quietOff)(author),
  log_channel: (becoming, { author, title }) =>
    readValue(becoming, 'log_channel') === undefined
      ? value.logChannelOff(author)
      : value.logChannel(author, title),
  log_categories: (becoming, { author }) => {
    const categories = readValue(becoming, 'log_categories');
    return categories.length === 0
      ? value.logCategoriesOff(author)
      : value.logCategories(
          author,
          joinList(categories.map((name) => valueTexts.categories[name])),
        );
  },
} as const satisfies Partial<Readonly<Record<ValueName, Describe>>>;

const sentences: readonly (readonly [string, Describe])[] = Object.entries(byName);

/** One part of what a change has changed: a topic, or the whole chat. */
export type ChangedPlace = {
  readonly place: string;
  readonly title: string;
  readonly lines: readonly string[];
};

/** The whole chat and the topics by number; the blocked and the allowed settings in one line each, values one by one. */
export function toChangedPlaces({ items, values }: Change, chat: Named): readonly ChangedPlace[] {
  const topics = new Set([
    ...items.map(({ topic_id }) => topic_id),
    ...values.map(({ place }) => place),
  ]);
  topics.delete(wholeChat);
  const isChat = values.some(({ place }) => place === wholeChat);
  return [...(isChat ? [wholeChat] : []), ...[...topics].toSorted(byTopicId)].map((place) => ({
    place,
    title: place === wholeChat ? valueTexts.wholeChat : topicTitle(chat, place),
    lines: [
      ...settingLines(items.filter(({ topic_id }) => topic_id === place)),
      ...values
        .filter((one) => one.place === place)
        .toSorted((one, other) => byValueName(one.name, other.name))
        .map(({ name, becomes }) => valueLine(name, becomes)),
    ],
  }));
}

function settingLines(items: Change['items']): readonly string[] {
  const labels = (isBlocked: boolean) =>
    joinList(
      toListOrder(
        items.filter(({ becomes }) => becomes === isBlocked).map((item) => item.setting_name),
      ).map(settingLabel),
    );
  const [blocked, allowed] = [labels(true), labels(false)];
  return [
    ...(blocked === '' ? [] : [texts.blocked(blocked)]),
    ...(allowed === '' ? [] : [texts.allowed(allowed)]),
  ];
}
