/** Adds a topic to a chat and goes there, or knows why not. */
import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';

import { type Chat } from '#contract/endpoints/chats';
import { ApiError, errorText } from '#lib/api';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';

import { useLostChat } from '../failed-writes.ts';
import { createTopic, isNotManaged } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { useAction } from '../use-action.ts';

/** Where the person has said which topic, and where the answer belongs. */
type From = 'list' | 'field';
type Request = { readonly topicId: string; readonly from: From };

type On = {
  /** Before the person is taken to the topic. */
  readonly onAdded: () => void;
  readonly onRefused: (from: From) => void;
};

export function useAddingTopic(chat: Chat, { onAdded, onRefused }: On) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const request = useRef<Request>({ topicId: '', from: 'field' });
  const [adding, setAdding] = useState<Request>();
  const [problem, setProblem] = useState<{ readonly from: From; readonly text: string }>();

  function refuse(from: From, text: string): void {
    setProblem({ from, text });
    getPlatform().haptic('error');
    onRefused(from);
  }

  const { isBusy, run } = useAction(async (signal) => {
    const { topicId, from } = request.current;
    setProblem(undefined);
    setAdding(request.current);
    try {
      await createTopic(client, { chatId: chat.chat_id, topicId }, signal);
      if (!signal.aborted) {
        onAdded();
        void navigate(dashboardPaths.chat(chat.chat_id, topicId), { replace: true });
      }
    } catch (failure) {
      if (signal.aborted) {
        return;
      }
      if (failure instanceof ApiError && failure.status === 403 && isNotManaged(failure)) {
        useLostChat.setState({ chatId: chat.chat_id });
      } else {
        refuse(from, errorText(failure, chatTexts.addTopic.failed));
      }
    }
  });

  return {
    /** What is being added right now. */
    adding: isBusy ? adding : undefined,
    problem,
    refuse,
    forgive: () => setProblem(undefined),
    add: (topicId: string, from: From) => {
      request.current = { topicId, from };
      run();
    },
  };
}
