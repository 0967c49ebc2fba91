/** The model in the form: a card with a button that opens the browser, and a field for its ID. */
import { Eye, Image, ImageOff } from 'lucide-react';
import { lazy, useEffect, useState } from 'react';

import { useAge } from '#lib/age';
import { resolveLink } from '#lib/fetch-file';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { passFocusOn } from '#ui/empty-state';
import { Field } from '#ui/field';

import { AgeQuestion } from '../age-question.tsx';
import { addLoras, selectModel, suggestModel, useDraft } from '../draft.ts';
import { modelTexts } from '../models/texts.ts';
import { useFirstModel } from '../models/use-models.ts';
import { isModelId, type ModelInfo, rememberModel, useModelInfo } from './model-info.ts';
import { generatorTexts } from './texts.ts';

import cards from '../models/model-card.module.css';
import styles from './generator.module.css';

const { model: texts } = generatorTexts;

const loadSheet = () => import('./model-sheet.tsx');

/** Loaded when the user is about to open it. */
export const ModelSheet = lazy(async () => ({ default: (await loadSheet()).ModelSheet }));

type ModelPickerProps = {
  readonly modelId: string;
  /** Empty when unknown. */
  readonly modelName: string;
  /** Opens the browser of models. */
  readonly onBrowse: () => void;
};

export function ModelPicker({ modelId, modelName, onBrowse }: ModelPickerProps) {
  const suggestion = useSuggestion(modelId);
  const [isFieldWanted, setIsFieldWanted] = useState(false);
  const info = useModelInfo(modelId);
  const id = modelId.trim();
  const isWrong = id !== '' && (!isModelId(id) || info?.isLora === true);
  const isFieldNeeded = isWrong || ['failed', 'empty'].includes(suggestion.state);

  return (
    // Screen readers announce a fieldset as a part of the form to fill in.
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
    <div role="group" tabIndex={-1} aria-labelledby="model-heading" className={styles.model}>
      <div className={styles.head}>
        <span id="model-heading">{texts.heading}</span>
        {!isFieldNeeded && (
          <Button
            kind="quiet"
            className={styles.paste}
            aria-expanded={isFieldWanted}
            onClick={() => {
              suggestion.decline();
              setIsFieldWanted(!isFieldWanted);
            }}
          >
            {texts.paste}
          </Button>
        )}
      </div>
      {suggestion.state === 'none' ? (
        <ChosenModel
          id={id}
          name={modelName || (info?.name ?? '')}
          info={info}
          onBrowse={onBrowse}
        />
      ) : (
        <NoModel {...suggestion} />
      )}
      {(isFieldNeeded || isFieldWanted) && (
        <IdField
          modelId={modelId}
          info={info}
          isFocused={isFieldWanted}
          onTyped={() => {
            suggestion.decline();
            // The field stays when the ID is right again.
            setIsFieldWanted(true);
          }}
        />
      )}
    </div>
  );
}

type Suggestion = {
  /** `none`: nothing is suggested, because the form has a model or the user types an ID. */
  readonly state: 'none' | 'loading' | 'failed' | 'empty';
  readonly retry: () => void;
  readonly decline: () => void;
};

/** Puts the first model of the catalogue into a form without one, unless the user begins to type an ID. */
function useSuggestion(modelId: string): Suggestion {
  const [isDeclined, setIsDeclined] = useState(false);
  const isNeeded = () => !isDeclined && useDraft.getState().modelId === '';
  const { first, status, retry } = useFirstModel(isNeeded);

  useEffect(() => {
    if (first && !isDeclined && useDraft.getState().modelId === '') {
      rememberModel(first);
      suggestModel({ modelId: first.modelId, modelName: first.name });
    }
  }, [first, isDeclined]);

  const decline = () => setIsDeclined(true);
  if (modelId.trim() !== '' || isDeclined) {
    return { state: 'none', retry, decline };
  }
  if (status === 'failed') {
    return { state: 'failed', retry, decline };
  }
  return { state: status === 'loading' || first ? 'loading' : 'empty', retry, decline };
}

