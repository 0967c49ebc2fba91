/** What a provider's history shows and says in its own way. */
import { type ReactNode, type RefCallback } from 'react';

import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type Recipe } from '../shared/recipe.ts';
import { type GenerationRecord } from '../shared/records.ts';

/** What the history asks of the gallery that shows its cards. */
export type GalleryHandle = {
  /** Shows a card, wherever it is; with `focus` it also gets the focus. */
  readonly scrollToItem: (id: string, options?: { readonly focus?: boolean }) => void;
};

export type GalleryProps = {
  readonly ref: RefCallback<GalleryHandle>;
  readonly records: readonly GenerationRecord[];
  /** The record of the picture that is open: its card stays. */
  readonly keptId: string | undefined;
};

/** One line of a record's details. */
export type Fact = { readonly name: string; readonly text: string; readonly isCopied?: boolean };

export type HistoryView = {
  readonly heading: string;
  readonly empty: string;
  readonly Gallery: (props: GalleryProps) => ReactNode;
  /** What a card's download button does with its picture; resolves to whether that went well. */
  readonly download: (adapter: ProviderAdapter, record: GenerationRecord) => Promise<boolean>;
  /** Said below an enlarged picture. */
  readonly caption: (record: GenerationRecord) => string;
  readonly details: {
    readonly title: string;
    /** Those without a text are left out. */
    readonly facts: (record: GenerationRecord) => readonly Fact[];
  };
  readonly deletion: {
    readonly title: string;
    readonly text: string;
    /** Asked by the container's own popup. */
    readonly isPopup?: boolean;
    /** Said to be final, so there is no way back. */
    readonly isFinal?: boolean;
  };
  /** Takes everything that a picture was made from over into the form; `undo` brings back what was there. */
  readonly takeOver: (recipe: Recipe) => { readonly undo: () => void };
};
