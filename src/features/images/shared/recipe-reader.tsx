/**
 * Reads the recipe inside of a picture that a user drops, pastes or chooses, and offers to make something like it. The file
 * stays on the device.
 */
import { FileSearch } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { readSentRecipe } from '#contract/endpoints/picture-sharing';
import { type FoundRecipe } from '#contract/images/recipe-text';
import { useQueryString } from '#lib/address';
import { call } from '#lib/api';
import { noticeMs, useNotices } from '#lib/notices';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';

import { historyTexts } from '../history/texts.ts';
import { keepRecipes, useKeepsRecipe } from './download-picture.ts';
import { Facts } from './result-panel.tsx';
import { recipeTexts as texts } from './texts.ts';

import styles from './recipe-reader.module.css';

const maxBytes = 30 * 1024 * 1024;

type Reading =
  | { readonly kind: 'idle' | 'busy' | 'none' | 'too-large' | 'expired' }
  | { readonly kind: 'found'; readonly recipe: FoundRecipe };
const idle: Reading = { kind: 'idle' };

async function readFile(file: File): Promise<Reading> {
  if (file.size > maxBytes) {
    return { kind: 'too-large' };
  }
  try {
    const bytes = new Uint8Array(await file.arrayBuffer());
    // Only who reads a picture needs the reader.
    const { readRecipe } = await import('#contract/images/recipe-file');
    const recipe = readRecipe(bytes);
    return recipe ? { kind: 'found', recipe } : { kind: 'none' };
  } catch {
    // The file has gone, or cannot be read by this page.
    return { kind: 'none' };
  }
}

/** Reads what the bot has read in a file. */
async function readLink(id: string): Promise<Reading> {
  try {
    const { recipe, program } = await call(readSentRecipe, { link: id });
    const { readOwnRecipe } = await import('#contract/images/recipe-text');
    const found = readOwnRecipe(recipe);
    return found
      ? // A model of another program means nothing here.
        { kind: 'found', recipe: program === 'nori' ? found : { ...found, program: 'a1111' } }
      : { kind: 'expired' };
  } catch {
    return { kind: 'expired' };
  }
}

type RecipeReaderProps = {
  /** Fills the form; `undo` restores what was in it. */
  readonly onRemix: (recipe: FoundRecipe) => { readonly undo: () => void };
};

