/** The tab "Moderation": what warnings lead to, who has some, who is approved, and what was done. */
import { useQuery, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useId, useRef, useState } from 'react';

import { warnPresetNames, warnPresets } from '#contract/chats/value-presets';
import { readValue, warnLimits } from '#contract/chats/values';
import { chatModeration, type Action } from '#contract/endpoints/chat-members';
import { chatValues } from '#contract/endpoints/chat-values';
import { type Chat } from '#contract/endpoints/chats';
import { useCapabilities } from '#lib/capabilities';
import { useFocusKept } from '#lib/focus';
import { usePlatform } from '#lib/platform';
import { useSearchTerm } from '#lib/search-term';
import { EmptyState } from '#ui/empty-state';
import { fillSlots } from '#ui/fill-slots';
import { Notice } from '#ui/notice';
import { SearchField } from '#ui/search-field';
import { Section, Cell } from '#ui/section';
import { Spinner } from '#ui/spinner';

import { useChooseValue, useApplyPreset } from '../choose-value.ts';
import { Pending } from '../pending.tsx';
import { ActionRows } from '../rule-rows.tsx';
import { chatTexts } from '../texts.ts';
import { actText, timeText, valueLine } from '../value-lines.ts';
import { SwitchCell, MissingRight, Stepper, TimeChoice } from '../value-rows.tsx';
import { valueTexts } from '../value-texts.ts';
import { useShownValues, valueQuery, isSame } from '../value-writes.ts';
import { ApprovalsList, WarningsList } from './member-lists.tsx';
import { memberQueries, undo } from './member-queries.ts';
import { personName, useActorName } from './people.ts';
import { UnreadList, useRowAction } from './rows.tsx';
import { moderationTexts as texts } from './texts.ts';
import { momentText, pastText } from './times.ts';

import styles from '../sections/sections.module.css';

const { rules: ruleTexts, done: actionTexts } = texts;

export function ModerationSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const { has } = useCapabilities();
  const hasValues = has(chatValues) === true;
  const hasLists = has(chatModeration) === true;
  const query = useQuery({ ...valueQuery(chatId), enabled: hasValues });
  const { warn_limit: limit } = useShownRules(chatId);
  const areRulesKnown = query.data !== undefined;

  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        {hasValues &&
          (areRulesKnown ? (
            <>
              <WarnRules chatId={chatId} />
              <SharedBans chatId={chatId} />
            </>
          ) : (
            <Pending
              query={query}
              shape="sections"
              count={1}
              loading={texts.loading}
              failed={texts.failed}
            />
          ))}
        {hasLists && (
          <>
            <WarningsList chatId={chatId} limit={areRulesKnown ? limit : undefined} />
            <ApprovalsList chatId={chatId} />
          </>
        )}
      </div>
      {hasLists && (
        <div className={styles.column}>
          <ActionsList chatId={chatId} />
        </div>
      )}
    </div>
  );
}

/** Whether bans count in the other chats of the community and of the owner. */
function SharedBans({ chatId }: { readonly chatId: string }) {
  const shown = useShownValues({ chatId, names: ['shared_bans'] });
  const choose = useChooseValue(chatId);
  return (
    <Section heading={texts.sharedBans.heading} headingLevel={3} foot={texts.sharedBans.foot}>
      <SwitchCell
        title={texts.sharedBans.title}
        about={texts.sharedBans.about}
        isOn={readValue(shown, 'shared_bans')}
        onChange={(value) => choose({ name: 'shared_bans', value })}
      />
    </Section>
  );
}

const day = 86_400;

const kinds = ['mute', 'ban', 'kick'] as const;

/** In seconds. */
const expiryTimes = [day, 7 * day, 30 * day, 90 * day, 365 * day] as const;

const names = ['warn_limit', 'warn_action', 'warn_expiry'] as const;

/** The rules as they are shown, also while they are on their way to the server. */
function useShownRules(chatId: string) {
  const shown = useShownValues({ chatId, names });
  return {
    warn_limit: readValue(shown, 'warn_limit'),
    warn_action: readValue(shown, 'warn_action'),
    warn_expiry: readValue(shown, 'warn_expiry'),
  };
}

type Rules = ReturnType<typeof useShownRules>;

