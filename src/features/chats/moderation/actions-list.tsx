/** What was done to members in the last 90 days, with a search, and a button that undoes what can be undone. */
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useRef, useState } from 'react';

import { type Action } from '#contract/endpoints/chat-members';
import { useFocusKept } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { useSearchTerm } from '#lib/search-term';
import { EmptyState } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { SearchField } from '#ui/search-field';
import { Cell, Section } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { chatTexts } from '../texts.ts';
import { memberQueries, undo } from './member-queries.ts';
import { personName, useActorName } from './people.ts';
import { UnreadList, useRowAction } from './rows.tsx';
import { moderationTexts } from './texts.ts';
import { momentText, pastText } from './times.ts';

import styles from '../sections/sections.module.css';

const texts = moderationTexts.done;

export function ActionsList({ chatId }: { readonly chatId: string }) {
  const [wanted, setWanted] = useState('');
  const [term, setTerm] = useSearchTerm(wanted, setWanted);
  const { data, ...query } = useInfiniteQuery(memberQueries.actions(chatId, wanted));
  const actions = data?.pages.flatMap((page) => page.actions);

  return (
    <Section heading={texts.heading} headingLevel={3}>
      <div className={styles.inset}>
        <SearchField
          label={texts.search}
          clearLabel={chatTexts.clearSearch}
          value={term}
          onChange={setTerm}
        />
      </div>
      {actions === undefined ? (
        <UnreadList query={query} loading={texts.loading} failed={texts.failed} />
      ) : (
        <div aria-busy={query.isPlaceholderData}>
          <Nothing isShown={actions.length === 0} isSearched={wanted !== ''} />
          <ul aria-label={texts.label}>
            {actions.map((action) => (
              <ActionRow key={action.action_id} chatId={chatId} action={action} />
            ))}
          </ul>
          {query.isFetchNextPageError && <Notice tone="error">{texts.moreFailed}</Notice>}
          {query.hasNextPage && (
            <Cell
              tone="accent"
              title={texts.more}
              after={query.isFetchingNextPage ? <Spinner size="small" /> : undefined}
              onClick={() => void query.fetchNextPage()}
            />
          )}
          {!query.hasNextPage && actions.length > 0 && wanted === '' && (
            <p className={styles.note}>{texts.end}</p>
          )}
        </div>
      )}
    </Section>
  );
}

type NothingProps = { readonly isShown: boolean; readonly isSearched: boolean };

/** The line about a search is announced, so it exists before its words. */
function Nothing({ isShown, isSearched }: NothingProps) {
  const isSearchVain = isShown && isSearched;
  return (
    <>
      <output className={isSearchVain ? styles.note : 'visually-hidden'}>
        {isSearchVain ? texts.nothingFound : ''}
      </output>
      {isShown && !isSearched && (
        <EmptyState mood="sleepy" title={texts.none}>
          {texts.noneHint}
        </EmptyState>
      )}
    </>
  );
}

type ActionRowProps = { readonly chatId: string; readonly action: Action };

/** For the parts of a sentence that are more than text. */
const slots = { by: '{by}', target: '{target}' } as const;

function ActionRow({ chatId, action }: ActionRowProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const row = useRef<HTMLLIElement>(null);
  const actorName = useActorName();
  const [by, target] = [actorName(action.by), personName(action.target)];
  const { button, refusal } = useRowAction({
    chatId,
    act: () => undo(client, chatId, action),
    ...(action.kind === 'promote' && {
      confirm: async () => {
        platform.haptic('warning');
        const answer = await platform.popup({
          title: texts.promotionTitle,
          message: texts.promotionQuestion(target),
          buttons: [
            { id: 'cancel', text: chatTexts.cancel, kind: 'cancel' },
            { id: 'undo', text: texts.confirm, kind: 'destructive' },
          ],
        });
        return answer === 'undo';
      },
    }),
    failed: texts.undoFailed,
    text: texts.undo,
    label: texts.undoName(describe(action, { by, target })),
    icon: <Undo2 aria-hidden size={18} />,
  });
  // The button is gone when the action was undone.
  useFocusKept(row, action.can_undo);

  return (
    <li ref={row} tabIndex={-1}>
      <Cell
        title={
          <>
            {fillSlots(describe(action, slots), {
              by: <bdi>{by}</bdi>,
              target: <bdi>{target}</bdi>,
            })}
            {action.reason !== '' && ' '}
            {action.reason !== '' &&
              fillSlots(texts.reason, { reason: <bdi>{action.reason}</bdi> })}
          </>
        }
        subtitle={
          <>
            <time dateTime={new Date(action.at).toISOString()}>{pastText(action.at)}</time>
            {action.undone_at !== null && (
              <span className={styles.line}>{texts.undone(pastText(action.undone_at))}</span>
            )}
            {refusal}
          </>
        }
        after={action.can_undo ? button : undefined}
      />
    </li>
  );
}

/** Who did what to whom, in one sentence. */
function describe(
  { kind, until }: Action,
  { by, target }: { readonly by: string; readonly target: string },
): string {
  if (until !== null && (kind === 'ban' || kind === 'mute')) {
    return texts[`${kind}Until`](by, target, momentText(until));
  }
  return texts[kind](by, target);
}