function NoModel({ state, retry }: Suggestion) {
  if (state === 'loading') {
    return <Loading />;
  }
  return (
    <div className={styles.card}>
      <p className={styles.about} role={state === 'failed' ? 'alert' : undefined}>
        {state === 'failed' ? texts.failed : texts.empty}
      </p>
      {state === 'failed' && (
        <Button ref={passFocusOn} kind="quiet" onClick={retry}>
          {modelTexts.tryAgain}
        </Button>
      )}
    </div>
  );
}

function Loading() {
  return (
    <div className={styles.card}>
      <output className="visually-hidden">{modelTexts.loading}</output>
      <div className={`${cards.front} ${styles.cover}`} aria-hidden />
    </div>
  );
}

type ChosenModelProps = {
  /** Empty when the user has removed it. */
  readonly id: string;
  /** Empty when unknown. */
  readonly name: string;
  readonly info: ModelInfo | undefined;
  readonly onBrowse: () => void;
};

function ChosenModel({ id, name, info, onBrowse }: ChosenModelProps) {
  const platform = usePlatform();

  return (
    <div className={styles.card}>
      <Cover key={info?.cover} info={info} />
      <div className={styles.about}>
        <p className={styles.title} dir="auto">
          {name || id || texts.none}
        </p>
        {info?.type && <p className={styles.remark}>{info.type.toLowerCase()}</p>}
      </div>
      <Button
        kind="quiet"
        className={styles.wholeCard}
        aria-haspopup="dialog"
        onPointerEnter={() => void loadSheet()}
        onFocus={() => void loadSheet()}
        onClick={({ currentTarget }) => {
          platform.haptic('light');
          // Not every browser does it, and the dialog returns the focus to where it was.
          currentTarget.focus();
          onBrowse();
        }}
      >
        {id === '' ? texts.choose : texts.change}
      </Button>
    </div>
  );
}

/** A cover for adults is blurred until the age is confirmed. */
function Cover({ info }: { readonly info: ModelInfo | undefined }) {
  const { cover, isAdult = false } = info ?? {};
  const age = useAge();
  const [isBroken, setIsBroken] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const isHidden = isAdult && !age.isConfirmed;

  if (cover === undefined || isBroken) {
    const Icon = isBroken ? ImageOff : Image;
    return (
      <div className={`${cards.front} ${styles.cover}`}>
        <Icon aria-hidden size={24} />
      </div>
    );
  }
  return (
    <div className={`${cards.front} ${styles.cover}`}>
      <img
        className={isHidden ? cards.hidden : undefined}
        src={resolveLink(cover)}
        width={64}
        height={64}
        alt=""
        decoding="async"
        draggable={false}
        onError={() => setIsBroken(true)}
      />
      {isHidden && (
        <button
          type="button"
          className={styles.reveal}
          aria-label={modelTexts.card.reveal}
          onClick={() => setIsAsking(true)}
        >
          <Eye aria-hidden size={16} />
          {modelTexts.card.adult}
        </button>
      )}
      <AgeQuestion isOpen={isAsking && isHidden} onClose={() => setIsAsking(false)} />
    </div>
  );
}

type IdFieldProps = {
  readonly modelId: string;
  readonly info: ModelInfo | undefined;
  /** The user has asked for the field. */
  readonly isFocused: boolean;
  readonly onTyped: () => void;
};

function IdField({ modelId, info, isFocused, onTyped }: IdFieldProps) {
  const platform = usePlatform();
  return (
    <>
      <Field
        label={texts.id}
        required
        // The user has just pressed the button that shows the field.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus={isFocused}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={modelId}
        error={modelId.trim() === '' || isModelId(modelId) ? undefined : texts.badId}
        hint={texts.hint}
        onChange={(event) => {
          onTyped();
          selectModel({ modelId: event.target.value });
        }}
      />
      {info?.isLora && (
        <p className={styles.wrongKind}>
          {texts.isLora(info.name)}
          <Button
            kind="quiet"
            onClick={() => {
              platform.haptic('light');
              addLoras([{ id: modelId.trim(), name: info.name, triggerWords: info.triggerWords }]);
              selectModel({ modelId: '' });
            }}
          >
            {texts.moveToLoras}
          </Button>
        </p>
      )}
    </>
  );
}
