/** The warnings that count now, by member, and who is approved; each with a button that ends it. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';

import { type Approval, type Warning } from '#contract/endpoints/chat-members';
import { useFocusKept } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { fillSlots } from '#ui/fill-slots';
import { Cell, Section } from '#ui/section';

import { chatTexts } from '../texts.ts';
import { endApproval, memberQueries, withdrawWarnings } from './member-queries.ts';
import { personName, useActorName } from './people.ts';
import { UnreadList, useRowAction } from './rows.tsx';
import { moderationTexts } from './texts.ts';
import { momentText, pastText } from './times.ts';

import styles from '../sections/sections.module.css';

const { warnings: texts, approvals: approvalTexts } = moderationTexts;

/** Members that are shown before the rest is asked for. */
const maxAtFirst = 10;

/** The server lists no more. */
const maxListed = 500;

type WarningsListProps = {
  readonly chatId: string;
  /** How many warnings are too many; undefined where that is not known. */
  readonly limit: number | undefined;
};

export function WarningsList({ chatId, limit }: WarningsListProps) {
  const { data, ...query } = useQuery(memberQueries.warnings(chatId));
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const warnings = data?.warnings ?? [];
  const members = groupByMember(warnings);
  // The button is gone with its warning.
  useFocusKept(list, warnings.length);

  return (
    <Section
      heading={texts.heading}
      headingLevel={3}
      {...(warnings.length >= maxListed && { foot: texts.capped })}
    >
      {data === undefined ? (
        <UnreadList query={query} loading={texts.loading} failed={texts.failed} />
      ) : (
        <>
          {members.length === 0 && <p className={styles.note}>{texts.none}</p>}
          <ul ref={list} tabIndex={-1} aria-label={texts.heading}>
            {(isWhole ? members : members.slice(0, maxAtFirst)).map(([memberId, given]) => (
              <MemberRow key={memberId} {...{ chatId, memberId, given, limit }} />
            ))}
          </ul>
          {!isWhole && members.length > maxAtFirst && (
            <Cell
              tone="accent"
              title={texts.showAll(members.length)}
              onClick={() => setIsWhole(true)}
            />
          )}
        </>
      )}
    </Section>
  );
}

type Given = readonly [Warning, ...Warning[]];

/** In the order of each member's newest warning. */
function groupByMember(warnings: readonly Warning[]): readonly (readonly [string, Given])[] {
  const byMember = new Map<string, [Warning, ...Warning[]]>();
  for (const warning of warnings) {
    const id = warning.target.telegram_id;
    const given = byMember.get(id);
    if (given) {
      given.push(warning);
    } else {
      byMember.set(id, [warning]);
    }
  }
  return [...byMember];
}

type MemberRowProps = {
  readonly chatId: string;
  readonly memberId: string;
  readonly given: Given;
  readonly limit: number | undefined;
};

/** A member with one warning is one row. Several are below the member. */
function MemberRow({ chatId, memberId, given, limit }: MemberRowProps) {
  const [newest] = given;
  const name = <bdi>{personName(newest.target)}</bdi>;
  const count = limit === undefined ? '' : texts.count(given.length, limit);
  return given.length === 1 ? (
    <WarningRow chatId={chatId} warning={newest} name={name} count={count} />
  ) : (
    <li>
      <AllRow {...{ chatId, memberId, given, name, count }} />
      <ul>
        {given.map((warning) => (
          <WarningRow key={warning.warning_id} chatId={chatId} warning={warning} />
        ))}
      </ul>
    </li>
  );
}

type AllRowProps = Omit<MemberRowProps, 'limit'> & {
  readonly name: ReactNode;
  readonly count: string;
};

