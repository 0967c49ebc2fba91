/** The dashboard. Its step is in the address, so that Back, a reload and a link keep the place. */
import { LogOut } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import * as v from 'valibot';

import { chatId, topicId } from '#contract/endpoints/endpoint';
import { brand } from '#lib/brand';
import { askToLogout } from '#lib/logout';
import { useUndoKey } from '#lib/undo';
import { Button } from '#ui/button';
import { Page } from '#ui/page';
import { Skeleton } from '#ui/skeleton';

import { AccountLink } from './account-link.tsx';
import { AddStep } from './add-step.tsx';
import { ListStep } from './list-step.tsx';
import { SettingsStep } from './settings/settings-step.tsx';
import { chatTexts } from './texts.ts';
import { VerifyStep } from './verify-step.tsx';

import styles from './chats.module.css';

/** Few people look back: what they then see is loaded when they do. */
const HistoryStep = lazy(() =>
  import('./history/history-step.tsx').then(({ HistoryStep: step }) => ({ default: step })),
);

export { showBelow } from './below-chats.tsx';

type Step =
  | { readonly name: 'list' }
  | { readonly name: 'add' }
  | { readonly name: 'verify'; readonly chatId: string }
  | { readonly name: 'history'; readonly chatId: string }
  | { readonly name: 'settings'; readonly chatId: string; readonly topicId: string | undefined };

export function ChatsScreen() {
  const [search] = useSearchParams();
  const { key } = useLocation();
  const [firstKey] = useState(key);
  useUndoKey();

  return (
    <Page className={styles.screen}>
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
      <CurrentStep step={readStep(search)} hasMoved={key !== firstKey} />
    </Page>
  );
}

function CurrentStep({ step, hasMoved }: { readonly step: Step; readonly hasMoved: boolean }) {
  if (step.name === 'settings') {
    const { chatId: id, topicId: topic } = step;
    return <SettingsStep key={id} chatId={id} topicId={topic} hasMoved={hasMoved} />;
  }
  if (step.name === 'history') {
    return (
      <Suspense fallback={<Skeleton shape="sections" label={chatTexts.settings.loadingChanges} />}>
        <HistoryStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />
      </Suspense>
    );
  }
  if (step.name === 'verify') {
    return <VerifyStep key={step.chatId} chatId={step.chatId} hasMoved={hasMoved} />;
  }
  return step.name === 'add' ? <AddStep hasMoved={hasMoved} /> : <ListStep hasMoved={hasMoved} />;
}

/** Whatever the address says that makes no sense leads to the list. */
function readStep(search: URLSearchParams): Step {
  const verified = v.safeParse(chatId, search.get('verify'));
  const opened = v.safeParse(chatId, search.get('chat'));
  const topic = v.safeParse(topicId, search.get('topic'));
  if (opened.success && search.get('view') === 'history') {
    return { name: 'history', chatId: opened.output };
  }
  if (opened.success) {
    return {
      name: 'settings',
      chatId: opened.output,
      topicId: topic.success ? topic.output : undefined,
    };
  }
  if (verified.success) {
    return { name: 'verify', chatId: verified.output };
  }
  return { name: search.get('step') === 'add' ? 'add' : 'list' };
}
