/** The playground: the list of endpoints, and the form and response of one of them. */
import { ArrowLeft } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';

import { type PublicEndpoint, type Values } from '#contract/playground/public-endpoint';
import { useAgeOfVisit } from '#lib/age';
import { ageTexts } from '#lib/age-texts';
import { brand } from '#lib/brand';
import { useCopyText } from '#lib/copy-text';
import { useMainButton } from '#lib/main-button';
import { titles } from '#lib/page-texts';
import { paths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { ConfirmDialog } from '#ui/confirm-dialog';
import { CopyButton } from '#ui/copy-button';
import { Page, PageHeader } from '#ui/page';

import { AdultBadge, CallHistory, EndpointList, MethodBadge } from './endpoint-list.tsx';
import { type Place, twoPanes, usePlace, useViewScroll, type View } from './place.ts';
import { RequestForm } from './request-form.tsx';
import { findMistakes, listedEndpoints, toLink } from './request.ts';
import { ResponsePanel } from './response-panel.tsx';
import { useRun } from './run.ts';
import { useValues } from './store.ts';
import { texts } from './texts.ts';

import styles from './playground.module.css';
import requestStyles from './request.module.css';

/** The endpoint that a wide page shows first, because list and form are side by side. */
const firstEndpoint = listedEndpoints.find(({ is18plus }) => !is18plus);

export function ApiScreen() {
  const place = usePlace();
  const age = useAgeOfVisit();
  const list = useRef<HTMLDivElement>(null);
  useKeyDown((event) => {
    const { target, key } = event;
    const isTyping =
      target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
    if (key === '/' && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      list.current?.querySelector('input')?.focus();
    }
  });

  const asksAge = place.endpoint?.is18plus === true && !age.isConfirmed;
  const shown = asksAge ? undefined : (place.endpoint ?? firstEndpoint);
  const view = getView(place, asksAge);
  useTitle(view === 'list' ? undefined : place.endpoint?.name);
  useViewScroll(view, `${view} ${view === 'list' ? '' : place.endpoint?.id}`);

  return (
    <Page className={styles.screen} data-view={view === 'list' ? view : 'endpoint'}>
      <PageHeader heading={texts.heading} lead={texts.lead} className={styles.header} />
      <div ref={list} className={styles.side}>
        <EndpointList currentId={shown?.id} place={place} />
        <CallHistory origin={place.origin} />
      </div>
      {shown && <EndpointPanel key={shown.id} endpoint={shown} place={place} />}
      <ConfirmDialog
        isOpen={asksAge}
        texts={ageTexts}
        onCancel={place.leave}
        onConfirm={age.confirm}
      />
    </Page>
  );
}

function getView({ endpoint, isResponse }: Place, asksAge: boolean): View {
  if (!endpoint || asksAge) {
    return 'list';
  }
  return isResponse ? 'response' : 'form';
}

/** The title of an open endpoint begins with its name. */
function useTitle(name: string | undefined): void {
  useEffect(() => {
    if (name === undefined) {
      return undefined;
    }
    const title = `${titles.api} · ${brand.name}`;
    let isLeft = false;
    // The shell sets the title of the route in an effect of the same rendering, which runs after this one.
    queueMicrotask(() => {
      if (!isLeft) {
        document.title = `${name} · ${title}`;
      }
    });
    return () => {
      isLeft = true;
      document.title = title;
    };
  }, [name]);
}

/** Listens on the whole page. */
function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  const press = useEffectEvent(onKeyDown);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => press(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

type EndpointPanelProps = { readonly endpoint: PublicEndpoint; readonly place: Place };

function EndpointPanel({ endpoint, place }: EndpointPanelProps) {
  const values = useValues(endpoint);
  const { current, execute, cancel } = useRun(endpoint);
  const [isChecked, setIsChecked] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const mistakes = isChecked ? findMistakes(endpoint, values) : {};
  const isExecuting = current.state === 'executing';
  const isResponse = place.isResponse && current.state !== 'idle';
  const response = useRef<HTMLElement>(null);

  useEffect(() => {
    // In the other layouts the response is always in view; see the style sheet.
    if (
      (current.state === 'answered' || current.state === 'failed') &&
      window.matchMedia(twoPanes).matches
    ) {
      response.current?.scrollIntoView();
    }
  }, [current]);

  function submit(): void {
    if (isExecuting) {
      return;
    }
    const [wrongName] = Object.keys(findMistakes(endpoint, values));
    setIsChecked(true);
    if (wrongName !== undefined) {
      getPlatform().haptic('error');
      form.current?.querySelector<HTMLElement>(`[name="${wrongName}"]`)?.focus();
      return;
    }
    place.showResponse();
    void execute(values);
  }

  const hasMainButton = useMainButton(
    place.endpoint && !isResponse
      ? {
          text: isExecuting ? texts.executing : texts.execute,
          isEnabled: !isExecuting,
          isBusy: isExecuting,
          press: submit,
        }
      : undefined,
  );
  useKeyDown((event) => {
    if (document.querySelector('dialog[open]') !== null) {
      return;
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === 'Escape' && isExecuting) {
      event.preventDefault();
      cancel();
    }
  });

  return (
    <div className={styles.panel} data-view={isResponse ? 'response' : 'form'}>
      <div className={styles.request}>
        <EndpointHeader endpoint={endpoint} values={values} place={place} />
        <RequestForm
          ref={form}
          endpoint={endpoint}
          values={values}
          mistakes={mistakes}
          isExecuting={isExecuting}
          hasMainButton={hasMainButton}
          onSubmit={submit}
          onCancel={cancel}
          onShowAnswer={current.state === 'idle' ? undefined : place.showResponse}
        />
      </div>
      <ResponsePanel
        ref={response}
        endpoint={endpoint}
        current={current}
        onCancel={cancel}
        place={place}
      />
    </div>
  );
}

type EndpointHeaderProps = EndpointPanelProps & { readonly values: Values };

/** Name, method, path and description, the way back to the list, and a link with the values of the form. */
function EndpointHeader({ endpoint, values, place }: EndpointHeaderProps) {
  const copyText = useCopyText();
  const { name, method, path, description, is18plus } = endpoint;
  return (
    <header className={requestStyles.endpoint}>
      <div className={styles.bar}>
        <Link
          to={paths.api}
          className={styles.back}
          aria-label={texts.back}
          title={texts.back}
          onClick={(event) => {
            // A step back keeps the history short; a key asks for a new tab or window.
            if (place.isFromList && !(event.ctrlKey || event.metaKey || event.shiftKey)) {
              event.preventDefault();
              place.leave();
            }
          }}
        >
          <ArrowLeft aria-hidden size={22} />
        </Link>
        <h2 id="endpoint" tabIndex={-1}>
          {name} {is18plus && <AdultBadge />}
        </h2>
        <CopyButton
          label={texts.copyLink}
          copy={() => copyText(new URL(toLink(endpoint, values), window.location.origin).href)}
        />
      </div>
      <p className={requestStyles.path}>
        <MethodBadge method={method} />
        <code>{path}</code>
      </p>
      <p className={requestStyles.description}>{description}</p>
    </header>
  );
}