function AllRow({ chatId, memberId, given, name, count }: AllRowProps) {
  const client = useQueryClient();
  const platform = usePlatform();
  const plainName = personName(given[0].target);
  const { button, refusal } = useRowAction({
    chatId,
    act: () => withdrawWarnings(client, chatId, { memberId }),
    confirm: async () => {
      platform.haptic('warning');
      const answer = await platform.popup({
        title: texts.withdrawAllTitle,
        message: texts.withdrawAllQuestion(plainName, given.length),
        buttons: [
          { id: 'cancel', text: chatTexts.cancel, kind: 'cancel' },
          { id: 'all', text: texts.withdrawAll, kind: 'destructive' },
        ],
      });
      return answer === 'all';
    },
    failed: texts.withdrawFailed,
    text: texts.withdrawAll,
    label: texts.withdrawAllName(plainName),
  });

  return (
    <Cell
      title={name}
      subtitle={
        <>
          {count}
          {refusal}
        </>
      }
      after={button}
    />
  );
}

type WarningRowProps = {
  readonly chatId: string;
  readonly warning: Warning;
  /** Absent below the member's own row. */
  readonly name?: ReactNode;
  readonly count?: string;
};

function WarningRow({ chatId, warning, name, count = '' }: WarningRowProps) {
  const client = useQueryClient();
  const actorName = useActorName();
  const { target, by, reason, given_at, expires_at } = warning;
  const time = pastText(given_at);
  const { button, refusal } = useRowAction({
    chatId,
    act: () =>
      withdrawWarnings(client, chatId, {
        memberId: target.telegram_id,
        warningId: warning.warning_id,
      }),
    failed: texts.withdrawFailed,
    text: texts.withdraw,
    label: texts.withdrawName(personName(target), time),
  });
  const parts = [
    count !== '' && count,
    reason !== '' && fillSlots(moderationTexts.done.reason, { reason: <bdi>{reason}</bdi> }),
    <>
      {fillSlots(texts.given, { by: <bdi>{actorName(by)}</bdi>, time })}
      {expires_at !== null && ` ${texts.until(momentText(expires_at))}`}
    </>,
  ].filter((part) => part !== false);
  const [title, ...others] = name === undefined ? parts : [name, ...parts];

  return (
    <li>
      <Cell
        title={title}
        subtitle={
          <>
            {others.map((part, index) => (
              // oxlint-disable-next-line react/no-array-index-key -- A part has no other identity than its position.
              <span key={index} className={styles.line}>
                {part}
              </span>
            ))}
            {refusal}
          </>
        }
        after={button}
      />
    </li>
  );
}

/** Members for whom nothing is deleted automatically. */
export function ApprovalsList({ chatId }: { readonly chatId: string }) {
  const { data, ...query } = useQuery(memberQueries.approvals(chatId));
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const approvals = data?.approvals ?? [];
  // The button is gone with its row.
  useFocusKept(list, approvals.length);

  return (
    <Section heading={approvalTexts.heading} headingLevel={3} foot={approvalTexts.about}>
      {data === undefined ? (
        <UnreadList query={query} loading={approvalTexts.loading} failed={approvalTexts.failed} />
      ) : (
        <>
          {approvals.length === 0 && <p className={styles.note}>{approvalTexts.none}</p>}
          <ul ref={list} tabIndex={-1} aria-label={approvalTexts.heading}>
            {(isWhole ? approvals : approvals.slice(0, maxAtFirst)).map((approval) => (
              <ApprovalRow key={approval.target.telegram_id} chatId={chatId} approval={approval} />
            ))}
          </ul>
          {!isWhole && approvals.length > maxAtFirst && (
            <Cell
              tone="accent"
              title={approvalTexts.showAll(approvals.length)}
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
    failed: approvalTexts.endFailed,
    text: approvalTexts.end,
    label: approvalTexts.endName(name),
  });

  return (
    <li>
      <Cell
        title={<bdi>{name}</bdi>}
        subtitle={
          <>
            {fillSlots(approvalTexts.given, {
              by: <bdi>{personName(by)}</bdi>,
              time: pastText(at),
            })}
            {until !== null && ` ${approvalTexts.until(momentText(until))}`}
            {refusal}
          </>
        }
        after={button}
      />
    </li>
  );
}
