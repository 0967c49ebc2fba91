/** How a generator is laid out: the form, its button, and the result beside, above or below them. */
import {
  type ComponentProps,
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
} from 'react';
import { flushSync } from 'react-dom';

import { useFloatingBar } from '#lib/floating-bar';
import { useMainButton } from '#lib/main-button';
import { Button } from '#ui/button';
import { Card } from '#ui/card';
import { useColumns } from '#ui/masonry';

import { ResultPanel, useHasOutcome } from './result-panel.tsx';
import { type Submission } from './submission.ts';

import styles from './generator-layout.module.css';

type TwoColumnLayoutProps = {
  /** Scrolled to when a past picture is used again. */
  readonly formRef: RefObject<HTMLDivElement | null>;
  readonly form: ReactNode;
  readonly submission: Submission;
  /** What the result says and shows. */
  readonly result: Omit<ComponentProps<typeof ResultPanel>, 'ref' | 'submission'>;
  /** Below the result. */
  readonly children?: ReactNode;
};

const columns = { otherwise: 2, below: { 1025: 1 } } as const;

/** In a single column the result is above the form as soon as there is one, and below it before. */
export function TwoColumnLayout(props: TwoColumnLayoutProps) {
  const { formRef, form, submission, children } = props;
  const hasOutcome = useHasOutcome(submission);
  const isAbove = useColumns(columns) === 1 && hasOutcome;
  const above = useRef<HTMLDivElement>(null);
  const result = useRef<HTMLElement>(null);
  const showResult = useFormInPlace(formRef, above, result);
  const hadFocus = useRef(false);

  useLayoutEffect(() => {
    // The result was rendered again in another place, and has lost the focus.
    if (hadFocus.current) {
      hadFocus.current = false;
      result.current?.focus({ preventScroll: true });
    }
  });

  const noticeFocus = useCallback(
    (element: HTMLElement | null) => () => {
      hadFocus.current = element?.contains(document.activeElement) ?? false;
    },
    [],
  );
  const place = (
    <div ref={noticeFocus}>
      <ResultPanel ref={result} submission={submission} {...props.result} />
    </div>
  );

  return (
    <div className={styles.columns}>
      <div ref={above} className={styles.column}>
        {isAbove && place}
      </div>
      <div ref={formRef} className={styles.column}>
        <ShowResultContext value={showResult}>{form}</ShowResultContext>
      </div>
      <div className={styles.column}>
        {!isAbove && place}
        {children}
      </div>
    </div>
  );
}

/** Makes a change without moving the form on the screen, and then scrolls to the result. */
type ShowResult = (change: () => void) => void;

const ShowResultContext = createContext<ShowResult>((change) => change());

/** Keeps the form where it is on the screen when what is above it grows or shrinks while it is used. */
function useFormInPlace(
  form: RefObject<HTMLElement | null>,
  above: RefObject<HTMLElement | null>,
  result: RefObject<HTMLElement | null>,
): ShowResult {
  const lastTop = useRef(0);

  useEffect(() => {
    const element = form.current;
    const container = above.current;
    if (!element || !container) {
      return undefined;
    }
    lastTop.current = element.offsetTop;
    const observer = new ResizeObserver(() => {
      const move = element.offsetTop - lastTop.current;
      lastTop.current = element.offsetTop;
      if (move !== 0 && (isTypedIn(element, move) || isScrolledAway(container, move))) {
        window.scrollBy({ top: move, behavior: 'instant' });
      }
    });
    observer.observe(container);
    return () => observer.disconnect();
  }, [form, above]);

  return (change) => {
    const before = form.current?.offsetTop ?? 0;
    flushSync(change);
    lastTop.current = form.current?.offsetTop ?? 0;
    if (lastTop.current !== before) {
      window.scrollBy({ top: lastTop.current - before, behavior: 'instant' });
    }
    const isReduced = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    result.current?.scrollIntoView({ block: 'nearest', behavior: isReduced ? 'auto' : 'smooth' });
  };
}

/** Whether the user types in a field that was in view before the form has moved. */
function isTypedIn(form: HTMLElement, move: number): boolean {
  const field = form.contains(document.activeElement)
    ? document.activeElement?.closest('input, textarea')
    : null;
  if (!field) {
    return false;
  }
  const { top, bottom } = field.getBoundingClientRect();
  return bottom - move > 0 && top - move < window.innerHeight;
}

/** Whether an element was above the window before its end has moved. */
function isScrolledAway(element: HTMLElement, move: number): boolean {
  return element.getBoundingClientRect().bottom - move < 0;
}

type GenerateFormProps = {
  readonly label: string;
  readonly submitText: string;
  readonly busyText: string;
  /** Whether the form can be submitted. */
  readonly isReady: boolean;
  readonly isBusy: boolean;
  readonly onGenerate: () => void;
  /** Says what is missing, if anything is. Called instead of `onGenerate` by keys, for which no button is disabled. */
  readonly onIncomplete: () => void;
  readonly children: ReactNode;
};

/** A form whose button is Telegram's main button, or sticks to the bottom of the window. */
export function GenerateForm(props: GenerateFormProps) {
  const { label, submitText, busyText, isReady, isBusy, onGenerate, onIncomplete } = props;
  const action = useRef<HTMLDivElement>(null);
  const showResult = use(ShowResultContext);

  const generate = () => {
    if (!isBusy) {
      showResult(isReady ? onGenerate : onIncomplete);
    }
  };

  const hasMainButton = useMainButton({
    text: isBusy ? busyText : submitText,
    isEnabled: isReady && !isBusy,
    isBusy,
    press: () => {
      // The container's button leaves the focus in the field, and the keyboard over the result.
      if (document.activeElement instanceof HTMLElement) {
        document.activeElement.blur();
      }
      generate();
    },
  });
  useFloatingBar(action, !hasMainButton);

  return (
    // Ctrl+Enter or Cmd+Enter generates from every field that does not handle it itself.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className={styles.form}
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        generate();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
          event.preventDefault();
          generate();
        }
      }}
    >
      {/* Has Enter submit the form, and say what is missing, while the visible button is disabled. */}
      <button type="submit" hidden>
        {submitText}
      </button>
      <Card>{props.children}</Card>
      {!hasMainButton && (
        <div ref={action} className={styles.action}>
          <Button kind="primary" isWide disabled={!isReady} isBusy={isBusy} onClick={generate}>
            {isBusy ? busyText : submitText}
          </Button>
        </div>
      )}
    </form>
  );
}
