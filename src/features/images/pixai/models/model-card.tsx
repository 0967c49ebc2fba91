/** A model in the gallery: its cover in front, what else is known of it on the back. */
import { Check, Info, RotateCcw, Sparkle } from 'lucide-react';
import { useNavigate } from 'react-router-dom';

import { type ModelCard as Model } from '#contract/endpoints/models';
import { maxLoras } from '#contract/images/limits';
import { formatCount } from '#lib/format-count';
import { useNotices } from '#lib/notices';
import { hubPaths } from '#lib/paths';
import { usePlatform } from '#lib/platform';
import { type MasonryCard } from '#ui/masonry';

import { addLoras, selectModel } from '../draft.ts';
import { CopyId } from './copy-id.tsx';
import { Cover } from './cover.tsx';
import { useLoraSelection } from './lora-selection.ts';
import { modelTexts } from './texts.ts';
import { useTurnedCards } from './turned-cards.ts';

import styles from './model-card.module.css';

const { card: texts } = modelTexts;
const icon = { 'aria-hidden': true, size: 18 } as const;

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
        <Cover model={model} name={name} tabIndex={tabIndex} onFlip={flip} />
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

function Back({ model, name, tabIndex, onFlip }: PartProps & { readonly onFlip: () => void }) {
  return (
    // A press anywhere else turns it round, too; the button for that is below.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div className={styles.back} onClick={onFlip}>
      <h2 className={styles.name}>{name}</h2>
      <p className={styles.figures}>
        {model.type.toLowerCase()} · {texts.likes(formatCount(model.likedCount))} ·{' '}
        {texts.uses(formatCount(model.refCount))}
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

  function use(): void {
    platform.haptic('light');
    if (!model.isLora) {
      selectModel({ modelId: model.modelId, modelName: model.name });
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
      onClick={use}
    >
      {/* A sparkle of one stroke: there are as many of them as cards. */}
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
