/** One endpoint: what it is, its form, and what it answered. */
import { MoveLeft } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';

import { type PublicEndpoint } from '#contract/playground/public-endpoint';
import { useMainButton } from '#lib/main-button';
import { paths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';

import { useValues } from './drafts.ts';
import { EndpointHeader } from './endpoint-header.tsx';
import { RequestForm } from './request-form.tsx';
import { mistakesIn } from './request.ts';
import { ResponsePanel } from './response-panel.tsx';
import { SnippetPanel } from './snippet-panel.tsx';
import { texts } from './texts.ts';
import { type Place } from './use-place.ts';
import { useRun } from './use-run.ts';

import styles from './playground.module.css';

type EndpointPanelProps = { readonly endpoint: PublicEndpoint; readonly place: Place };

export function EndpointPanel({ endpoint, place }: EndpointPanelProps) {
  const values = useValues(endpoint);
  const { current, execute, cancel } = useRun(endpoint);
  const [isChecked, setIsChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mistakes = isChecked ? mistakesIn(endpoint, values) : {};
  const isExecuting = current.state === 'executing';
  const isResponse = place.isResponse && current.state !== 'idle';

  function submit(): void {
    if (isExecuting) {
      return;
    }
    const [wrong] = Object.keys(mistakesIn(endpoint, values));
    setIsChecked(true);
    if (wrong !== undefined) {
      getPlatform().haptic('error');
      form.current?.querySelector<HTMLElement>(`[name="${wrong}"]`)?.focus();
      return;
    }
    place.showResponse();
    void execute(values);
  }

  const isElsewhere = useMainButton(
    place.endpoint && !isResponse
      ? {
          text: isExecuting ? texts.executing : texts.execute,
          isEnabled: !isExecuting,
          isBusy: isExecuting,
          press: submit,
        }
      : undefined,
  );
  useRunKeys(submit, isExecuting ? cancel : undefined);

  return (
    <div className={styles.panel} data-view={isResponse ? 'response' : 'form'}>
      <div className={styles.request}>
        <Link
          to={paths.api}
          className={styles.back}
          onClick={(event) => {
            // Going there would put a second list behind the form; a key asks for a tab or window of its own.
            if (place.isFromList && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
              event.preventDefault();
              place.leave();
            }
          }}
        >
          <MoveLeft aria-hidden size={18} />
          {texts.back}
        </Link>
        <EndpointHeader endpoint={endpoint} values={values} />
        <RequestForm
          ref={form}
          endpoint={endpoint}
          values={values}
          mistakes={mistakes}
          isExecuting={isExecuting}
          isElsewhere={isElsewhere}
          onSubmit={submit}
          onCancel={cancel}
        />
        {current.state !== 'idle' && (
          <Button className={styles.toResponse} onClick={place.showResponse}>
            {texts.showAnswer}
          </Button>
        )}
      </div>
      <ResponsePanel endpoint={endpoint} current={current} onCancel={cancel} place={place} />
      <SnippetPanel endpoint={endpoint} values={values} />
    </div>
  );
}

/** Ctrl or ⌘ with Enter runs, wherever on the page one is, and Esc cancels what runs. */
function useRunKeys(submit: () => void, cancel: (() => void) | undefined): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isAsked = document.querySelector('dialog[open]') !== null;
    if (isAsked) {
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && cancel) {
      event.preventDefault();
      cancel();
    }
  });
  useEffect(() => {
    const hear = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', hear);
    return () => document.removeEventListener('keydown', hear);
  }, []);
}
