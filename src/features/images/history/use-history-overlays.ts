/** What is open above the history, and where the focus goes when it closes. */
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';

import { usePlatform } from '#lib/platform';
import { useUndoKey } from '#lib/undo';

import { deleteAtOnce } from '../shared/deletion.ts';
import { retryGeneration } from '../shared/generations.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type GenerationRecord, toPictures, getRecordId } from '../shared/records.ts';
import { notifyIfDownloadFailed } from '../shared/say-unless-saved.ts';
import { askToDelete } from './ask-to-delete.ts';
import { type CardAction, type OnCardAction } from './card-actions.ts';
import { deleteWithUndo } from './delete-with-undo.ts';
import { type GalleryHandle, type HistoryView } from './history-view.ts';
import { historyTexts } from './texts.ts';
import { takeIntoForm } from './use-again.ts';

type OverlayOptions = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly records: readonly GenerationRecord[];
  readonly gallery: RefObject<GalleryHandle | null>;
  readonly heading: RefObject<HTMLElement | null>;
  /** Everything of a picture has been taken over into the form. */
  readonly onUsedAgain: () => void;
};

type Question = Extract<CardAction, 'all' | 'details' | 'delete'>;

export type OpenOverlays = {
  /** All that can be enlarged, one record for each picture. */
  readonly pictures: readonly GenerationRecord[];
  /** The enlarged one. */
  readonly enlarged: GenerationRecord | undefined;
  /** What is shown, asked or told about a record, on top of the page. */
  readonly asked: { readonly kind: Question; readonly record: GenerationRecord } | undefined;
  readonly enlarge: (id: string) => void;
  readonly closeEnlarged: () => void;
  readonly closeAsked: () => void;
  readonly remove: (record: GenerationRecord, said?: string) => void;
  readonly onAction: OnCardAction;
};

export function useHistoryOverlays(options: OverlayOptions): OpenOverlays {
  const { adapter, view, records, gallery, heading, onUsedAgain } = options;
  const platform = usePlatform();
  const [enlargedId, enlarge] = useState<string>();
  const [question, ask] = useState<{ readonly kind: Question; readonly id: string }>();
  const pictures = records.filter(({ status }) => status === 'completed').flatMap(toPictures);
  const askedRecord = records.find(({ id }) => id === question?.id);
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
    if (view.deletion.isFinal) {
      deleteAtOnce(adapter, record);
    } else {
      deleteWithUndo(adapter, [record], { said, onUndone: () => focusCard(record.id) });
    }
    if (isLast) {
      heading.current?.focus();
    }
  };

  const askBeforeRemoving = async (record: GenerationRecord) => {
    if (!view.deletion.isPopup) {
      ask({ kind: 'delete', id: record.id });
    } else if (await askToDelete(platform, view.deletion)) {
      remove(record);
    }
  };

  const onAction: OnCardAction = (action, picture) => {
    // Of several pictures each is enlarged and downloaded by itself; all else is about the whole.
    const record = records.find(({ id }) => id === getRecordId(picture.id)) ?? picture;
    switch (action) {
      case 'enlarge':
        enlarge(picture.id);
        break;
      case 'download':
        void notifyIfDownloadFailed(view.download(adapter, picture));
        break;
      case 'all':
      case 'details':
        ask({ kind: action, id: record.id });
        break;
      case 'delete':
        void askBeforeRemoving(record);
        break;
      case 'remove':
        remove(record, historyTexts.card.removed);
        break;
      case 'make again':
        retryGeneration(adapter, record);
        break;
      case 'use again':
        closeAll();
        takeIntoForm(record, view.takeOver);
        onUsedAgain();
        break;
    }
  };

  return {
    pictures,
    enlarged: pictures.find(({ id }) => id === enlargedId),
    asked: question && askedRecord && { kind: question.kind, record: askedRecord },
    enlarge,
    closeEnlarged: () => {
      const isAbovePage = question === undefined;
      flushSync(() => enlarge(undefined));
      if (isAbovePage && enlargedId !== undefined) {
        focusCard(getRecordId(enlargedId));
      }
    },
    closeAsked: () => ask(undefined),
    remove,
    onAction,
  };
}
