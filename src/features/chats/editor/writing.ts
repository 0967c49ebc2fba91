/** What is written in the editor, which stays on the device until the server has it. */
import { type ReactNode, useEffect, useRef, useState } from 'react';

import { type ContentBody, type ContentKind } from '#contract/chats/contents';
import { type FillingName } from '#contract/chats/fillings';
import { listContents, wholeChat } from '#contract/chats/values';
import { type StoredValues } from '#contract/endpoints/chat-values';
import { type Chat } from '#contract/endpoints/chats';
import { holdClosing } from '#lib/closing';
import { usePlatform } from '#lib/platform';
import { isStorageLasting } from '#lib/storage';

import { useAllShown, useContents } from '../value-writes.ts';
import { type Draft, draftStore, isSameDraft, toDraft } from './draft.ts';
import { editorTexts as texts } from './texts.ts';

/** What is typed above the text and becomes the key of a listed value, such as the name of a note. */
type KeyField = {
  readonly label: string;
  readonly hint: string;
  readonly initial: string;
  /** What is wrong with a key; undefined for one that can be saved. */
  readonly check: (key: string) => string | undefined;
  /** The key that is meant by what is typed. */
  readonly toKey: (typed: string) => string;
};

export type ContentEditorProps = {
  readonly chat: Chat;
  readonly title: string;
  readonly kind: ContentKind;
  /** `chat`, or a topic by its number. The whole chat when absent. */
  readonly place?: string;
  /** The value that names the content; `key` is what is typed in the field above the text. */
  readonly toName: (key: string) => string;
  readonly keyField?: KeyField;
  /** Rows between that field and the text. */
  readonly extras?: ReactNode;
  /** Rows below all that is written. */
  readonly options?: ReactNode;
  /** The content that is edited; undefined for a new one. */
  readonly contentId: string | undefined;
  /** What a new one begins with. */
  readonly beginning?: ContentBody | undefined;
  readonly fillings?: readonly FillingName[];
  /** The content is saved; the caller sets the value that names it. */
  readonly onSave: (saved: { readonly contentId: string; readonly key: string }) => void;
  readonly onClose: () => void;
};

export type Writing = ReturnType<typeof useWriting>;

/** What is written, which stays on the device until the server has it. */
export function useWriting(props: ContentEditorProps) {
  const { chat, place = wholeChat, toName, keyField, contentId, beginning } = props;
  const { chat_id: chatId } = chat;
  const values = useAllShown(chatId);
  const contents = useContents(chatId, contentId === undefined ? [] : [contentId]);
  const initialKey = keyField?.initial ?? '';
  const [store] = useState(() => draftStore(chatId, `${place}_${toName(initialKey)}`));
  const [base, setBase] = useState(() =>
    toDraft(contentId === undefined ? beginning : contents[contentId]),
  );
  const [restored] = useState(() => {
    const stored = store.read();
    const isOld =
      stored === undefined ||
      isSameDraft(stored.draft, base) ||
      (stored.savedAs !== undefined && isNamed(values, stored.savedAs));
    return isOld ? undefined : stored;
  });
  const [isRestored, setIsRestored] = useState(restored !== undefined);
  const [draft, setDraft] = useState(restored?.draft ?? base);
  const [key, setKey] = useState(restored?.key ?? initialKey);
  const [isLasting] = useState(isStorageLasting);
  const isDirty = !isSameDraft(draft, base) || key !== initialKey;

  useEffect(() => {
    if (isDirty) {
      store.write({ draft, key });
      return holdClosing();
    }
    store.write(undefined);
    return undefined;
  }, [store, draft, key, isDirty]);

  const reset = (to: Draft) => {
    setBase(to);
    setDraft(to);
    setIsRestored(false);
  };
  return {
    draft,
    key,
    base,
    isDirty,
    isRestored,
    isLasting,
    setKey,
    reset,
    change: setDraft,
    /** Forgets the draft, here and on the device. */
    discard: () => {
      store.write(undefined);
      setKey(initialKey);
      reset(base);
    },
    /** The server has it, but the value that shall name it is still to be written. */
    markSaved: (savedAs: string) => store.write({ draft, key, savedAs }),
  };
}

/** Whether a value of the chat names a content. */
function isNamed(values: StoredValues, contentId: string): boolean {
  return Object.values(values)
    .flatMap((named) => Object.entries(named))
    .some(([name, value]) => listContents(name, value).includes(contentId));
}

/** Closes at once when nothing is lost, else asks what becomes of the draft. */
export function useClosing({ isDirty, discard }: Writing, onClose: () => void): () => void {
  const platform = usePlatform();
  const isAsking = useRef(false);

  async function confirm(): Promise<void> {
    platform.haptic('warning');
    isAsking.current = true;
    const answer = await platform.popup({
      title: texts.draft.closeTitle,
      message: texts.draft.closeQuestion,
      buttons: [
        { id: 'stay', text: texts.draft.goOn, kind: 'cancel' },
        { id: 'keep', text: texts.draft.keep },
        { id: 'drop', text: texts.draft.drop, kind: 'destructive' },
      ],
    });
    isAsking.current = false;
    if (answer === 'drop') {
      discard();
    }
    if (answer === 'drop' || answer === 'keep') {
      onClose();
    }
  }

  return () => {
    if (!isDirty) {
      onClose();
    } else if (!isAsking.current) {
      void confirm();
    }
  };
}
