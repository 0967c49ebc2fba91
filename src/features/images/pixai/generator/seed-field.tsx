/** The seed: an integer, or nothing for a picture that cannot be foreseen. */
import { Dices } from 'lucide-react';

import { randomSeed } from '#contract/images/limits';
import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';
import { Field } from '#ui/field';

import { parseSeed } from '../draft.ts';
import { generatorTexts } from './texts.ts';

const { form: texts } = generatorTexts;

type SeedFieldProps = {
  /** Decimal digits, or empty. */
  readonly value: string;
  readonly onChange: (seed: string) => void;
};

export function SeedField({ value, onChange }: SeedFieldProps) {
  const platform = usePlatform();
  return (
    <Field
      label={texts.seed}
      inputMode="numeric"
      autoComplete="off"
      placeholder={texts.seedExample}
      value={value}
      onChange={(event) => onChange(parseSeed(event.target.value))}
      inside={
        <IconButton
          label={texts.randomSeed}
          icon={<Dices aria-hidden size={20} />}
          onClick={() => {
            platform.haptic('selection');
            onChange(String(drawSeed()));
          }}
        />
      }
    />
  );
}

/** Both ends included. */
function drawSeed(): number {
  const { min, max } = randomSeed;
  return min + Math.floor(Math.random() * (max - min + 1));
}
