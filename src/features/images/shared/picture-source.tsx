/** Pictures that others are made from: one of the user's own in the form, and finished ones that are varied, enlarged or repainted. */
import { ImagePlus, X } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { create } from 'zustand';

import { uploadSource } from '#contract/endpoints/generations';
import {
  maxUpscaleSide,
  pictureLimits,
  sourceModes,
  sourceStrength,
} from '#contract/images/limits';
import { call, errorText } from '#lib/api';
import { usePlatform } from '#lib/platform';
import { getUserId, onUserLeft, useSession } from '#lib/session';
import { useAction } from '#lib/use-action';
import { Button, IconButton } from '#ui/button';
import { Notice } from '#ui/notice';

import { useLimits } from './abilities.tsx';
import { SliderField } from './form-fields.tsx';
import { usePicture } from './pictures.ts';
import { findRatio, type Recipe, toRecipe } from './recipe.ts';
import { type GenerationRecord } from './records.ts';
import { type Submission, useIsBusy } from './submission.ts';
import { pictureTexts, sourceTexts as texts } from './texts.ts';

import styles from './result.module.css';

const InpaintDialog = lazy(() =>
  import('./inpaint-dialog.tsx').then((module) => ({ default: module.InpaintDialog })),
);

/** What the browser can show, and the server takes. */
const pictureTypes = 'image/png,image/jpeg,image/webp';
const percentRange = { min: sourceStrength.min * 100, max: sourceStrength.max * 100 };

type OwnPicture = {
  /** The server's. */
  readonly id: string;
  /** Of the file on this device. */
  readonly url: string;
};

type OwnSource = {
  readonly picture: OwnPicture | undefined;
  /** How far a variation goes from it, in percent. */
  readonly percent: number;
};

const noSource: OwnSource = {
  picture: undefined,
  percent: sourceStrength.default.variation * 100,
};

/** Kept while the user visits other screens. */
const useOwnSource = create<OwnSource>()(() => noSource);

onUserLeft(removeOwnSource);

function removeOwnSource(): void {
  const { picture } = useOwnSource.getState();
  if (picture) {
    URL.revokeObjectURL(picture.url);
  }
  useOwnSource.setState(noSource);
}

/** What the form makes its picture from; undefined for one from words alone. */
export function useFormSource({ adapter }: Submission): Recipe['source'] {
  const { modes } = useLimits(adapter.id);
  const { picture, percent } = useOwnSource();
  return picture && modes.includes('variation')
    ? { sourceId: picture.id, mode: 'variation', strength: percent / 100 }
    : undefined;
}

type SourcePickerProps = {
  readonly submission: Submission;
  /** Of the form. */
  readonly recipe: Recipe;
  /** Called with the shape that is most like that of a chosen picture. */
  readonly onRatio: (ratio: Recipe['ratio']) => void;
};

/** In a form: lets users who are logged in begin with a picture of their own, where the engine can vary pictures. */
export function SourcePicker({ submission, recipe, onRatio }: SourcePickerProps) {
  const isMember = useSession().status === 'member';
  const { modes } = useLimits(submission.adapter.id);
  const { picture, percent } = useOwnSource();
  const chooser = useRef<HTMLInputElement>(null);
  const { error, isBusy, send } = useUpload(onRatio);

  if (!isMember || !modes.includes('variation')) {
    return null;
  }
  return (
    <section className={styles.further} aria-label={texts.choose}>
      <input
        ref={chooser}
        type="file"
        hidden
        aria-label={texts.choose}
        accept={pictureTypes}
        onChange={({ currentTarget }) => {
          send(currentTarget.files?.[0]);
          // The same file can be chosen again.
          currentTarget.value = '';
        }}
      />
      <div className={styles.actions}>
        {picture && (
          <>
            <img
              className={styles.source}
              src={picture.url}
              alt={texts.chosen}
              width={48}
              height={48}
            />
            <IconButton
              label={texts.remove}
              icon={<X aria-hidden size={18} />}
              onClick={removeOwnSource}
            />
          </>
        )}
        <Button
          kind="quiet"
          icon={<ImagePlus aria-hidden size={18} />}
          isBusy={isBusy}
          onClick={() => chooser.current?.click()}
        >
          {picture ? texts.other : texts.choose}
        </Button>
        {picture && (
          <Repaint
            submission={submission}
            recipe={recipe}
            picture={{ url: picture.url, source: { sourceId: picture.id } }}
          />
        )}
      </div>
      {error !== undefined && <Notice tone="error">{error}</Notice>}
      {picture ? (
        <SliderField
          label={pictureTexts.further.strength}
          value={percent}
          range={percentRange}
          onChange={(chosen) => useOwnSource.setState({ percent: chosen })}
        />
      ) : (
        <p className={styles.told}>{texts.hint}</p>
      )}
    </section>
  );
}

