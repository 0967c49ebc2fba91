/** Adds a topic to the chat: one that the bot has seen, or one by its number. */
import { useQueryClient } from '@tanstack/react-query';
import { Plus } from 'lucide-react';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import * as v from 'valibot';

import { type Chat } from '#contract/endpoints/chats';
import { topicId as topicIdSchema } from '#contract/endpoints/endpoint';
import { ApiError, errorText } from '#lib/api';
import { joinList } from '#lib/format';
import { dashboardPaths } from '#lib/paths';
import { getPlatform } from '#lib/platform';
import { toSearchable } from '#lib/search-term';
import { useAction } from '#lib/use-action';
import { Button } from '#ui/button';
import { Dialog } from '#ui/dialog';
import { Field } from '#ui/field';
import { Notice } from '#ui/notice';
import { SearchField } from '#ui/search-field';

import { isNotManaged, useLostChat } from '../failed-writes.ts';
import { byTopicId, isTopicMeant, topicNumber, topicTitle } from '../names.ts';
import { createTopic } from '../queries.ts';
import { chatTexts } from '../texts.ts';

import styles from './add-topic-dialog.module.css';

const texts = chatTexts.addTopic;

/** More topics than this are found by the search. */
const maxShown = 50;
/** With more topics than this there is a search. */
const maxWithoutSearch = 8;

type AddTopicDialogProps = {
  readonly chat: Chat;
  /** The initial number in the field. */
  readonly suggested: string;
  readonly onClose: () => void;
};

export function AddTopicDialog({ chat, suggested, onClose }: AddTopicDialogProps) {
  const formId = useId();
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(suggested);
  const { add, adding, problem, refuse, clearProblem } = useAddTopic(chat, {
    onAdded: onClose,
    onRefused: (from) => {
      if (from === 'field') {
        field.current?.focus();
      }
    },
  });
  // A user who opens the dialog for a certain topic need not choose.
  const known = suggested === '' ? findKnownTopics(chat) : [];

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const reason = findProblem(typed, chat);
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
            {chatTexts.cancel}
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
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- Without a list the field is all that the dialog shows.
          autoFocus={known.length === 0}
          onChange={(event) => {
            setTyped(event.target.value);
            clearProblem();
          }}
        />
      </form>
    </Dialog>
  );
}

/** Why the number cannot be added; undefined when it can. */
function findProblem(typed: string, chat: Chat): string | undefined {
  const id = typed.trim();
  if (id === '') {
    return texts.missing;
  }
  const checked = v.safeParse(topicIdSchema, id);
  if (!checked.success) {
    return checked.issues[0].message;
  }
  return chat.topics[id] === undefined ? undefined : texts.exists(topicTitle(chat, id));
}

/** Where the user chose the topic; a refusal is shown there. */
type Source = 'list' | 'field';
type TopicRequest = { readonly topicId: string; readonly from: Source };

type AddTopicEvents = {
  /** Called before the page goes to the topic. */
  readonly onAdded: () => void;
  readonly onRefused: (from: Source) => void;
};

function useAddTopic(chat: Chat, { onAdded, onRefused }: AddTopicEvents) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const request = useRef<TopicRequest>({ topicId: '', from: 'field' });
  const [adding, setAdding] = useState<TopicRequest>();
  const [problem, setProblem] = useState<{ readonly from: Source; readonly text: string }>();

  function refuse(from: Source, text: string): void {
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
        refuse(from, errorText(failure, texts.failed));
      }
    }
  });

  return {
    /** The request in flight. */
    adding: isBusy ? adding : undefined,
    problem,
    refuse,
    clearProblem: () => setProblem(undefined),
    add: (topicId: string, from: Source) => {
      request.current = { topicId, from };
      run();
    },
  };
}

/** Topics that the bot has seen and that were not added, by number. */
function findKnownTopics({ topics, topic_names }: Chat): readonly string[] {
  return Object.keys(topic_names)
    .filter((id) => id !== '0' && topics[id] === undefined)
    .toSorted(byTopicId);
}

type KnownTopicsProps = {
  readonly chat: Chat;
  readonly ids: readonly string[];
  /** The topic that is being added; meanwhile the other buttons are disabled. */
  readonly adding: string | undefined;
  readonly onAdd: (topicId: string) => void;
};

function KnownTopics({ chat, ids, adding, onAdd }: KnownTopicsProps) {
  const headingId = useId();
  const [term, setTerm] = useState('');
  const wanted = toSearchable(term.trim());
  const found = ids.filter((id) => wanted === '' || isTopicMeant(chat, id, wanted));
  const rest = found.length - maxShown;

  return (
    <section className={styles.known} aria-labelledby={headingId}>
      <h3 id={headingId}>{texts.known}</h3>
      {ids.length > maxWithoutSearch && (
        <SearchField
          label={texts.find}
          clearLabel={texts.clearFind}
          value={term}
          onChange={setTerm}
        />
      )}
      <ul className={styles.topics} aria-labelledby={headingId}>
        {found.slice(0, maxShown).map((id) => (
          <li key={id}>
            <Button
              kind="quiet"
              isWide
              className={styles.topic}
              aria-label={texts.addKnown(
                joinList([topicTitle(chat, id), topicNumber(chat, id) ?? ''].filter(Boolean)),
              )}
              isBusy={adding === id}
              disabled={adding !== undefined}
              icon={<Plus aria-hidden size={18} />}
              onClick={() => onAdd(id)}
            >
              <span className={styles.name} dir="auto">
                {topicTitle(chat, id)}
              </span>
              <span className={styles.number}>{topicNumber(chat, id)}</span>
            </Button>
          </li>
        ))}
      </ul>
      <output className={styles.remark}>
        {found.length === 0 && texts.nothingKnown}
        {rest > 0 && texts.moreKnown(rest)}
      </output>
    </section>
  );
}