/** Part of a generator's form; at most one is on a page. */
export function RecipeReader({ onRemix }: RecipeReaderProps) {
  const platform = usePlatform();
  const chooser = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { reading, read, forget } = useReading();
  const isOver = useDroppedFiles(read);
  const { keepsRecipe } = useKeepsRecipe();

  const close = () => {
    // The buttons are about to disappear, and the focus with them.
    button.current?.focus();
    forget();
  };
  const remix = (recipe: FoundRecipe) => {
    platform.haptic('success');
    const { undo } = onRemix(recipe);
    close();
    useNotices.getState().show({
      id: 'taken-into-form',
      tone: 'success',
      text: historyTexts.takenIntoForm,
      durationMs: noticeMs.medium,
      action: { text: historyTexts.delete.undo, press: undo },
    });
  };

  return (
    <div className={styles.reader} data-over={isOver || undefined}>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={texts.read}
        accept="image/png,image/jpeg,image/webp"
        onChange={({ currentTarget }) => {
          read(currentTarget.files);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <Button
        ref={button}
        kind="quiet"
        icon={<FileSearch aria-hidden size={18} />}
        isBusy={reading.kind === 'busy'}
        onClick={() => chooser.current?.click()}
      >
        {texts.read}
      </Button>
      <p className={styles.hint}>{isOver ? texts.drop : texts.hint}</p>
      <output className={styles.outcome}>
        {reading.kind === 'none' && <span>{texts.none}</span>}
        {reading.kind === 'expired' && <span>{texts.expired}</span>}
        {reading.kind === 'too-large' && <span>{texts.tooLarge}</span>}
        {reading.kind === 'found' && <span className={styles.title}>{texts.found}</span>}
      </output>
      {reading.kind === 'found' && (
        <>
          <Found recipe={reading.recipe} />
          <div className={styles.actions}>
            <Button onClick={() => remix(reading.recipe)}>{texts.remix}</Button>
            <Button kind="quiet" onClick={close}>
              {texts.ignore}
            </Button>
          </div>
        </>
      )}
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={keepsRecipe}
          onChange={({ currentTarget }) => {
            platform.haptic('light');
            keepRecipes(currentTarget.checked);
          }}
        />
        {texts.keep}
      </label>
    </div>
  );
}

const { details } = historyTexts;

function Found({ recipe }: { readonly recipe: FoundRecipe }) {
  const { prompt, negativePrompt, modelName, modelId = '', seed = '', style = '' } = recipe;
  const { width, height, loras } = recipe;
  return (
    <>
      <p className={styles.prompt} dir="auto">
        {prompt}
      </p>
      <Facts
        facts={[
          { name: details.negativePrompt, text: negativePrompt },
          { name: texts.model, text: modelName ?? modelId },
          { name: details.style, text: style },
          { name: details.loras, text: Object.keys(loras).join(', ') },
          { name: details.seed, text: seed },
          {
            name: texts.size,
            text: width === undefined || height === undefined ? '' : `${width} × ${height}`,
          },
        ]}
      />
      {recipe.program !== 'nori' && modelName !== undefined && (
        <p className={styles.hint}>{texts.otherModel}</p>
      )}
    </>
  );
}

/** The newest file counts, however long an earlier one takes. */
function useReading() {
  const [reading, setReading] = useState<Reading>(idle);
  const newest = useRef(0);

  const begin = async (work: () => Promise<Reading>) => {
    newest.current += 1;
    const turn = newest.current;
    setReading({ kind: 'busy' });
    const outcome = await work();
    if (turn === newest.current) {
      setReading(outcome);
    }
  };
  useLinkedRecipe((id) => void begin(() => readLink(id)));

  return {
    reading,
    /** The first file is read. */
    read: (files: FileList | null | undefined) => {
      const file = files?.[0];
      if (file) {
        void begin(() => readFile(file));
      }
    },
    forget: () => {
      newest.current += 1;
      setReading(idle);
    },
  };
}

/** Reads the recipe that the address names, once; it is a link below an answer of the bot. */
function useLinkedRecipe(read: (id: string) => void): void {
  const [query, setQuery] = useQueryString();
  const id = query.get('recipe');
  const followed = useRef<string>(null);

  useEffect(() => {
    if (id === null || id === followed.current) {
      return;
    }
    followed.current = id;
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        next.delete('recipe');
        return next;
      },
      { replace: true },
    );
    read(id);
  });
}

/** Files that are dropped anywhere on the page, or pasted. Returns whether one is held above it. */
function useDroppedFiles(read: (files: FileList | undefined) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(read);

  useEffect(() => {
    latest.current = read;
  });

  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const hasFiles = ({ dataTransfer }: DragEvent) =>
      dataTransfer?.types.includes('Files') === true;
    window.addEventListener(
      'dragover',
      (event) => {
        if (hasFiles(event)) {
          // Else the browser would open the file instead of the page.
          event.preventDefault();
          setIsOver(true);
        }
      },
      { signal },
    );
    window.addEventListener(
      'dragleave',
      ({ relatedTarget }) => setIsOver((was) => was && relatedTarget !== null),
      { signal },
    );
    window.addEventListener(
      'drop',
      (event) => {
        setIsOver(false);
        if (hasFiles(event)) {
          event.preventDefault();
          latest.current(event.dataTransfer?.files);
        }
      },
      { signal },
    );
    window.addEventListener(
      'paste',
      (event) => {
        const { files, types } = event.clipboardData ?? {};
        // Programs that copy text put its picture beside it.
        if (files && files.length > 0 && types?.includes('text/plain') !== true) {
          event.preventDefault();
          latest.current(files);
        }
      },
      { signal },
    );
    return () => listening.abort();
  }, []);

  return isOver;
}
