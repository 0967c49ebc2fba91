/** A model in the gallery: the cover on the front, details on the back. */
import { Check, Info, RotateCcw, Sparkle, Eye, ImageOff, Copy } from 'lucide-react';
import { createContext, use, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { create } from 'zustand';

import { type ModelCard as Model } from '#contract/endpoints/models';
import { maxLoras } from '#contract/images/limits';
import { useCopyText } from '#lib/copy-text';
import { resolveLink } from '#lib/fetch-file';
import { useNotices } from '#lib/notices';
import { hubPaths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { useCopied } from '#ui/button';
import { type MasonryCard } from '#ui/masonry';

import { addLoras } from '../draft.ts';
import { chooseModel } from '../generator/model-info.ts';
import { useLoraSelection } from './selection-bar.tsx';
import { modelTexts } from './texts.ts';

import styles from './model-card.module.css';

const { card: texts } = modelTexts;
const icon = { 'aria-hidden': true, size: 18 } as const;
/** The first covers, which are on the screen at once. */
const eagerCovers = 4;

type ModelCardProps = {
  readonly model: Model;
  readonly card: MasonryCard;
};

export function ModelCard({ model, card }: ModelCardProps) {
  const isFlipped = useTurnedCards(({ turned }) => turned.includes(model.id));
  const turn = useTurnedCards((state) => state.turn);
  const flip = () => turn(model.id);
  const name = model.name === '' ? texts.unknown : model.name;
  const { tabIndex } = card;

  return (
    <article className={styles.card}>
      {isFlipped ? (
        <Back model={model} name={name} tabIndex={tabIndex} onFlip={flip} />
      ) : (
        <Cover model={model} name={name} tabIndex={tabIndex} index={card.index} onFlip={flip} />
      )}
      <div className={styles.actions}>
        <UseButton model={model} name={name} tabIndex={tabIndex} />
        <button
          type="button"
          className={styles.flip}
          tabIndex={tabIndex}
          aria-label={isFlipped ? texts.flipBack(name) : texts.flip(name)}
          onClick={flip}
        >
          {isFlipped ? <RotateCcw {...icon} /> : <Info {...icon} />}
        </button>
      </div>
      {model.isLora && <Tick model={model} name={name} tabIndex={tabIndex} />}
    </article>
  );
}

type PartProps = {
  readonly model: Model;
  readonly name: string;
  readonly tabIndex: 0 | -1;
};

type FaceProps = PartProps & { readonly onFlip: () => void };

function Back({ model, name, tabIndex, onFlip }: FaceProps) {
  return (
    // A click anywhere turns the card; keyboards use the button below.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div className={styles.back} onClick={onFlip}>
      <h2 className={styles.name}>
        <bdi>{name}</bdi>
      </h2>
      <p className={styles.figures}>
        {model.type.toLowerCase()} · {texts.likes(model.likedCount)} · {texts.uses(model.refCount)}
      </p>
      {model.triggerWords.length > 0 && (
        <p className={styles.words}>
          <b>{texts.triggerWords}</b> {model.triggerWords.join(', ')}
        </p>
      )}
      <CopyId id={model.modelId} tabIndex={tabIndex} />
    </div>
  );
}

function UseButton({ model, name, tabIndex }: PartProps) {
  const navigate = useNavigate();
  const platform = usePlatform();
  const { onChoose } = use(BrowserContext);

  function putIntoGenerator(): void {
    platform.haptic('light');
    if (onChoose) {
      onChoose(model);
      return;
    }
    if (!model.isLora) {
      chooseModel(model);
      void navigate(hubPaths.generator);
      return;
    }
    const { left } = addLoras([asLora(model)]);
    useNotices.getState().show({
      id: 'lora-added',
      tone: left > 0 ? 'warning' : 'success',
      text: left > 0 ? texts.noRoom(maxLoras) : texts.added(name),
      action: { text: texts.openGenerator, press: () => void navigate(hubPaths.generator) },
    });
  }

  return (
    <button
      type="button"
      className={styles.use}
      tabIndex={tabIndex}
      aria-label={texts.useModel(name)}
      onClick={putIntoGenerator}
    >
      {/* The icon with the fewest strokes, as each card draws one. */}
      <Sparkle {...icon} />
      {texts.use}
    </button>
  );
}

function Tick({ model, name, tabIndex }: PartProps) {
  const platform = usePlatform();
  const isTicked = useLoraSelection(({ ticked }) => ticked.some(({ id }) => id === model.modelId));
  const toggle = useLoraSelection((state) => state.toggle);
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        tabIndex={tabIndex}
        checked={isTicked}
        aria-label={texts.tick(name)}
        onChange={() => {
          platform.haptic('light');
          toggle(asLora(model));
        }}
      />
      <Check aria-hidden size={20} />
    </label>
  );
}

function asLora({ modelId, name, triggerWords }: Model) {
  return { id: modelId, name, triggerWords };
}

/** The front. Covers for adults are blurred until the age is confirmed. */
function Cover({ model, name, tabIndex, index, onFlip }: FaceProps & Pick<MasonryCard, 'index'>) {
  const { thumbnail, cover, width, height, isNsfw, type, modelId } = model;
  const [failedUrls, setFailedUrls] = useState<readonly string[]>([]);
  const { areAdultCoversShown, confirmAge } = use(BrowserContext);
  // Some services delete thumbnails and keep the full picture.
  const url = [thumbnail, cover].find((each) => each !== undefined && !failedUrls.includes(each));
  const isFailed = url === undefined;
  const isHidden = isNsfw && !areAdultCoversShown;

  return (
    // A click anywhere turns the card; keyboards use the button below.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div className={styles.front} onClick={onFlip}>
      {isFailed ? (
        <div className={styles.failed}>
          <ImageOff aria-hidden size={24} />
          <p>{texts.coverFailed}</p>
          <h2 className={styles.name}>
            <bdi>{name}</bdi>
          </h2>
          <p className={styles.lostId} dir="auto">
            {modelId}
          </p>
        </div>
      ) : (
        <img
          className={isHidden ? styles.hidden : undefined}
          src={resolveLink(url)}
          width={width}
          height={height}
          alt=""
          {...(index < eagerCovers
            ? { fetchPriority: 'high' as const }
            : { loading: 'lazy' as const })}
          decoding="async"
          draggable={false}
          onError={() => setFailedUrls([...failedUrls, url])}
        />
      )}
      {isHidden && !isFailed && (
        <button
          type="button"
          className={styles.reveal}
          tabIndex={tabIndex}
          aria-label={texts.reveal}
          onClick={(event) => {
            event.stopPropagation();
            confirmAge();
          }}
        >
          <Eye aria-hidden size={18} />
          {texts.adult}
        </button>
      )}
      <bdi className={styles.type}>{type.toLowerCase()}</bdi>
      {!isFailed && (
        <div className={styles.caption}>
          <h2 className={styles.name} dir="auto">
            {name}
          </h2>
          <p className={styles.meta} dir="auto">
            {modelId}
          </p>
        </div>
      )}
    </div>
  );
}

/** The model's ID; a click copies it. */
function CopyId({ id, tabIndex }: { readonly id: string; readonly tabIndex: 0 | -1 }) {
  const copyText = useCopyText();
  const { isCopied, said, press } = useCopied(() => copyText(id));

  return (
    <>
      <button
        type="button"
        className={styles.id}
        tabIndex={tabIndex}
        aria-label={modelTexts.copyId(id)}
        onClick={(event) => {
          // Otherwise the card would turn.
          event.stopPropagation();
          void press();
        }}
      >
        {isCopied ? <Check {...icon} /> : <Copy {...icon} />}
        <span dir="auto">{said ?? id}</span>
      </button>
      {/* Not in the button, whose accessible name replaces its text. */}
      <output className="visually-hidden">{said}</output>
    </>
  );
}

/** What the cards of a browser share. */
type Browser = {
  readonly areAdultCoversShown: boolean;
  /** Asks for the age. */
  readonly confirmAge: () => void;
  /** Called with a model instead of opening the generator with it. */
  readonly onChoose: ((model: Model) => void) | undefined;
};

export const BrowserContext = createContext<Browser>({
  areAdultCoversShown: false,
  confirmAge: () => undefined,
  onChoose: undefined,
});

type TurnedCards = {
  /** IDs of models. */
  readonly turned: readonly string[];
  readonly turn: (id: string) => void;
};

/** A store, as the gallery unmounts cards that are scrolled away. */
export const useTurnedCards = create<TurnedCards>()((set) => ({
  turned: [],
  turn: (id) =>
    set(({ turned }) => ({
      turned: turned.includes(id) ? turned.filter((each) => each !== id) : [...turned, id],
    })),
}));