/** Sends a picture to the server, which others are then made from. */
function useUpload(onRatio: SourcePickerProps['onRatio']) {
  const platform = usePlatform();
  const file = useRef<File>(undefined);
  const [error, setError] = useState<string>();
  const { isBusy, run } = useAction(async (signal) => {
    const image = file.current;
    if (image === undefined) {
      return;
    }
    setError(undefined);
    if (image.size > pictureLimits.bytes) {
      setError(texts.tooLarge);
      return;
    }
    const userId = getUserId();
    try {
      const { id, ...size } = await call(uploadSource, { image }, signal);
      if (signal.aborted || getUserId() !== userId) {
        // The next user does not get the picture of the one before.
        return;
      }
      const { percent } = useOwnSource.getState();
      removeOwnSource();
      useOwnSource.setState({ picture: { id, url: URL.createObjectURL(image) }, percent });
      onRatio(findRatio(size));
      platform.haptic('success');
    } catch (failure) {
      if (!signal.aborted) {
        platform.haptic('error');
        setError(errorText(failure, texts.notSent));
      }
    }
  });
  return {
    error,
    isBusy,
    send: (chosen: File | undefined) => {
      if (chosen) {
        file.current = chosen;
        run();
      }
    },
  };
}

type FurtherProps = {
  readonly submission: Submission;
  readonly record: GenerationRecord;
  readonly onMade?: () => void;
};

/** What the engine can make from a picture that the server has. */
export function Further({ submission, record, onMade }: FurtherProps) {
  const { modes } = useLimits(submission.adapter.id);
  const isBusy = useIsBusy(submission);
  const [percent, setPercent] = useState(sourceStrength.default.variation * 100);
  const { remoteId: generationId, width = 0, height = 0 } = record;
  const isLarge = Math.max(width, height) > maxUpscaleSide;
  const known = sourceModes.filter(
    (mode) => modes.includes(mode) && !(mode === 'upscale' && isLarge),
  );

  if (generationId === undefined || known.length === 0) {
    return null;
  }
  const make = (mode: 'variation' | 'upscale') => {
    const isVariation = mode === 'variation';
    submission.submit({
      ...toRecipe(record),
      // With its own seed, a picture would be varied by its own noise.
      seed: isVariation ? undefined : record.seed,
      source: { generationId, mode, strength: isVariation ? percent / 100 : undefined },
    });
    onMade?.();
  };
  return (
    <section className={styles.further} aria-label={pictureTexts.further.heading}>
      {known.includes('variation') && (
        <SliderField
          label={pictureTexts.further.strength}
          value={percent}
          range={percentRange}
          onChange={setPercent}
        />
      )}
      <div className={styles.actions}>
        {known.map((mode) =>
          mode === 'inpaint' ? (
            <SavedRepaint
              key={mode}
              submission={submission}
              record={record}
              generationId={generationId}
              onMade={onMade}
            />
          ) : (
            <Button key={mode} kind="quiet" disabled={isBusy} onClick={() => make(mode)}>
              {mode === 'variation' ? pictureTexts.further.vary : pictureTexts.further.enlarge}
            </Button>
          ),
        )}
      </div>
    </section>
  );
}

/** With the picture as it is kept on this device or the server. */
function SavedRepaint({
  record,
  generationId,
  ...rest
}: Omit<RepaintProps, 'recipe' | 'picture'> & {
  readonly record: GenerationRecord;
  readonly generationId: string;
}) {
  const { url } = usePicture(record, 'original');
  return (
    <Repaint {...rest} recipe={toRecipe(record)} picture={{ url, source: { generationId } }} />
  );
}

type RepaintProps = {
  readonly submission: Submission;
  readonly recipe: Recipe;
  readonly picture: {
    /** Undefined while it is not known. */
    readonly url: string | undefined;
    readonly source: { readonly generationId: string } | { readonly sourceId: string };
  };
  readonly onMade?: (() => void) | undefined;
};

/** A button for painting a part of a picture anew; none where the engine cannot. */
function Repaint({ submission, recipe, picture: { url, source }, onMade }: RepaintProps) {
  const { modes } = useLimits(submission.adapter.id);
  const isBusy = useIsBusy(submission);
  const [isOpen, setIsOpen] = useState<boolean>();

  if (!modes.includes('inpaint')) {
    return null;
  }
  return (
    <>
      <Button kind="quiet" disabled={isBusy || url === undefined} onClick={() => setIsOpen(true)}>
        {pictureTexts.further.repaint}
      </Button>
      {isOpen !== undefined && url !== undefined && (
        <Suspense>
          <InpaintDialog
            // What is painted is meant for the picture that was there.
            key={url}
            isOpen={isOpen}
            url={url}
            prompt={recipe.prompt}
            onClose={() => setIsOpen(false)}
            onPainted={({ maskId, prompt, strength }) => {
              setIsOpen(false);
              submission.submit({
                ...recipe,
                prompt,
                // With the seed that it was made with, the part would become what it was.
                seed: undefined,
                source: { ...source, mode: 'inpaint', strength, maskId },
              });
              onMade?.();
            }}
          />
        </Suspense>
      )}
    </>
  );
}