function WarnRules({ chatId }: { readonly chatId: string }) {
  const rules = useShownRules(chatId);
  const choose = useChooseValue(chatId);
  const set = (name: keyof Rules, value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  const { warn_limit: limit, warn_action: action, warn_expiry: expiry } = rules;

  return (
    <Section heading={ruleTexts.heading} headingLevel={3} remark={ruleTexts.about}>
      <MissingRight chatId={chatId} right="restrict" />
      <Presets chatId={chatId} rules={rules} />
      <Stepper
        title={ruleTexts.limit}
        about={ruleTexts.limitAbout}
        count={limit}
        {...warnLimits}
        fewer={ruleTexts.fewer}
        more={ruleTexts.more}
        onChoose={(value) => set('warn_limit', value)}
      />
      <ActionRows
        title={ruleTexts.action}
        kinds={kinds}
        action={action}
        usualSeconds={day}
        onChoose={(value) => set('warn_action', value)}
      />
      <TimeChoice
        title={ruleTexts.expiry}
        times={expiryTimes}
        others={[['off', ruleTexts.noExpiry]]}
        value={expiry}
        onChoose={(value) => set('warn_expiry', value)}
      />
    </Section>
  );
}

type PresetsProps = { readonly chatId: string; readonly rules: Rules };

function Presets({ chatId, rules }: PresetsProps) {
  const id = useId();
  const apply = useApplyPreset(chatId);

  return (
    <fieldset>
      <legend className="visually-hidden">{ruleTexts.presets}</legend>
      {warnPresetNames.map((preset) => {
        const { warn_limit, warn_action, warn_expiry } = warnPresets[preset];
        const title = valueTexts.presets[preset];
        return (
          <Cell
            key={preset}
            isLabel
            title={title}
            subtitle={
              <span id={`${id}-${preset}`}>
                {ruleTexts.preset(warn_limit, actText(warn_action), timeText(warn_expiry))}
              </span>
            }
            after={
              <input
                type="radio"
                name={id}
                value={preset}
                checked={names.every((name) => isSame(rules[name], warnPresets[preset][name]))}
                aria-label={title}
                aria-describedby={`${id}-${preset}`}
                onChange={() => void apply(preset)}
              />
            }
          />
        );
      })}
    </fieldset>
  );
}

function ActionsList({ chatId }: { readonly chatId: string }) {
  const [wanted, setWanted] = useState('');
  const [term, setTerm] = useSearchTerm(wanted, setWanted);
  const { data, ...query } = useInfiniteQuery(memberQueries.actions(chatId, wanted));
  const actions = data?.pages.flatMap((page) => page.actions);

  return (
    <Section heading={actionTexts.heading} headingLevel={3}>
      <div className={styles.inset}>
        <SearchField
          label={actionTexts.search}
          clearLabel={chatTexts.clearSearch}
          value={term}
          onChange={setTerm}
        />
      </div>
      {actions === undefined ? (
        <UnreadList query={query} loading={actionTexts.loading} failed={actionTexts.failed} />
      ) : (
        <div aria-busy={query.isPlaceholderData}>
          <Nothing isShown={actions.length === 0} isSearched={wanted !== ''} />
          <ul aria-label={actionTexts.label}>
            {actions.map((action) => (
              <ActionRow key={action.action_id} chatId={chatId} action={action} />
            ))}
          </ul>
          {query.isFetchNextPageError && <Notice tone="error">{actionTexts.moreFailed}</Notice>}
          {query.hasNextPage && (
            <Cell
              tone="accent"
              title={actionTexts.more}
              after={query.isFetchingNextPage ? <Spinner size="small" /> : undefined}
              onClick={() => void query.fetchNextPage()}
            />
          )}
          {!query.hasNextPage && actions.length > 0 && wanted === '' && (
            <p className={styles.note}>{actionTexts.end}</p>
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
        {isSearchVain ? actionTexts.nothingFound : ''}
      </output>
      {isShown && !isSearched && (
        <EmptyState mood="sleepy" title={actionTexts.none}>
          {actionTexts.noneHint}
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
          title: actionTexts.promotionTitle,
          message: actionTexts.promotionQuestion(target),
          buttons: [
            { id: 'cancel', text: chatTexts.cancel, kind: 'cancel' },
            { id: 'undo', text: actionTexts.confirm, kind: 'destructive' },
          ],
        });
        return answer === 'undo';
      },
    }),
    failed: actionTexts.undoFailed,
    text: actionTexts.undo,
    label: actionTexts.undoName(describe(action, { by, target })),
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
              fillSlots(actionTexts.reason, { reason: <bdi>{action.reason}</bdi> })}
          </>
        }
        subtitle={
          <>
            <time dateTime={new Date(action.at).toISOString()}>{pastText(action.at)}</time>
            {action.undone_at !== null && (
              <span className={styles.line}>{actionTexts.undone(pastText(action.undone_at))}</span>
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
    return actionTexts[`${kind}Until`](by, target, momentText(until));
  }
  return actionTexts[kind](by, target);
}
