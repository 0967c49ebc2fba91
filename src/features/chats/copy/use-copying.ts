/** Reads the chosen chats, works out what will change, and changes it chat by chat. */
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { type Change } from '#contract/endpoints/chat-changes';
import { type Chat, type Settings } from '#contract/endpoints/chats';
import { errorText } from '#lib/api';
import { getPlatform } from '#lib/platform';

import { chatQueries, keyOfSetting, settingWrites } from '../queries.ts';
import { applyChange } from '../settings/bulk-change.ts';
import { offerUndo } from '../settings/take-back.ts';
import { useAction } from '../use-action.ts';
import { type ChatPlan, countOf, planFor, type Targets, toSettings } from './plan.ts';
import { type Outcome } from './preview.tsx';
import { copyTexts } from './texts.ts';

/** What was read so recently needs no second look before the preview, in ms. */
const freshMs = 5000;

const noOutcomes: ReadonlyMap<string, Outcome> = new Map();

type Copying = {
  readonly chat: Chat;
  readonly topicId: string;
  /** What the topic is called. */
  readonly topic: string;
  readonly targets: Targets;
  /** All of it went well. */
  readonly onDone: () => void;
};

export function useCopying({ chat, topicId, topic, targets, onDone }: Copying) {
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
          return planFor(asShown(client, await client.fetchQuery(query)), chosen, source());
        }),
      );
      if (!signal.aborted) {
        setPlans(read);
      }
    } catch (failure) {
      if (!signal.aborted) {
        setError(errorText(failure, copyTexts.choose.readFailed));
        getPlatform().haptic('error');
      }
    }
  });

  /** The topic's settings as the person sees them. */
  function source(): Settings {
    return (
      asShown(client, client.getQueryData(chatQueries.one(chat.chat_id).queryKey) ?? chat).topics[
        topicId
      ] ?? {}
    );
  }

  const applying = useAction(async (signal) => {
    const left = (plans ?? []).filter(
      (plan) => countOf(plan) > 0 && outcomes.get(plan.chatId)?.state !== 'done',
    );
    getPlatform().haptic('medium');
    const results = await Promise.all(left.map((plan) => copyTo(client, plan)));
    const done = results.flatMap(({ chatId, change }) => (change ? [{ chatId, change }] : []));
    if (done.length > 0) {
      // On whatever screen the person is by now.
      offerUndo(client, done, (count) => copyTexts.copied(topic, count));
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
    /** What will change; undefined before the preview. */
    plans,
    outcomes,
    /** Why there is no preview. */
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
  try {
    const change = await applyChange(client, { chatId, kind: 'copy', topics: toSettings(plan) });
    return { chatId, outcome: { state: 'done', count: change?.items.length ?? 0 }, change };
  } catch (error) {
    return {
      chatId,
      outcome: { state: 'failed', reason: errorText(error, copyTexts.preview.failed) },
    };
  }
}

/** The chat with what is wished in it and not settled yet. */
function asShown(client: QueryClient, chat: Chat): Chat {
  const { getPending } = settingWrites(client, chat.chat_id);
  const topics = Object.entries(chat.topics).map(([topicId, settings]) => {
    const shown = Object.entries(settings).map(
      ([name, value]) => [name, getPending(keyOfSetting({ topicId, name })) ?? value] as const,
    );
    return [topicId, Object.fromEntries(shown)] as const;
  });
  return { ...chat, topics: Object.fromEntries(topics) };
}
