/** Asks for the number of a topic and adds it to the chat. */
import { useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { type Chat } from '#contract/endpoints/chats';
import { topicId } from '#contract/endpoints/endpoint';
import { ApiError, reasonOf } from '#lib/api';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Field } from '#ui/field';

import { useLostChat } from '../failed-writes.ts';
import { createTopic, isNotManaged } from '../queries.ts';
import { chatTexts } from '../texts.ts';
import { useAction } from '../use-action.ts';
import { topicTitle } from './topic-title.ts';

const texts = chatTexts.addTopic;

type AddTopicDialogProps = {
  readonly chat: Chat;
  /** The number that the field begins with. */
  readonly suggested: string;
  readonly onClose: () => void;
};

export function AddTopicDialog({ chat, suggested, onClose }: AddTopicDialogProps) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(suggested);
  const [error, setError] = useState<string>();

  function refuse(message: string): void {
    setError(message);
    getPlatform().haptic('error');
    field.current?.focus();
  }

  const { isBusy, run } = useAction(async (signal) => {
    const problem = problemWith(typed, chat);
    if (problem !== undefined) {
      refuse(problem);
      return;
    }
    const id = typed.trim();
    try {
      await createTopic(client, { chatId: chat.chat_id, topicId: id }, signal);
      if (!signal.aborted) {
        onClose();
        void navigate(dashboardPaths.chat(chat.chat_id, id), { replace: true });
      }
    } catch (failure) {
      if (signal.aborted) {
        return;
      }
      if (failure instanceof ApiError && failure.status === 403 && isNotManaged(failure)) {
        useLostChat.setState({ chatId: chat.chat_id });
      } else {
        refuse(reasonOf(failure, texts.failed));
      }
    }
  });

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    run();
  }

  return (
    <Dialog
      title={texts.heading}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button kind="quiet" onClick={onClose}>
            {texts.cancel}
          </Button>
          <Button kind="primary" type="submit" form={formId} isBusy={isBusy}>
            {texts.submit}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={submit}>
        <Field
          ref={field}
          label={texts.field}
          hint={texts.hint}
          error={error}
          value={typed}
          inputMode="numeric"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- The dialog is there for this one field.
          autoFocus
          onChange={(event) => {
            setTyped(event.target.value);
            setError(undefined);
          }}
        />
      </form>
    </Dialog>
  );
}

/** Why the number cannot be added; undefined when it can. */
function problemWith(typed: string, chat: Chat): string | undefined {
  const id = typed.trim();
  if (id === '') {
    return texts.missing;
  }
  const checked = v.safeParse(topicId, id);
  if (!checked.success) {
    return checked.issues[0].message;
  }
  return chat.topics[id] === undefined ? undefined : texts.exists(topicTitle(chat, id));
}
