/** Has a prompt rewritten by the server. What the person types meanwhile is never overwritten. */
import { useEffect, useRef, useState } from 'react';

import { enhancePrompt } from '#contract/endpoints/prompts';
import { ApiError, call } from '#lib/api';
import { usePlatform } from '#lib/platform';

import { logFailure } from './log-failure.ts';
import { promptTexts } from './prompt-texts.ts';

export type Enhancement =
  | { readonly kind: 'idle' | 'busy' }
  | {
      readonly kind: 'done';
      readonly before: string;
      readonly after: string;
      /** What rewrote it: `offline`, or a language model. */
      readonly engine: string | undefined;
    }
  /** `before`: the prompt that could not be rewritten. */
  | { readonly kind: 'failed'; readonly before: string };

type EnhanceOptions = {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly protect: readonly string[];
};

/** How long a rewriting can be undone. */
const undoMs = 30_000;
const idle: Enhancement = { kind: 'idle' };

export function useEnhance({ text, onText, protect }: EnhanceOptions): {
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
    state: isAbout(state, text) ? state : idle,
    run: () => void run(),
    undo: () => {
      if (state.kind === 'done') {
        onText(state.before);
        setState(idle);
      }
    },
  };
}

/** Whether a state still speaks of the text that is there. */
function isAbout(state: Enhancement, text: string): boolean {
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
    logFailure(promptTexts.failed, error);
    return { kind: 'failed', before };
  }
}
