/** The ID of the model that makes the picture, and what the server knows about it. */
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Field } from '#ui/field';

import { addLoras, selectModel } from '../draft.ts';
import { isModelId, useModelInfo } from './model-info.ts';
import { generatorTexts } from './texts.ts';

import styles from './generator.module.css';

const { form: texts } = generatorTexts;

type ModelFieldProps = {
  readonly modelId: string;
  /** Empty when nobody has told. */
  readonly modelName: string;
};

export function ModelField({ modelId, modelName }: ModelFieldProps) {
  const platform = usePlatform();
  const info = useModelInfo(modelId);
  const name = modelName || info?.name;

  return (
    <div className={styles.model}>
      <Field
        label={texts.modelId}
        required
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={modelId}
        error={modelId.trim() === '' || isModelId(modelId) ? undefined : texts.badId}
        hint={name === undefined ? texts.modelHint : texts.model(name)}
        onChange={(event) => selectModel({ modelId: event.target.value })}
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
    </div>
  );
}
