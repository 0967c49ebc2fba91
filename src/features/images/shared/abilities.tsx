/** What a provider can do on this server, and a notice where that is only drawing without AI. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';

import { type Answer } from '#contract/endpoints/endpoint';
import { imageAbilities, readImageAbilities } from '#contract/endpoints/image-abilities';
import { loraWeight, maxLoras, maxPromptLength } from '#contract/images/limits';
import { type ProviderId } from '#contract/images/providers';
import { call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useIsOperator } from '#lib/operator';

import { sketchTexts as texts } from './texts.ts';

import styles from './form-fields.module.css';

const abilitiesQuery = () =>
  queryOptions({
    queryKey: ['image-abilities'],
    queryFn: ({ signal }) => call(readImageAbilities, {}, signal),
    // The page works without them; the server itself refuses what it cannot do.
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

type Abilities = Answer<typeof readImageAbilities>['providers'][string];

/** Empty where the server does not announce its abilities: then nothing is ruled out. */
export function useAbilities(provider: ProviderId): Abilities {
  const { has } = useCapabilities();
  const { data } = useQuery({ ...abilitiesQuery(), enabled: has(imageAbilities) === true });
  return data?.providers[provider] ?? {};
}

/** The limits of a provider's engine; our own where the server announces none. Weights are in percent. */
export function useLimits(provider: ProviderId) {
  const abilities = useAbilities(provider);
  const { min, max } = abilities.lora_weight ?? { min: 0, max: loraWeight.max / 100 };
  return {
    promptLength: abilities.max_prompt_length ?? maxPromptLength,
    loras: abilities.max_loras ?? maxLoras,
    weight: { min: min * 100, max: max * 100 },
    maxSeed: abilities.seed?.max,
    steps: abilities.steps,
    samplers: abilities.samplers ?? [],
    modes: abilities.modes ?? [],
  };
}

export type Limits = ReturnType<typeof useLimits>;

type EngineNoticeProps = {
  readonly provider: ProviderId;
  /** An environment variable that connects an image service; shown to the operator. */
  readonly variable: string;
  /** Another one that could be set instead. */
  readonly otherVariable?: string;
};

/**
 * One line in a form whose pictures the server can only draw without AI; a press shows more. Its place is
 * there before the server has answered, so that nothing moves.
 */
export function EngineNotice({ provider, variable, otherVariable }: EngineNoticeProps) {
  const { imageEngine } = useCapabilities();
  const isOperator = useIsOperator();
  // Servers that do not list abilities announce only the engine of Pix-AI.
  const { engine = provider === 'pixai' ? imageEngine : undefined } = useAbilities(provider);
  const setUp =
    otherVariable === undefined
      ? texts.setUp(variable)
      : texts.setUpEither(variable, otherVariable);
  return (
    // Screen readers announce what appears in it.
    <div className={styles.engine} aria-live="polite">
      {engine === 'sketch' && (
        <details>
          <summary>
            {texts.title}
            <ChevronDown aria-hidden size={16} />
          </summary>
          <p>
            {texts.text}
            {isOperator && ` ${setUp}`}
          </p>
        </details>
      )}
    </div>
  );
}
