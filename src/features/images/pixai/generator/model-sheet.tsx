/** The browser of models over the form, from which models and LoRAs are taken into it. */
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';

import { type ModelCard } from '#contract/endpoints/models';
import { maxLoras } from '#contract/images/limits';
import { useNotices } from '#lib/notices';
import { IconButton } from '#ui/button';
import { Dialog } from '#ui/dialog';

import { addLoras } from '../draft.ts';
import { ModelBrowser } from '../models/model-browser.tsx';
import { modelTexts } from '../models/texts.ts';
import { chooseModel } from './model-info.ts';
import { generatorTexts } from './texts.ts';

import styles from './generator.module.css';

const { card: texts } = modelTexts;

type ModelSheetProps = { readonly isOpen: boolean; readonly onClose: () => void };

export function ModelSheet({ isOpen, onClose }: ModelSheetProps) {
  const content = useRef<HTMLDivElement>(null);

  useEffect(() => {
    if (isOpen) {
      // Otherwise the search would have the focus, and a phone would show its keyboard.
      content.current?.focus({ preventScroll: true });
    }
  }, [isOpen]);

  return (
    <Dialog isOpen={isOpen} isSheet title={generatorTexts.model.browse} onClose={onClose}>
      <div ref={content} tabIndex={-1} className={styles.sheet}>
        <IconButton
          className={styles.close}
          label={generatorTexts.model.close}
          icon={<X aria-hidden size={20} />}
          onClick={onClose}
        />
        <ModelBrowser
          onChoose={(model) => {
            take(model);
            onClose();
          }}
          onDone={onClose}
        />
      </div>
    </Dialog>
  );
}

function take(model: ModelCard): void {
  if (!model.isLora) {
    chooseModel(model);
    return;
  }
  const { modelId: id, name, triggerWords } = model;
  const { left } = addLoras([{ id, name, triggerWords }]);
  useNotices.getState().show({
    id: 'lora-added',
    tone: left > 0 ? 'warning' : 'success',
    text: left > 0 ? texts.noRoom(maxLoras) : texts.added(name === '' ? texts.unknown : name),
  });
}
