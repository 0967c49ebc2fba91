/** The seed: an integer, or nothing for a picture that cannot be foreseen. */
import { Dices } from 'lucide-react';

import { usePlatform } from '#lib/platform';
import { IconButton } from '#ui/button';
import { Field } from '#ui/field';

import { promptTexts as texts } from './prompt-texts.ts';
import { parseSeed } from './seed.ts';

type SeedRange = { readonly min: number; readonly max: number };

type SeedFieldProps = {
  readonly label: string;
  /** Decimal digits, or empty. */
  readonly value: string;
  /** What the button draws from, both ends included. */
  readonly range: SeedRange;
  readonly error?: string | undefined;
  readonly onChange: (seed: string) => void;
};

export function SeedField({ label, value, range, error, onChange }: SeedFieldProps) {
  const platform = usePlatform();
  return (
    <Field
      label={label}
      inputMode="numeric"
      autoComplete="off"
      placeholder={texts.seedExample}
      value={value}
      error={error}
      onChange={(event) => onChange(parseSeed(event.target.value))}
      inside={
        <IconButton
          label={texts.randomSeed}
          icon={<Dices aria-hidden size={20} />}
          onClick={() => {
            platform.haptic('selection');
            onChange(String(drawSeed(range)));
          }}
        />
      }
    />
  );
}

function drawSeed({ min, max }: SeedRange): number {
  return min + Math.floor(Math.random() * (max - min + 1));
}
