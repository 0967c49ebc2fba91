/** A content while it is written: kept on the device until it is saved, and checked before. */
import * as v from 'valibot';

import {
  type ContentBody,
  contentBody,
  type ContentButton,
  type ContentKind,
  contentLengths,
  contentLimits,
} from '#contract/chats/contents';
import { readListedName } from '#contract/chats/values';
import { type MarkedText, toTrimmed } from '#lib/marked-text';
import { storedValue } from '#lib/storage';

import { editorTexts } from './texts.ts';

const texts = editorTexts.problems;

export const targets = ['url', 'rules', 'note'] as const;

const draftButton = v.object({
  /** Of this draft. */
  id: v.string(),
  label: v.string(),
  leadsTo: v.picklist(targets),
  url: v.string(),
  note: v.string(),
});
export type DraftButton = v.InferOutput<typeof draftButton>;

const draft = v.object({
  text: v.string(),
  entities: contentBody.entries.entities,
  media: contentBody.entries.media,
  rows: v.array(v.array(draftButton)),
});
export type Draft = v.InferOutput<typeof draft>;

const stored = v.object({
  draft,
  /** What is typed above the text: the name of a note, or what is answered. */
  key: v.string(),
  /** The content as which the server has it. Until a value names that content, the value may still be refused. */
  savedAs: v.optional(v.string()),
});

/** The draft on the device for one value of one chat. */
export const draftStore = (chatId: string, key: string) =>
  storedValue(`nori_draft_${chatId}_${key}`, stored);

let lastId = 0;

export function newButton(): DraftButton {
  lastId += 1;
  return { id: `${Date.now()}-${lastId}`, label: '', leadsTo: 'url', url: '', note: '' };
}

export function toDraft(body: ContentBody | undefined): Draft {
  return {
    text: body?.text ?? '',
    entities: body?.entities ?? [],
    media: body?.media,
    rows: (body?.buttons ?? []).map((row) => row.map(toDraftButton)),
  };
}

function toDraftButton({ label, url = '', to }: ContentButton): DraftButton {
  const leadsTo = to === undefined ? 'url' : to === 'rules' ? 'rules' : 'note';
  return { ...newButton(), label, leadsTo, url, note: to?.replace(/^(?:rules$|note:)/, '') ?? '' };
}

/** Whether two drafts say the same; the IDs of buttons say nothing. */
export function isSameDraft(one: Draft, other: Draft): boolean {
  const plain = ({ rows, ...rest }: Draft) => ({
    ...rest,
    rows: rows.map((row) => row.map(({ id: _id, ...button }) => button)),
  });
  return JSON.stringify(plain(one)) === JSON.stringify(plain(other));
}

export function toMarked({ text, entities }: Draft): MarkedText {
  return { text, entities };
}

/** UTF-16 code units, as Telegram counts them. */
export function maxLength(kind: ContentKind, { media }: Draft): number {
  return media === undefined
    ? contentLengths[kind]
    : Math.min(contentLengths[kind], contentLimits.caption);
}

/** An address as it was meant: without a scheme it gets one. Undefined for what is none. */
export function toUrl(typed: string): string | undefined {
  const url = typed.trim();
  const whole = /^[a-z][\w+.-]*:/i.test(url) ? url : `https://${url}`;
  const isUrl = /^(?:https?:\/\/[^\s/?#]*[^\s/?#.][^\s]*|tg:\/\/\S+)$/i.test(whole);
  return url !== '' && isUrl && whole.length <= contentLimits.url && isLink(whole)
    ? whole
    : undefined;
}

/** A word alone, such as "hello", is no address. */
function isLink(url: string): boolean {
  return /^tg:/i.test(url) || (URL.canParse(url) && /[.:]/.test(new URL(url).host));
}

export type ButtonProblem = { readonly field: 'label' | 'url' | 'note'; readonly text: string };
export type Problems = {
  readonly text: string | undefined;
  /** By the IDs of the buttons. */
  readonly buttons: ReadonlyMap<string, ButtonProblem>;
};

export function findProblems(kind: ContentKind, written: Draft): Problems {
  const { text, entities } = toTrimmed(toMarked(written));
  const over = text.length - maxLength(kind, written);
  return {
    text:
      text === '' && written.media === undefined
        ? texts.empty
        : over > 0
          ? texts.tooLong(over)
          : entities.length > contentLimits.entities
            ? texts.tooMuchFormatting(contentLimits.entities)
            : undefined,
    buttons: new Map(
      written.rows.flat().flatMap((button) => {
        const problem = findButtonProblem(button);
        return problem === undefined ? [] : [[button.id, problem] as const];
      }),
    ),
  };
}

function findButtonProblem({ label, leadsTo, url, note }: DraftButton): ButtonProblem | undefined {
  const length = label.trim().length;
  if (length === 0 || length > contentLimits.label) {
    return {
      field: 'label',
      text: length === 0 ? texts.noLabel : texts.longLabel(contentLimits.label),
    };
  }
  if (leadsTo === 'url' && toUrl(url) === undefined) {
    return { field: 'url', text: texts.noAddress };
  }
  if (leadsTo === 'note' && readListedName(`note:${note}`) === undefined) {
    return { field: 'note', text: texts.noNote };
  }
  return undefined;
}

/** What is sent. For a draft without problems. */
export function toBody(written: Draft): ContentBody {
  const { text, entities } = toTrimmed(toMarked(written));
  return {
    text,
    entities: [...entities],
    ...(written.media && { media: written.media }),
    buttons: written.rows.filter((row) => row.length > 0).map((row) => row.map(toButton)),
  };
}

function toButton({ label, leadsTo, url, note }: DraftButton): ContentButton {
  const named = { label: label.trim() };
  return leadsTo === 'url'
    ? { ...named, url: toUrl(url) ?? url }
    : { ...named, to: leadsTo === 'rules' ? 'rules' : `note:${note}` };
}
