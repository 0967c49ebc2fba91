/** What is open above the history, and where the focus goes when it closes. */
import { type RefObject, useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';

import { type MasonryHandle } from '#ui/masonry';

import { type GenerationRecord } from '../common/records.ts';
import { type CardWish } from './card-wishes.ts';
import { deleteWithUndo, undoLast } from './delete-with-undo.ts';
import { historyTexts } from './texts.ts';
import { takeIntoForm } from './use-again.ts';

type ViewOptions = {
  readonly records: readonly GenerationRecord[];
  readonly gallery: RefObject<MasonryHandle | null>;
  readonly heading: RefObject<HTMLElement | null>;
  /** Everything of a picture has been taken over into the form. */
  readonly onUsedAgain: (() => void) | undefined;
};

export type HistoryView = {
  /** The enlarged picture. */
  readonly enlarged: GenerationRecord | undefined;
  /** What is asked or told about a picture, on top of everything. */
  readonly asked:
    | { readonly kind: 'details' | 'delete'; readonly record: GenerationRecord }
    | undefined;
  readonly enlarge: (id: string) => void;
  readonly closeEnlarged: () => void;
  readonly closeAsked: () => void;
  readonly remove: (record: GenerationRecord, said?: string) => void;
  readonly grant: (wish: CardWish, record: GenerationRecord) => void;
};

export function useHistoryView(options: ViewOptions): HistoryView {
  const { records, gallery, heading, onUsedAgain } = options;
  const [enlargedId, enlarge] = useState<string>();
  const [question, ask] = useState<{ readonly kind: 'details' | 'delete'; readonly id: string }>();
  const find = (id: string | undefined) => records.find((record) => record.id === id);
  const askedRecord = find(question?.id);
  useUndoKey();

  const focusCard = (id: string) => gallery.current?.scrollToItem(id, { focus: true });

  /** At once: the page below can take the focus only when nothing is on top of it. */
  const closeAll = () =>
    flushSync(() => {
      enlarge(undefined);
      ask(undefined);
    });

  const remove = (record: GenerationRecord, said: string = historyTexts.delete.done) => {
    closeAll();
    const isLast = records.length === 1;
    deleteWithUndo([record], { said, onUndone: () => focusCard(record.id) });
    if (isLast) {
      heading.current?.focus();
    }
  };

  const grant = (wish: CardWish, record: GenerationRecord) => {
    switch (wish) {
      case 'enlarge':
        enlarge(record.id);
        break;
      case 'details':
      case 'delete':
        ask({ kind: wish, id: record.id });
        break;
      case 'remove':
        remove(record, historyTexts.card.removed);
        break;
      case 'use again':
        closeAll();
        takeIntoForm(record);
        onUsedAgain?.();
        break;
    }
  };

  return {
    enlarged: find(enlargedId),
    asked: question && askedRecord && { kind: question.kind, record: askedRecord },
    enlarge,
    closeEnlarged: () => {
      closeAll();
      if (enlargedId !== undefined) {
        focusCard(enlargedId);
      }
    },
    closeAsked: () => ask(undefined),
    remove,
    grant,
  };
}

/** Ctrl+Z, or Cmd+Z, outside of text fields. */
function useUndoKey(): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isUndo = event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey);
    const isTyping =
      event.target instanceof Element && event.target.closest('input, textarea') !== null;
    if (isUndo && !event.shiftKey && !event.altKey && !isTyping && undoLast()) {
      event.preventDefault();
    }
  });

  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}
