/** Which topics of which chats have been chosen to copy to. */
import { useReducer } from 'react';

import { type Targets } from './plan.ts';

type Choice = {
  readonly chatId: string;
  readonly topicIds: readonly string[];
  readonly isChosen: boolean;
};

const nothing: Targets = new Map();

export function useTargets(): {
  readonly targets: Targets;
  readonly count: number;
  readonly choose: (choice: Choice) => void;
} {
  const [targets, choose] = useReducer(chosen, nothing);
  const count = [...targets.values()].reduce((sum, topics) => sum + topics.size, 0);
  return { targets, count, choose };
}

function chosen(targets: Targets, { chatId, topicIds, isChosen }: Choice): Targets {
  const topics = new Set(targets.get(chatId));
  for (const id of topicIds) {
    if (isChosen) {
      topics.add(id);
    } else {
      topics.delete(id);
    }
  }
  const others = [...targets].filter(([id]) => id !== chatId);
  return new Map(topics.size === 0 ? others : [...others, [chatId, topics]]);
}
