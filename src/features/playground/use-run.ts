/** Runs of one endpoint: one at a time, and none goes on when its form is left. */
import { useEffect, useRef, useState } from 'react';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { usePlatform } from '#lib/platform';

import { useCalls } from './calls.ts';
import { onLeft } from './left.ts';
import { sentPath } from './request.ts';
import { type Outcome, run } from './run.ts';

export type RunState = { readonly state: 'idle' } | { readonly state: 'executing' } | Outcome;

type Runs = {
  readonly current: RunState;
  readonly execute: (values: Values) => Promise<void>;
  readonly cancel: () => void;
};

export function useRun(endpoint: PublicEndpoint): Runs {
  const platform = usePlatform();
  const add = useCalls((calls) => calls.add);
  const [current, setCurrent] = useState<RunState>({ state: 'idle' });
  const running = useRef<AbortController>(undefined);

  useEffect(() => () => running.current?.abort(), []);
  useEffect(
    () =>
      onLeft(() => {
        running.current?.abort();
        running.current = undefined;
        setCurrent({ state: 'idle' });
      }),
    [],
  );

  // A file that the answer itself was is held by the page until it is told to let go.
  const file = current.state === 'answered' ? current.answer.preview?.url : undefined;
  useEffect(
    () => (file?.startsWith('blob:') ? () => URL.revokeObjectURL(file) : undefined),
    [file],
  );

  const execute = async (values: Values) => {
    if (running.current) {
      return;
    }
    const stop = new AbortController();
    running.current = stop;
    setCurrent({ state: 'executing' });
    const outcome = await run(endpoint, sentPath(endpoint, values), stop);
    if (running.current !== stop) {
      // Whoever asked has logged out meanwhile.
      return;
    }
    running.current = undefined;
    if (outcome.state === 'cancelled') {
      setCurrent(outcome);
      return;
    }
    const answer = outcome.state === 'answered' ? outcome.answer : undefined;
    const isGood = answer !== undefined && answer.status < 400;
    platform.haptic(isGood ? 'success' : 'error');
    add({
      endpointId: endpoint.id,
      values,
      ...(answer ? { status: answer.status, ms: answer.ms } : {}),
    });
    setCurrent(outcome);
  };

  return { current, execute, cancel: () => running.current?.abort() };
}
