/** Who waits to be let in, each with buttons that settle it by hand. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { type Join, listJoins, settleJoin } from '#contract/endpoints/chat-joins';
import { call } from '#lib/api';
import { useFocusKept } from '#lib/focus';
import { tellOtherTabs } from '#lib/other-tabs';
import { Cell, Section } from '#ui/section';

import { UnreadList, useRowAction } from '../moderation/rows.tsx';
import { shortText } from '../moderation/times.ts';
import { userName } from '../names.ts';
import { partKey } from '../queries.ts';
import { joiningTexts } from './texts.ts';

import styles from '../sections/sections.module.css';

const texts = joiningTexts.checks;

/** People that are shown before the rest is asked for: a raid has hundreds. */
const maxAtFirst = 20;

const joinsQuery = (chatId: string) =>
  queryOptions({
    queryKey: partKey('joins', chatId),
    queryFn: ({ signal }) => call(listJoins, { chat_id: chatId }, signal),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });

export function ChecksList({ chatId }: { readonly chatId: string }) {
  const { data, ...query } = useQuery(joinsQuery(chatId));
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const joins = data?.joins ?? [];
  // The button is gone with its row.
  useFocusKept(list, joins.length);

  return (
    <Section heading={texts.heading} headingLevel={3}>
      {data === undefined ? (
        <UnreadList query={query} loading={texts.loading} failed={texts.failed} />
      ) : (
        <>
          {joins.length === 0 && <p className={styles.note}>{texts.none}</p>}
          <ul ref={list} tabIndex={-1} aria-label={texts.heading}>
            {(isWhole ? joins : joins.slice(0, maxAtFirst)).map((join) => (
              <JoinRow key={join.telegram_id} chatId={chatId} join={join} />
            ))}
          </ul>
          {!isWhole && joins.length > maxAtFirst && (
            <Cell
              tone="accent"
              title={texts.showAll(joins.length)}
              onClick={() => setIsWhole(true)}
            />
          )}
        </>
      )}
    </Section>
  );
}

type JoinRowProps = { readonly chatId: string; readonly join: Join };

function JoinRow({ chatId, join }: JoinRowProps) {
  const client = useQueryClient();
  const name = userName(join);
  const letIn = useRowAction({
    chatId,
    act: () => settle(client, chatId, { join, result: 'let_in' }),
    failed: texts.settleFailed,
    text: texts.letIn,
    label: texts.name(texts.letIn, name),
  });
  const turnAway = useRowAction({
    chatId,
    act: () => settle(client, chatId, { join, result: 'turn_away' }),
    failed: texts.settleFailed,
    text: texts.turnAway,
    label: texts.name(texts.turnAway, name),
  });
  return (
    <li>
      <Cell
        className={styles.choice}
        title={<bdi>{name}</bdi>}
        subtitle={
          <>
            {texts.times(
              texts.kinds[join.kind],
              shortText(join.started_at),
              shortText(join.due_at),
            )}
            {letIn.refusal}
            {turnAway.refusal}
          </>
        }
        after={
          <span className={styles.pair}>
            {letIn.button}
            {turnAway.button}
          </span>
        }
      />
    </li>
  );
}

type Settling = { readonly join: Join; readonly result: 'let_in' | 'turn_away' };

async function settle(
  client: QueryClient,
  chatId: string,
  { join, result }: Settling,
): Promise<void> {
  try {
    await call(settleJoin, { chat_id: chatId, telegram_id: join.telegram_id, result });
  } finally {
    // Also after a refusal: it may be settled already.
    tellOtherTabs('chats');
    await client.invalidateQueries({ queryKey: partKey('joins', chatId) });
  }
}
