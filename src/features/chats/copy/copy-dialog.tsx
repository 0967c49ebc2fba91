/** Copies a topic's settings to other topics and chats: chooses them, shows what will change, applies it. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat, type Settings } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { useFocusKept } from '#lib/focus';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Notice } from '#ui/notice';

import { chatQueries, mapSettings } from '../queries.ts';
import { settingKey, settingWrites } from '../setting-writes.ts';
import { applyChange, offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { ChooseTargets, useTargets } from './choose-targets.tsx';
import {
  type ChatPlan,
  countDifferences,
  type Outcome,
  planCopy,
  Preview,
  type Targets,
} from './preview.tsx';
import { copyTexts as texts } from './texts.ts';

import styles from './copy.module.css';

/** Before the preview, a chat that was read this recently is not read again. */
const freshMs = 5000;

const noOutcomes: ReadonlyMap<string, Outcome> = new Map();

type CopyDialogProps = {
  readonly chatId: string;
  readonly topicId: string;
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
  const copy = useCopy({ chat, topicId, topic: title, targets, onDone: onClose });
  const { plans, outcomes } = copy;
  const toChange = countDifferences(plans ?? []);
  const summary = useRef<HTMLOutputElement>(null);
  // The pressed button is removed or disabled when the next step is shown.
  useFocusKept(summary, plans);
  useFocusKept(summary, copy.isApplying);
  const hasFailed = [...outcomes.values()].some(({ state }) => state === 'failed');

  return (
    <Dialog
      title={texts.heading(title)}
      isOpen
      onClose={onClose}
      actions={
        plans ? (
          <>
            {/* After a copy that has partly succeeded the targets cannot be chosen again. */}
            <Button kind="quiet" onClick={hasFailed ? onClose : copy.back}>
              {hasFailed ? texts.close : texts.back}
            </Button>
            <Button
              kind="primary"
              disabled={toChange === 0}
              isBusy={copy.isApplying}
              onClick={copy.apply}
            >
              {hasFailed ? chatTexts.retry : texts.preview.apply(toChange)}
            </Button>
          </>
        ) : (
          <>
            <output ref={summary} tabIndex={-1} className={styles.count}>
              {count === 0 ? texts.choose.noneChosen : texts.choose.chosen(count)}
            </output>
            <Button kind="quiet" onClick={onClose}>
              {chatTexts.cancel}
            </Button>
            <Button
              kind="primary"
              disabled={count === 0}
              isBusy={copy.isPreparing}
              onClick={copy.prepare}
            >
              {texts.choose.next}
            </Button>
          </>
        )
      }
    >
      {copy.error !== undefined && <Notice tone="error">{copy.error}</Notice>}
      {hasFailed && !copy.isApplying && <Notice tone="error">{texts.preview.someFailed}</Notice>}
      {plans ? (
        <Preview summary={summary} plans={plans} outcomes={outcomes} />
      ) : (
        <ChooseTargets chat={chat} topicId={topicId} targets={targets} onChoose={choose} />
      )}
    </Dialog>
  );
}

type CopyOptions = {
  readonly chat: Chat;
  readonly topicId: string;
  /** The topic's title. */
  readonly topic: string;
  readonly targets: Targets;
  /** Called when all was copied. */
  readonly onDone: () => void;
};

/** Reads the chosen chats, computes the plans, and applies them chat by chat. */
function useCopy({ chat, topicId, topic, targets, onDone }: CopyOptions) {
  const client = useQueryClient();
  const [plans, setPlans] = useState<readonly ChatPlan[]>();
  const [outcomes, setOutcomes] = useState(noOutcomes);
  const [error, setError] = useState<string>();

  const preparing = useAction(async (signal) => {
    setError(undefined);
    setOutcomes(noOutcomes);
    try {
      const read = await Promise.all(
        [...targets].map(async ([chatId, chosen]) => {
          const query = { ...chatQueries.one(chatId), staleTime: freshMs, retry: false };
          return planCopy(withPending(client, await client.fetchQuery(query)), chosen, source());
        }),
      );
      if (!signal.aborted) {
        setPlans(read);
      }
    } catch (failure) {
      if (!signal.aborted) {
        setError(errorText(failure, texts.choose.readFailed));
        getPlatform().haptic('error');
      }
    }
  });

  /** The topic's settings as they are shown. */
  function source(): Settings {
    return (
      withPending(client, client.getQueryData(chatQueries.one(chat.chat_id).queryKey) ?? chat)
        .topics[topicId] ?? {}
    );
  }

  const applying = useAction(async (signal) => {
    const left = (plans ?? []).filter(
      (plan) => countDifferences([plan]) > 0 && outcomes.get(plan.chatId)?.state !== 'done',
    );
    getPlatform().haptic('medium');
    const results = await Promise.all(left.map((plan) => copyTo(client, plan)));
    const done = results.flatMap(({ chatId, change }) => (change ? [{ chatId, change }] : []));
    if (done.length > 0) {
      // The user may have left the dialog; the notice is shown on any screen.
      offerUndo(client, done, (count) => texts.copied(topic, count));
    }
    if (signal.aborted) {
      return;
    }
    const now = new Map([
      ...outcomes,
      ...results.map(({ chatId, outcome }) => [chatId, outcome] as const),
    ]);
    setOutcomes(now);
    if ([...now.values()].every(({ state }) => state === 'done')) {
      onDone();
    } else {
      getPlatform().haptic('error');
    }
  });

  return {
    /** Undefined before the preview. */
    plans,
    outcomes,
    /** Why the preview failed. */
    error,
    isPreparing: preparing.isBusy,
    prepare: preparing.run,
    isApplying: applying.isBusy,
    apply: applying.run,
    back: () => setPlans(undefined),
  };
}

type Result = {
  readonly chatId: string;
  readonly outcome: Outcome;
  readonly change?: Change | null;
};

async function copyTo(client: QueryClient, plan: ChatPlan): Promise<Result> {
  const { chatId } = plan;
  const topics = Object.fromEntries(
    plan.topics.map(({ topicId, differences }) => [
      topicId,
      Object.fromEntries(differences.map(({ name, becomes }) => [name, becomes])),
    ]),
  );
  try {
    const change = await applyChange(client, { chatId, kind: 'copy', topics });
    return { chatId, outcome: { state: 'done', count: change?.items.length ?? 0 }, change };
  } catch (error) {
    return { chatId, outcome: { state: 'failed', reason: errorText(error, texts.preview.failed) } };
  }
}

/** The chat with the values that are pending. */
function withPending(client: QueryClient, chat: Chat): Chat {
  const { getPending } = settingWrites(client, chat.chat_id);
  return mapSettings(
    chat,
    (topicId, name, value) => getPending(settingKey({ topicId, name })) ?? value,
  );
}
