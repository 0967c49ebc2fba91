/** Members for whom nothing is deleted automatically, each with a button that ends that. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';

import { type Approval } from '#contract/endpoints/chat-members';
import { useFocusKept } from '#lib/focus';
import { fillSlots } from '#ui/fill-slots';
import { Cell, Section } from '#ui/section';

import { Pending } from '../pending.tsx';
import { endApproval, memberQueries } from './member-queries.ts';
import { personName } from './people.ts';
import { useRowAction } from './row-action.tsx';
import { moderationTexts } from './texts.ts';
import { momentText, pastText } from './times.ts';

import styles from '../sections/sections.module.css';

const texts = moderationTexts.approvals;

/** Members that are shown before the rest is asked for. */
const maxAtFirst = 10;

export function ApprovalsList({ chatId }: { readonly chatId: string }) {
  const { data, ...query } = useQuery(memberQueries.approvals(chatId));
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const approvals = data?.approvals ?? [];
  // The button is gone with its row.
  useFocusKept(list, approvals.length);

  return (
    <Section heading={texts.heading} headingLevel={3} foot={texts.about}>
      {data === undefined ? (
        <Pending query={query} shape="rows" loading={texts.loading} failed={texts.failed} />
      ) : (
        <>
          {approvals.length === 0 && <p className={styles.note}>{texts.none}</p>}
          <ul ref={list} tabIndex={-1} aria-label={texts.heading}>
            {(isWhole ? approvals : approvals.slice(0, maxAtFirst)).map((approval) => (
              <ApprovalRow key={approval.target.telegram_id} chatId={chatId} approval={approval} />
            ))}
          </ul>
          {!isWhole && approvals.length > maxAtFirst && (
            <Cell
              tone="accent"
              title={texts.showAll(approvals.length)}
              onClick={() => setIsWhole(true)}
            />
          )}
        </>
      )}
    </Section>
  );
}

type ApprovalRowProps = { readonly chatId: string; readonly approval: Approval };

function ApprovalRow({ chatId, approval }: ApprovalRowProps) {
  const client = useQueryClient();
  const { target, by, at, until } = approval;
  const name = personName(target);
  const { button, refusal } = useRowAction({
    chatId,
    act: () => endApproval(client, chatId, target.telegram_id),
    failed: texts.endFailed,
    text: texts.end,
    label: texts.endName(name),
  });

  return (
    <li>
      <Cell
        title={<bdi>{name}</bdi>}
        subtitle={
          <>
            {fillSlots(texts.given, { by: <bdi>{personName(by)}</bdi>, time: pastText(at) })}
            {until !== null && ` ${texts.until(momentText(until))}`}
            {refusal}
          </>
        }
        after={button}
      />
    </li>
  );
}
