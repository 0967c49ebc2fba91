/** The prompt, with a button that has the server rewrite it. A rewriting can be undone. */
import { Sparkles, Undo2 } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';

import { enhancePrompt, promptProtection } from '#contract/endpoints/prompts';
import { ApiError, call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { usePlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { passFocusOn } from '#ui/empty-state';

import { TextArea } from './form-fields.tsx';
import { logFailure } from './log-failure.ts';
import { formTexts as texts } from './texts.ts';

import styles from './prompt-field.module.css';

const noWords: readonly string[] = [];

type PromptFieldProps = {
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** Pictures are being made: the prompt is not rewritten meanwhile. */
  readonly isGenerating: boolean;
  /** In characters. */
  readonly limit: number;
  /** Words that a rewriting must keep. */
  readonly protect?: readonly string[];
};

export function PromptField({
  value,
  onChange,
  isGenerating,
  limit,
  protect = noWords,
}: PromptFieldProps) {
  const { has } = useCapabilities();
  const { state, run, undo } = useEnhance({
    text: value,
    onText: onChange,
    protect: has(promptProtection) === true ? protect : noWords,
  });
  const isBusy = state.kind === 'busy';

  return (
    <div className={styles.prompt}>
      <TextArea
        label={texts.prompt}
        placeholder={texts.promptExample}
        required
        rows={4}
        limit={limit}
        enterKeyHint="enter"
        autoComplete="off"
        value={value}
        onChange={onChange}
        aside={
          <Button
            kind="quiet"
            className={styles.enhance}
            icon={<Sparkles aria-hidden size={18} />}
            isBusy={isBusy}
            disabled={value.trim() === '' || value.length > limit || isGenerating}
            onClick={run}
          >
            {isBusy ? texts.enhancing : texts.enhance}
          </Button>
        }
      />
      <output tabIndex={-1} className={styles.outcome}>
        {state.kind === 'failed' && <span>{texts.enhanceFailed}</span>}
        {state.kind === 'done' && (
          <>
            <span>{state.engine === 'offline' ? texts.offline : texts.enhanced}</span>
            <Button
              ref={passFocusOn}
              kind="quiet"
              className={styles.enhance}
              icon={<Undo2 aria-hidden size={18} />}
              onClick={undo}
            >
              {texts.undo}
            </Button>
          </>
        )}
      </output>
    </div>
  );
}

type Enhancement =
  | { readonly kind: 'idle' | 'busy' }
  | {
      readonly kind: 'done';
      readonly before: string;
      readonly after: string;
      /** `offline`, or a language model. */
      readonly engine: string | undefined;
    }
  | { readonly kind: 'failed'; readonly before: string };

type EnhanceOptions = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly protect: readonly string[];
};

/** How long a rewriting can be undone. */
const undoMs = 30_000;
const idle: Enhancement = { kind: 'idle' };

/** What the user types during a rewriting is never overwritten. */
function useEnhance({ text, onText, protect }: EnhanceOptions): {
  /** `done` and `failed` end when the text is edited. */
  readonly state: Enhancement;
  readonly run: () => void;
  readonly undo: () => void;
} {
  const platform = usePlatform();
  const [state, setState] = useState<Enhancement>(idle);
  const latestText = useRef(text);
  const running = useRef<AbortController>(undefined);

  useEffect(() => {
    latestText.current = text;
  }, [text]);

  useEffect(() => () => running.current?.abort(), []);

  useEffect(() => {
    if (state.kind !== 'done') {
      return undefined;
    }
    const timer = setTimeout(setState, undoMs, idle);
    return () => clearTimeout(timer);
  }, [state]);

  const run = async () => {
    const controller = new AbortController();
    running.current = controller;
    setState({ kind: 'busy' });
    const outcome = await rewrite(text, protect, controller.signal);
    if (controller.signal.aborted) {
      return;
    }
    if (latestText.current !== text) {
      setState(idle);
      return;
    }
    if (outcome.kind === 'done') {
      onText(outcome.after);
    }
    setState(outcome);
    platform.haptic(outcome.kind === 'done' ? 'success' : 'error');
  };

  return {
    state: isCurrent(state, text) ? state : idle,
    run: () => void run(),
    undo: () => {
      if (state.kind === 'done') {
        onText(state.before);
        setState(idle);
      }
    },
  };
}

/** Whether a state belongs to the text as it is now. */
function isCurrent(state: Enhancement, text: string): boolean {
  if (state.kind === 'done') {
    return text === state.after;
  }
  return state.kind !== 'failed' || text === state.before;
}

async function rewrite(
  before: string,
  protect: readonly string[],
  signal: AbortSignal,
): Promise<Extract<Enhancement, { kind: 'done' | 'failed' }>> {
  try {
    const { prompt, engine } = await call(
      enhancePrompt,
      { userPrompt: before.trim(), ...(protect.length > 0 ? { protect: [...protect] } : {}) },
      signal,
    );
    return { kind: 'done', before, after: prompt, engine };
  } catch (error) {
    if (!(error instanceof ApiError)) {
      throw error;
    }
    logFailure(texts.enhanceFailed, error);
    return { kind: 'failed', before };
  }
}
