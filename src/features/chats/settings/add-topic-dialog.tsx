/** Adds a topic to the chat: one that the bot has heard of, or one whose number the person knows. */
import { type SubmitEvent, useId, useRef, useState } from 'react';
import * as v from 'valibot';

import { type Chat } from '#contract/endpoints/chats';
import { topicId } from '#contract/endpoints/endpoint';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';

import { chatTexts } from '../texts.ts';
import { KnownTopics, knownTopics } from './known-topics.tsx';
import { topicTitle } from './topic-title.ts';
import { useAddingTopic } from './use-adding-topic.ts';

const texts = chatTexts.addTopic;

type AddTopicDialogProps = {
  readonly chat: Chat;
  /** The number that the field begins with. */
  readonly suggested: string;
  readonly onClose: () => void;
};

export function AddTopicDialog({ chat, suggested, onClose }: AddTopicDialogProps) {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(suggested);
  const { add, adding, problem, refuse, forgive } = useAddingTopic(chat, {
    onAdded: onClose,
    onRefused: (from) => {
      if (from === 'field') {
        field.current?.focus();
      }
    },
  });
  // Whoever comes for a certain topic need not choose.
  const known = suggested === '' ? knownTopics(chat) : [];

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const reason = problemWith(typed, chat);
    if (reason === undefined) {
      add(typed.trim(), 'field');
    } else {
      refuse('field', reason);
    }
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
          <Button kind="primary" type="submit" form={formId} isBusy={adding?.from === 'field'}>
            {texts.submit}
          </Button>
        </>
      }
    >
      {problem?.from === 'list' && <Notice tone="error">{problem.text}</Notice>}
      {known.length > 0 && (
        <KnownTopics
          chat={chat}
          ids={known}
          adding={adding?.topicId}
          onAdd={(id) => add(id, 'list')}
        />
      )}
      <form id={formId} noValidate onSubmit={submit}>
        <Field
          ref={field}
          label={texts.field}
          hint={texts.hint}
          error={problem?.from === 'field' ? problem.text : undefined}
          value={typed}
          inputMode="numeric"
          autoComplete="off"
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- Without a list the dialog is there for this one field.
          autoFocus={known.length === 0}
          onChange={(event) => {
            setTyped(event.target.value);
            forgive();
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
