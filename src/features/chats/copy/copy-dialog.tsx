/** Copies a topic's settings to other topics and chats: choosing them, seeing what will change, doing it. */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';

import { type Chat } from '#contract/endpoints/chats';
import { useFocusKept } from '#lib/focus';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Notice } from '#ui/notice';

import { chatQueries } from '../queries.ts';
import { ChooseTargets } from './choose-targets.tsx';
import { countOf } from './plan.ts';
import { Preview } from './preview.tsx';
import { copyTexts as texts } from './texts.ts';
import { useCopying } from './use-copying.ts';
import { useTargets } from './use-targets.ts';

import styles from './copy.module.css';

type CopyDialogProps = {
  readonly chatId: string;
  readonly topicId: string;
  /** What the topic is called. */
  readonly title: string;
  readonly onClose: () => void;
};

export function CopyDialog({ chatId, ...rest }: CopyDialogProps) {
  const { data: chat } = useQuery({ ...chatQueries.one(chatId), enabled: false });
  return chat ? <OpenCopyDialog chat={chat} {...rest} /> : null;
}

type OpenCopyDialogProps = Omit<CopyDialogProps, 'chatId'> & { readonly chat: Chat };

function OpenCopyDialog({ chat, topicId, title, onClose }: OpenCopyDialogProps) {
  const { targets, count, choose } = useTargets();
  const copying = useCopying({ chat, topicId, topic: title, targets, onDone: onClose });
  const { plans, outcomes } = copying;
  const toChange = (plans ?? []).reduce((sum, plan) => sum + countOf(plan), 0);
  const summary = useRef<HTMLOutputElement>(null);
  // What was pressed is gone, or waits, when the other half is there.
  useFocusKept(summary, plans);
  useFocusKept(summary, copying.isApplying);
  const hasFailed = [...outcomes.values()].some(({ state }) => state === 'failed');

  return (
    <Dialog
      title={texts.heading(title)}
      isOpen
      onClose={onClose}
      actions={
        plans ? (
          <>
            {/* What is done cannot be chosen again. */}
            <Button kind="quiet" onClick={hasFailed ? onClose : copying.back}>
              {hasFailed ? texts.close : texts.back}
            </Button>
            <Button
              kind="primary"
              disabled={toChange === 0}
              isBusy={copying.isApplying}
              onClick={copying.apply}
            >
              {hasFailed ? texts.retry : texts.preview.apply(toChange)}
            </Button>
          </>
        ) : (
          <>
            <output ref={summary} tabIndex={-1} className={styles.count}>
              {texts.choose.chosen(count)}
            </output>
            <Button kind="quiet" onClick={onClose}>
              {texts.cancel}
            </Button>
            <Button
              kind="primary"
              disabled={count === 0}
              isBusy={copying.isPreparing}
              onClick={copying.prepare}
            >
              {texts.choose.next}
            </Button>
          </>
        )
      }
    >
      {copying.error !== undefined && <Notice tone="error">{copying.error}</Notice>}
      {hasFailed && !copying.isApplying && <Notice tone="error">{texts.preview.someFailed}</Notice>}
      {plans ? (
        <Preview summary={summary} plans={plans} outcomes={outcomes} />
      ) : (
        <ChooseTargets chat={chat} topicId={topicId} targets={targets} onChoose={choose} />
      )}
    </Dialog>
  );
}
