/** What each provider decides about its history: the gallery, the details, the texts. */
import { type ReactNode, type RefCallback } from 'react';

import { type ProviderAdapter } from '../shared/provider-adapter.ts';
import { type Recipe } from '../shared/recipe.ts';
import { type GenerationRecord } from '../shared/records.ts';

export type GalleryHandle = {
  /** Scrolls to a card and, with `focus`, focuses it. */
  readonly scrollToItem: (id: string, options?: { readonly focus?: boolean }) => void;
};

export type GalleryProps = {
  readonly ref: RefCallback<GalleryHandle>;
  readonly records: readonly GenerationRecord[];
  /** The record whose picture is enlarged; its card stays mounted. */
  readonly keptId: string | undefined;
};

/** One line of a record's details. */
export type Fact = { readonly name: string; readonly text: string; readonly isCopied?: boolean };

export type HistoryView = {
  readonly heading: string;
  readonly empty: string;
  readonly Gallery: (props: GalleryProps) => ReactNode;
  /** The action of a card's download button. Resolves to whether it worked. */
  readonly download: (adapter: ProviderAdapter, record: GenerationRecord) => Promise<boolean>;
  /** Shown below an enlarged picture. */
  readonly caption: (record: GenerationRecord) => string;
  /** What the search looks through besides the prompt and the model. */
  readonly words?: (record: GenerationRecord) => string;
  readonly details: {
    readonly title: string;
    /** Those without a text are left out. */
    readonly facts: (record: GenerationRecord) => readonly Fact[];
    /** What can be made from the picture, if anything; `onMade` is called when one is begun. */
    readonly further?: (record: GenerationRecord, onMade: () => void) => ReactNode;
  };
  readonly deletion: {
    readonly title: string;
    readonly question: string;
    /** Asked instead where the server keeps what is deleted here. */
    readonly keptQuestion?: string;
    /** Asked by the platform's popup instead of a dialog. */
    readonly isPopup?: boolean;
    /** The deletion cannot be undone. */
    readonly isFinal?: boolean;
  };
  /** Fills the form with a recipe; `undo` restores what was in it. */
  readonly applyRecipe: (recipe: Recipe) => { readonly undo: () => void };
};
