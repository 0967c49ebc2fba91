/** The dashboard. Its step is in the address, so that Back, a reload and a link keep the place. */
import { LogOut, UserRound } from 'lucide-react';
import {
  type ComponentType,
  createElement,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useState,
} from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import * as v from 'valibot';

import { chatId, topicId } from '#contract/endpoints/endpoint';
import { brand } from '#lib/brand';
import { useCapabilities } from '#lib/capabilities';
import { askToLogout } from '#lib/logout';
import { type ChatSection, chatSections, paths } from '#lib/paths';
import { type ScreenProps } from '#lib/route';
import { useUndoKey } from '#lib/undo';
import { Button, ButtonLink } from '#ui/button';
import { Page } from '#ui/page';
import { Skeleton } from '#ui/skeleton';

import { AddStep } from './add-step.tsx';
import { ListStep } from './list-step.tsx';
import { PresetsStep } from './presets-step.tsx';
import { SettingsStep } from './settings/settings-step.tsx';
import { chatTexts } from './texts.ts';
import { VerifyStep } from './verify-step.tsx';

import styles from './chats.module.css';

export { readAhead } from './queries.ts';

/** Few users open the history or the numbers, so they are loaded on demand. */
const HistoryStep = lazy(() =>
  import('./history/history-step.tsx').then(({ HistoryStep: step }) => ({ default: step })),
);

const NumbersStep = lazy(() =>
  import('./numbers/numbers-step.tsx').then(({ NumbersStep: step }) => ({ default: step })),
);

type Step =
  | { readonly name: 'list' }
  | { readonly name: 'add' }
  | { readonly name: 'verify'; readonly chatId: string }
  | { readonly name: 'history'; readonly chatId: string }
  | { readonly name: 'numbers'; readonly chatId: string }
  | { readonly name: 'presets'; readonly chatId: string }
  | {
      readonly name: 'settings';
      readonly chatId: string;
      readonly topicId: string | undefined;
      readonly section: ChatSection;
    };

export function ChatsScreen({ loadSlot }: ScreenProps) {
  const [search] = useSearchParams();
  const { key } = useLocation();
  const [firstKey] = useState(key);
  useUndoKey();

  const step = readStep(search);
  // A chat has a bar of its own.
  const isInChat = step.name === 'settings' || step.name === 'history' || step.name === 'numbers';

  return (
    <Page className={styles.screen}>
      {isInChat ? (
        <h1 tabIndex={-1} className="visually-hidden">
          {chatTexts.heading(brand.name)}
        </h1>
      ) : (
        <header className={styles.header}>
          <h1 tabIndex={-1}>{chatTexts.heading(brand.name)}</h1>
          <div className={styles.links}>
            <AccountLink />
            <Button
              kind="quiet"
              className={styles.logout}
              icon={<LogOut aria-hidden size={18} />}
              onClick={askToLogout}
            >
              {chatTexts.logout}
            </Button>
          </div>
        </header>
      )}
      <CurrentStep step={step} hasMoved={key !== firstKey} below={<Slot load={loadSlot} />} />
    </Page>
  );
}

/** Its place is kept, so that the button beside it does not move when the server has responded. */
function AccountLink() {
  const isOffered = useCapabilities().has('auth.sessions') === true;
  return (
    <div className={styles.account}>
      {isOffered && (
        <ButtonLink
          kind="quiet"
          className={styles.accountLink}
          icon={<UserRound aria-hidden size={18} />}
          to={paths.account}
        >
          <span className={styles.accountText}>{chatTexts.account}</span>
        </ButtonLink>
      )}
    </div>
  );
}

/** The part of another feature below the chats. If it cannot be loaded, the next visit tries again. */
function Slot({ load }: { readonly load: ScreenProps['loadSlot'] }) {
  const [part, setPart] = useState<{ readonly type: ComponentType }>();

  useEffect(() => {
    let isMounted = true;
    load?.().then(
      (type) => isMounted && setPart({ type }),
      () => undefined,
    );
    return () => {
      isMounted = false;
    };
  }, [load]);

  return part ? createElement(part.type) : null;
}

type CurrentStepProps = {
  readonly step: Step;
  readonly hasMoved: boolean;
  /** Shown below the list of chats. */
  readonly below: ReactNode;
};

function CurrentStep({ step, hasMoved, below }: CurrentStepProps) {
  if (step.name === 'settings') {
    const { name: _name, ...place } = step;
    return <SettingsStep key={place.chatId} {...place} hasMoved={hasMoved} />;
  }
  if (step.name === 'history') {
    return (
      <Suspense fallback={<Skeleton shape="sections" label={chatTexts.settings.loadingChanges} />}>
        <HistoryStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />
      </Suspense>
    );
  }
  if (step.name === 'numbers') {
    return (
      <Suspense fallback={<Skeleton shape="sections" label={chatTexts.settings.loadingNumbers} />}>
        <NumbersStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />
      </Suspense>
    );
  }
  if (step.name === 'presets') {
    return <PresetsStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />;
  }
  if (step.name === 'verify') {
    return <VerifyStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />;
  }
  return step.name === 'add' ? (
    <AddStep hasMoved={hasMoved} below={below} />
  ) : (
    <ListStep hasMoved={hasMoved} below={below} />
  );
}

/** An address that cannot be read leads to the list. */
function readStep(search: URLSearchParams): Step {
  const verified = v.safeParse(chatId, search.get('verify'));
  const opened = v.safeParse(chatId, search.get('chat'));
  const topic = v.safeParse(topicId, search.get('topic'));
  if (opened.success && search.get('view') === 'history') {
    return { name: 'history', chatId: opened.output };
  }
  if (opened.success && search.get('view') === 'numbers') {
    return { name: 'numbers', chatId: opened.output };
  }
  if (opened.success && search.get('view') === 'presets') {
    return { name: 'presets', chatId: opened.output };
  }
  if (opened.success) {
    return {
      name: 'settings',
      chatId: opened.output,
      topicId: topic.success ? topic.output : undefined,
      section: chatSections.find((name) => name === search.get('section')) ?? 'locks',
    };
  }
  if (verified.success) {
    return { name: 'verify', chatId: verified.output };
  }
  return { name: search.get('step') === 'add' ? 'add' : 'list' };
}
