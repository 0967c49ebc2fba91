/** Copies a topic's settings to other topics and chats: chooses them, shows what will change, applies it. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { type Change } from '#contract/endpoints/chat-changes';
import { chatValues } from '#contract/endpoints/chat-values';
import { type Chat, type Settings } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useFocusKept } from '#lib/focus';
import { getPlatform } from '#lib/platform';
import { useAction } from '#lib/use-action';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Notice } from '#ui/notice';

import { chatQueries, mapSettings, partKey } from '../queries.ts';
import { settingKey, settingWrites } from '../setting-writes.ts';
import { applyChange, countChanged, offerUndo } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { applyValues } from '../value-changes.ts';
import { valueQuery } from '../value-writes.ts';
import { Box, ChooseTargets, useTargets } from './choose-targets.tsx';
import { type Extras, planValues, toValues } from './plan-values.ts';
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

const noExtras: Extras = { ofChat: false, ofTopic: false };

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
  const [extras, setExtras] = useState(noExtras);
  const copy = useCopy({ chat, topicId, topic: title, targets, extras, onDone: onClose });
  const hasValues = useCapabilities().has(chatValues) === true;
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
        <>
          <ChooseTargets chat={chat} topicId={topicId} targets={targets} onChoose={choose} />
          {hasValues && <ChooseExtras topic={title} extras={extras} onChange={setExtras} />}
        </>
      )}
    </Dialog>
  );
}

type ChooseExtrasProps = {
  readonly topic: string;
  readonly extras: Extras;
  readonly onChange: (extras: Extras) => void;
};

function ChooseExtras({ topic, extras, onChange }: ChooseExtrasProps) {
  const { ofChat, ofTopic } = extras;
  const boxes = [
    { text: texts.choose.ofChat, hint: texts.choose.ofChatHint, isOn: ofChat, name: 'ofChat' },
    { text: texts.choose.ofTopic(topic), isOn: ofTopic, name: 'ofTopic' },
  ];
  return (
    <fieldset className={styles.extras} aria-label={texts.choose.extras}>
      {boxes.map(({ text, hint, isOn, name }) => (
        <Box
          key={name}
          text={text}
          label={text}
          hint={hint}
          state={isOn ? 'on' : 'off'}
          onChange={(isChosen) => onChange({ ...extras, [name]: isChosen })}
        />
      ))}
    </fieldset>
  );
}

type CopyOptions = {
  readonly chat: Chat;
  readonly topicId: string;
  /** The topic's title. */
  readonly topic: string;
  readonly targets: Targets;
  readonly extras: Extras;
  /** Called when all was copied. */
  readonly onDone: () => void;
};

/** Reads the chosen chats, computes the plans, and applies them chat by chat. */
function useCopy({ chat, topicId, topic, targets, extras, onDone }: CopyOptions) {
  const client = useQueryClient();
  const [plans, setPlans] = useState<readonly ChatPlan[]>();
  const [outcomes, setOutcomes] = useState(noOutcomes);
  const [error, setError] = useState<string>();

  const preparing = useAction(async (signal) => {
    setError(undefined);
    setOutcomes(noOutcomes);
    try {
      if (extras.ofChat || extras.ofTopic) {
        await readValuesNow(client, [chat.chat_id, ...targets.keys()]);
      }
      const read = await Promise.all(
        [...targets].map(async ([chatId, topics]) => {
          const query = { ...chatQueries.one(chatId), staleTime: freshMs, retry: false };
          const target = withPending(client, await client.fetchQuery(query));
          const values = planValues(client, {
            source: { chatId: chat.chat_id, topicId },
            target: { chatId, topics },
            extras,
          });
          return planCopy(target, topics, { settings: source(), values });
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
    const done = results.flatMap(({ chatId, changes }) =>
      changes.map((change) => ({ chatId, change })),
    );
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
  /** What the server has recorded, also when the rest has failed. */
  readonly changes: readonly Change[];
};

async function copyTo(client: QueryClient, plan: ChatPlan): Promise<Result> {
  const { chatId } = plan;
  const topics = Object.fromEntries(
    plan.topics.map(({ topicId, differences }) => [
      topicId,
      Object.fromEntries(differences.map(({ name, becomes }) => [name, becomes])),
    ]),
  );
  const changes: Change[] = [];
  const add = (change: Change | null) => {
    if (change) {
      changes.push(change);
    }
  };
  try {
    if (plan.topics.length > 0) {
      add(await applyChange(client, { chatId, kind: 'copy', topics }));
    }
    if (plan.values.length > 0) {
      add(await applyValues(client, { chatId, kind: 'copy', values: toValues(plan.values) }));
      // Contents that are copied to another chat are its own, with other IDs.
      void client.invalidateQueries({ queryKey: partKey('values', chatId) });
    }
    const count = changes.reduce((sum, change) => sum + countChanged(change), 0);
    return { chatId, outcome: { state: 'done', count }, changes };
  } catch (error) {
    const reason = errorText(error, texts.preview.failed);
    return { chatId, outcome: { state: 'failed', reason }, changes };
  }
}

/** Reads the values of the chats, unless they were read a moment ago. */
async function readValuesNow(client: QueryClient, chatIds: readonly string[]): Promise<void> {
  await Promise.all(
    [...new Set(chatIds)].map((chatId) =>
      client.fetchQuery({ ...valueQuery(chatId), staleTime: freshMs, retry: false }),
    ),
  );
}

/** The chat with the values that are pending. */
function withPending(client: QueryClient, chat: Chat): Chat {
  const { getPending } = settingWrites(client, chat.chat_id);
  return mapSettings(
    chat,
    (topicId, name, value) => getPending(settingKey({ topicId, name })) ?? value,
  );
}
