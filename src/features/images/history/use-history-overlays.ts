/** What is open above the history, what the cards' actions do, and where the focus goes afterwards. */
import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import * as v from 'valibot';

import { type Answer } from '#contract/endpoints/endpoint';
import { readLinkedRecipe } from '#contract/endpoints/generations';
import { type ProviderId } from '#contract/images/providers';
import { useQueryString } from '#lib/address';
import { call } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import { type Platform, usePlatform } from '#lib/platform';
import { useSession } from '#lib/session';
import { showUndo, useUndoKey } from '#lib/undo';

import { deleteAtOnce, deletedNoticeId, deleteRecords } from '../shared/deletion.ts';
import { notifyIfDownloadFailed } from '../shared/download-picture.ts';
import { retryGeneration } from '../shared/generations.ts';
import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { recipe as recipeSchema, type Recipe, toRecipe } from '../shared/recipe.ts';
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
        fillForm(toRecipe(record), view);
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

/** Fills the form with a recipe. A notice offers to undo that. */
function fillForm(recipe: Recipe, { applyRecipe }: HistoryView): void {
  const { undo } = applyRecipe(recipe);
  useNotices.getState().show({
    id: 'taken-into-form',
    tone: 'success',
    text: historyTexts.takenIntoForm,
    durationMs: noticeMs.medium,
    action: { text: historyTexts.delete.undo, press: undo },
  });
}

type LinkOptions = Pick<OverlayOptions, 'adapter' | 'view' | 'records' | 'onUsedAgain'> & {
  /** Further records may come. */
  readonly mayGetMore: boolean;
};

/**
 * Opens the picture that the address names, or fills the form with its recipe: such links are below the bot's pictures.
 * The address then names the provider of the picture alone.
 */
export function useLinkedPicture(options: LinkOptions, enlarge: (id: string) => void): void {
  const [query, setQuery] = useQueryString();
  const { status } = useSession();
  const followed = useRef<string>(undefined);
  const link = query.get('picture') ?? query.get('remix') ?? undefined;
  const isRemix = query.get('picture') === null;
  const { data, isError } = useQuery({
    queryKey: ['linked-recipe', link],
    queryFn: ({ signal }) => call(readLinkedRecipe, { link: link ?? '' }, signal),
    enabled: link !== undefined && status === 'member',
  });

  useEffect(() => {
    // The address may change later than this is called again.
    if (link === undefined || link === followed.current) {
      followed.current = link;
      return;
    }
    const step = toLinkStep({ ...options, enlarge, status, data, isError, isRemix, link });
    if (step === undefined) {
      return;
    }
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (step.provider === undefined) {
          next.delete('picture');
          next.delete('remix');
        } else {
          next.set('provider', step.provider);
        }
        return next;
      },
      { replace: true },
    );
    if (step.act !== undefined) {
      followed.current = link;
      step.act();
    }
  });
}

type LinkState = LinkOptions & {
  readonly enlarge: (id: string) => void;
  readonly status: ReturnType<typeof useSession>['status'];
  readonly data: Answer<typeof readLinkedRecipe> | undefined;
  readonly isError: boolean;
  readonly isRemix: boolean;
  readonly link: string;
};

/** What is done now; undefined while it is not known. With a provider its history goes on. */
function toLinkStep({
  data,
  link,
  ...state
}: LinkState): { readonly provider?: ProviderId; readonly act?: () => void } | undefined {
  if (state.status === 'guest') {
    return { act: () => sayOfLink(historyTexts.link.logIn) };
  }
  if (state.isError) {
    return { act: () => sayOfLink(historyTexts.link.gone) };
  }
  if (data === undefined) {
    return undefined;
  }
  if (data.provider !== state.adapter.id) {
    return { provider: data.provider };
  }
  if (state.isRemix) {
    return { act: () => takeLinkedRecipe(data, state) };
  }
  if (!data.is_own) {
    return { act: () => sayOfLink(historyTexts.link.notYours) };
  }
  const record = state.records.find(({ remoteId }) => remoteId === link);
  if (record === undefined) {
    return state.mayGetMore ? undefined : { act: () => sayOfLink(historyTexts.link.gone) };
  }
  return { act: () => state.enlarge(record.id) };
}

function takeLinkedRecipe(
  data: Answer<typeof readLinkedRecipe>,
  { view, onUsedAgain }: Pick<LinkOptions, 'view' | 'onUsedAgain'>,
): void {
  const read = v.safeParse(recipeSchema, {
    provider: data.provider,
    modelId: data.model_id,
    modelName: data.model_name,
    prompt: data.prompt,
    negativePrompt: data.negative_prompt,
    seed: data.seed === '' ? undefined : data.seed,
    ratio: data.ratio,
    nsfw: data.nsfw,
    style: data.style === '' ? undefined : data.style,
    loras: Object.entries(data.loras).map(([id, weight]) => ({
      id,
      percentage: Math.round(weight * 1000) / 10,
      unit: 'percent',
    })),
  });
  if (read.success) {
    fillForm(read.output, view);
    onUsedAgain();
  } else {
    sayOfLink(historyTexts.link.gone);
  }
}

function sayOfLink(text: string): void {
  useNotices
    .getState()
    .show({ id: 'linked-picture', tone: 'info', text, durationMs: noticeMs.long });
}
