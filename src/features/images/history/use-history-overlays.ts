/** What is open above the history, what the cards' actions do, and where the focus goes afterwards. */
import { type RefObject, useState } from 'react';
import { flushSync } from 'react-dom';

import { noticeMs, useNotices } from '#lib/notices';
import { type Platform, usePlatform } from '#lib/platform';
import { showUndo, useUndoKey } from '#lib/undo';

import { deleteAtOnce, deletedNoticeId, deleteRecords } from '../shared/deletion.ts';
import { notifyIfDownloadFailed } from '../shared/download-picture.ts';
import { retryGeneration } from '../shared/generations.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { toRecipe } from '../shared/recipe.ts';
import { type GenerationRecord, getRecordId, toPictures } from '../shared/records.ts';
import { setFavourite, toggleSelected, useSelection } from './collections.ts';
import { type CardAction, type OnCardAction } from './history-card.tsx';
import { type GalleryHandle, type HistoryView } from './history-view.ts';
import { historyTexts } from './texts.ts';

type OverlayOptions = {
  readonly adapter: ProviderAdapter;
  readonly view: HistoryView;
  readonly records: readonly GenerationRecord[];
  /** Those of them that the search and the filter leave. */
  readonly shown: readonly GenerationRecord[];
  readonly gallery: RefObject<GalleryHandle | null>;
  readonly heading: RefObject<HTMLElement | null>;
  /** The form has been filled with the recipe of a picture. */
  readonly onUsedAgain: () => void;
};

type DialogKind = Extract<CardAction, 'all' | 'details' | 'delete'>;

export type HistoryOverlays = ReturnType<typeof useHistoryOverlays>;

export function useHistoryOverlays(options: OverlayOptions) {
  const { adapter, view, records, shown, heading, onUsedAgain } = options;
  const platform = usePlatform();
  const [enlargedId, enlarge] = useState<string>();
  const [dialog, setDialog] = useState<{ readonly kind: DialogKind; readonly id: string }>();
  const pictures = listPictures(options, enlargedId);
  const dialogRecord = records.find(({ id }) => id === dialog?.id);
  useUndoKey();

  const focusCard = (id: string) => focusCardOrHeading(options, id);

  // Synchronous: the page can take the focus only when no dialog is above it.
  const closeAll = () =>
    flushSync(() => {
      enlarge(undefined);
      setDialog(undefined);
    });

  const remove = (record: GenerationRecord, notice: string = historyTexts.delete.done) => {
    closeAll();
    const isLast = shown.length === 1;
    if (view.deletion.isFinal) {
      deleteAtOnce(adapter, record);
    } else {
      deleteWithUndo(adapter, record, { notice, onUndone: () => focusCard(record.id) });
    }
    if (isLast) {
      heading.current?.focus();
    }
  };

  const confirmAndRemove = async (record: GenerationRecord) => {
    platform.haptic('warning');
    if (!view.deletion.isPopup) {
      setDialog({ kind: 'delete', id: record.id });
    } else if (await confirmInPopup(platform, view.deletion)) {
      remove(record);
    }
  };

  const onAction: OnCardAction = (action, picture) => {
    if (useSelection.getState().isOn) {
      toggleSelected(getRecordId(picture.id));
      return;
    }
    // A picture is enlarged and downloaded by itself; the other actions are for the whole record.
    const record = records.find(({ id }) => id === getRecordId(picture.id)) ?? picture;
    switch (action) {
      case 'enlarge':
        enlarge(picture.id);
        break;
      case 'favourite':
        platform.haptic('light');
        toggleFavourite(record);
        break;
      case 'download':
        void notifyIfDownloadFailed(view.download(adapter, picture));
        break;
      case 'all':
      case 'details':
        setDialog({ kind: action, id: record.id });
        break;
      case 'delete':
        void confirmAndRemove(record);
        break;
      case 'remove':
        remove(record, historyTexts.card.removed);
        break;
      case 'make again':
        retryGeneration(adapter, record);
        break;
      case 'use again':
        closeAll();
        fillForm(record, view);
        onUsedAgain();
        break;
    }
  };

  return {
    /** All pictures that can be enlarged, one record for each. */
    pictures,
    enlarged: pictures.find(({ id }) => id === enlargedId),
    dialog: dialog && dialogRecord && { kind: dialog.kind, record: dialogRecord },
    enlarge,
    closeEnlarged: () => {
      const isAbovePage = dialog === undefined;
      flushSync(() => enlarge(undefined));
      if (isAbovePage && enlargedId !== undefined) {
        focusCard(getRecordId(enlargedId));
      }
    },
    closeDialog: () => setDialog(undefined),
    remove,
    onAction,
  };
}

/** An enlarged picture stays while its star is taken away, also where only favourites are shown. */
function listPictures({ records, shown }: OverlayOptions, enlargedId = '') {
  const visible = new Set(shown);
  return records
    .filter((record) => visible.has(record) || record.id === getRecordId(enlargedId))
    .filter(({ status }) => status === 'completed')
    .flatMap(toPictures);
}

/** The card may be hidden by a search or a filter. */
function focusCardOrHeading({ shown, gallery, heading }: OverlayOptions, id: string): void {
  if (shown.some((record) => record.id === id)) {
    gallery.current?.scrollToItem(id, { focus: true });
  } else {
    heading.current?.focus();
  }
}

/** Deletes a picture, and offers to undo it. */
export function deleteWithUndo(
  adapter: ProviderAdapter,
  record: GenerationRecord,
  {
    notice = historyTexts.delete.done,
    onUndone,
  }: { readonly notice?: string; readonly onUndone?: () => void } = {},
): void {
  const { undo } = deleteRecords(adapter, [record]);
  showUndo({
    id: deletedNoticeId(record),
    tone: 'info',
    text: notice,
    button: historyTexts.delete.undo,
    undo: () => {
      // The card must be mounted before it can be focused.
      flushSync(undo);
      onUndone?.();
    },
  });
}

function toggleFavourite(record: GenerationRecord): void {
  sayIfNotKept(setFavourite([record], record.isFavourite !== true));
}

/** For what marks records: the device may have no room. */
export function sayIfNotKept(isKept: boolean): void {
  if (!isKept) {
    useNotices.getState().show({
      id: 'history-storage',
      tone: 'warning',
      text: historyTexts.card.notMarked,
      durationMs: noticeMs.long,
    });
  }
}

async function confirmInPopup(
  platform: Platform,
  { title, question }: HistoryView['deletion'],
): Promise<boolean> {
  const { cancel, confirm } = historyTexts.delete;
  const pressed = await platform.popup({
    title,
    message: question,
    buttons: [
      { id: 'cancel', text: cancel, kind: 'cancel' },
      { id: 'delete', text: confirm, kind: 'destructive' },
    ],
  });
  return pressed === 'delete';
}

/** Fills the form with a record's recipe. A notice offers to undo that. */
function fillForm(record: GenerationRecord, { applyRecipe }: HistoryView): void {
  const { undo } = applyRecipe(toRecipe(record));
  useNotices.getState().show({
    id: 'taken-into-form',
    tone: 'success',
    text: historyTexts.takenIntoForm,
    durationMs: noticeMs.medium,
    action: { text: historyTexts.delete.undo, press: undo },
  });
}
