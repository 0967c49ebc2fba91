/** The tab "Joining": what newcomers do, what protects the group from many at once, and who waits to be let in. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { useId, useRef, useState } from 'react';

import { valuePresets } from '#contract/chats/value-presets';
import {
  autoRaidLimits,
  captchaLimits,
  type CaptchaMode,
  captchaModes,
  raidLimits,
  readValue,
} from '#contract/chats/values';
import { chatActivity } from '#contract/endpoints/chat-activity';
import { chatJoins, type Join, listJoins, settleJoin } from '#contract/endpoints/chat-joins';
import { type Chat } from '#contract/endpoints/chats';
import { call } from '#lib/api';
import { useCapabilities } from '#lib/capabilities';
import { useFocusKept } from '#lib/focus';
import { tellOtherTabs } from '#lib/other-tabs';
import { Button } from '#ui/button';
import { Cell, Section } from '#ui/section';

import { useApplyPreset, useChooseValue } from '../choose-value.ts';
import { UnreadList, useRowAction } from '../moderation/rows.tsx';
import { momentText, shortText } from '../moderation/times.ts';
import { userName } from '../names.ts';
import { Pending } from '../pending.tsx';
import { chatQueries, partKey } from '../queries.ts';
import { valueLine } from '../value-lines.ts';
import { Choice, CountChoice, MissingRight, TimeChoice } from '../value-rows.tsx';
import { valueTexts } from '../value-texts.ts';
import { isSame, useShownValues, valueQuery } from '../value-writes.ts';
import { AttackSwitch, useIsAhead } from './attack.tsx';
import { joiningTexts as texts } from './texts.ts';

import styles from '../sections/sections.module.css';

export function JoiningSection({ chat }: { readonly chat: Chat }) {
  const { chat_id: chatId } = chat;
  const hasJoins = useCapabilities().has(chatJoins) === true;
  const query = useQuery(valueQuery(chatId));

  if (query.data === undefined) {
    return <Pending query={query} shape="sections" loading={texts.loading} failed={texts.failed} />;
  }
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <AttackSwitch chatId={chatId} />
        <QuietStart chatId={chatId} />
        <Captcha chatId={chatId} />
      </div>
      <div className={styles.column}>
        {hasJoins && <ChecksList chatId={chatId} />}
        <Raid chatId={chatId} />
      </div>
    </div>
  );
}

type PartProps = { readonly chatId: string };

const preset = 'quiet_start';
const presetNames = ['captcha_mode', 'flood'] as const;

/** A preset that belongs to this tab and to "Automatic". */
function QuietStart({ chatId }: PartProps) {
  const shown = useShownValues({ chatId, names: presetNames });
  const apply = useApplyPreset(chatId);
  const id = useId();
  const isInUse = presetNames.every((name) =>
    isSame(readValue(shown, name), valuePresets[preset][name]),
  );
  const title = valueTexts.presets[preset];
  const state = isInUse ? texts.quietStart.inUse : texts.quietStart.use;
  return (
    <Section heading={texts.quietStart.heading} headingLevel={3}>
      <Cell
        title={title}
        subtitle={<span id={id}>{texts.quietStart.about}</span>}
        after={
          <Button
            kind={isInUse ? 'quiet' : 'plain'}
            icon={isInUse ? <Check aria-hidden size={18} /> : undefined}
            aria-label={texts.quietStart.name(state, title)}
            aria-describedby={id}
            // Not `disabled`, which would remove the keyboard's focus.
            aria-disabled={isInUse}
            onClick={() => {
              if (!isInUse) {
                void apply(preset);
              }
            }}
          >
            {state}
          </Button>
        }
      />
    </Section>
  );
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** In seconds. */
const captchaTimes = [minute, 5 * minute, 10 * minute, 30 * minute, hour, day] as const;

const captchaNames = ['captcha_mode', 'captcha_seconds', 'captcha_over'] as const;

function Captcha({ chatId }: PartProps) {
  const shown = useShownValues({ chatId, names: captchaNames });
  const choose = useChooseValue(chatId);
  const set = (name: (typeof captchaNames)[number], value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  const mode = readValue(shown, 'captcha_mode');
  return (
    <Section heading={texts.captcha.heading} headingLevel={3}>
      <Modes mode={mode} onChoose={(value) => set('captcha_mode', value)} />
      {mode === 'gate' ? (
        <>
          <MissingRight chatId={chatId} right="invite" />
          <GateState chatId={chatId} />
        </>
      ) : (
        mode !== 'off' && <MissingRight chatId={chatId} right="restrict" and="delete" />
      )}
      {mode !== 'off' && (
        <TimeChoice
          title={texts.captcha.seconds}
          times={captchaTimes}
          typed={{ limits: captchaLimits }}
          value={readValue(shown, 'captcha_seconds')}
          onChoose={(value) => set('captcha_seconds', value)}
        />
      )}
      {(mode === 'button' || mode === 'task') && (
        <Choice
          title={texts.captcha.over}
          choices={[
            ['kick', texts.captcha.kick],
            ['mute', texts.captcha.mute],
          ]}
          value={readValue(shown, 'captcha_over')}
          onChoose={(value) => set('captcha_over', value)}
        />
      )}
    </Section>
  );
}

/** Whether the gate opens at once, and else what to do for it. */
function GateState({ chatId }: PartProps) {
  const isOffered = useCapabilities().has(chatActivity) === true;
  const { data: health } = useQuery({ ...chatQueries.health(chatId), enabled: isOffered });
  if (health?.guard === undefined) {
    return null;
  }
  return health.guard ? (
    <p className={styles.note}>{texts.captcha.gateReady}</p>
  ) : (
    <div className={styles.note}>
      <p id="gate-steps">{texts.captcha.gateSteps}</p>
      <ol className={styles.steps} aria-labelledby="gate-steps">
        <li>{texts.captcha.gateOpen}</li>
        <li>{texts.captcha.gateApprove}</li>
        <li>{texts.captcha.gateBot}</li>
      </ol>
    </div>
  );
}

type ModesProps = {
  readonly mode: CaptchaMode;
  readonly onChoose: (mode: CaptchaMode) => void;
};

function Modes({ mode, onChoose }: ModesProps) {
  const id = useId();
  return (
    <fieldset>
      <legend className="visually-hidden">{texts.captcha.heading}</legend>
      {captchaModes.map((name) => (
        <Cell
          key={name}
          isLabel
          title={texts.captcha.modes[name]}
          subtitle={<span id={`${id}-${name}`}>{texts.captcha.about[name]}</span>}
          after={
            <input
              type="radio"
              name={id}
              value={name}
              checked={name === mode}
              aria-label={texts.captcha.modes[name]}
              aria-describedby={`${id}-${name}`}
              onChange={() => onChoose(name)}
            />
          }
        />
      ))}
    </fieldset>
  );
}

/** In seconds. */
const raidTimes = [hour, 6 * hour, day, 7 * day] as const;
const raidCounts = [5, 10, 20, 50] as const;

const raidNames = ['raid_until', 'raid_seconds', 'raid_auto'] as const;

function Raid({ chatId }: PartProps) {
  const shown = useShownValues({ chatId, names: raidNames });
  const choose = useChooseValue(chatId);
  const set = (name: (typeof raidNames)[number], value: unknown) =>
    choose({ name, value, text: valueLine(name, value) });
  const until = readValue(shown, 'raid_until');
  const seconds = readValue(shown, 'raid_seconds');
  const isOn = useIsAhead(until);
  const action = isOn ? texts.raid.end : texts.raid.start;
  return (
    <Section heading={texts.raid.heading} headingLevel={3} remark={texts.raid.about}>
      <MissingRight chatId={chatId} right="restrict" />
      <Cell
        title={isOn && until !== undefined ? texts.raid.until(momentText(until)) : texts.raid.off}
        after={
          <Button
            kind="plain"
            aria-label={texts.raid.name(action)}
            onClick={() => set('raid_until', isOn ? null : Date.now() + seconds * 1000)}
          >
            {action}
          </Button>
        }
      />
      <TimeChoice
        title={texts.raid.seconds}
        times={raidTimes}
        typed={{ limits: raidLimits }}
        value={seconds}
        onChoose={(value) => set('raid_seconds', value)}
      />
      <CountChoice
        title={texts.raid.auto}
        counts={raidCounts}
        limits={autoRaidLimits}
        write={texts.raid.autoAt}
        others={[['off', texts.raid.autoOff]]}
        value={readValue(shown, 'raid_auto')}
        onChoose={(value) => set('raid_auto', value)}
      />
    </Section>
  );
}

/** People that are shown before the rest is asked for: a raid has hundreds. */
const maxAtFirst = 20;

const joinsQuery = (chatId: string) =>
  queryOptions({
    queryKey: partKey('joins', chatId),
    queryFn: ({ signal }) => call(listJoins, { chat_id: chatId }, signal),
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
  });

function ChecksList({ chatId }: { readonly chatId: string }) {
  const { data, ...query } = useQuery(joinsQuery(chatId));
  const [isWhole, setIsWhole] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const joins = data?.joins ?? [];
  // The button is gone with its row.
  useFocusKept(list, joins.length);

  return (
    <Section heading={texts.checks.heading} headingLevel={3}>
      {data === undefined ? (
        <UnreadList query={query} loading={texts.checks.loading} failed={texts.checks.failed} />
      ) : (
        <>
          {joins.length === 0 && <p className={styles.note}>{texts.checks.none}</p>}
          <ul ref={list} tabIndex={-1} aria-label={texts.checks.heading}>
            {(isWhole ? joins : joins.slice(0, maxAtFirst)).map((join) => (
              <JoinRow key={join.telegram_id} chatId={chatId} join={join} />
            ))}
          </ul>
          {!isWhole && joins.length > maxAtFirst && (
            <Cell
              tone="accent"
              title={texts.checks.showAll(joins.length)}
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
    failed: texts.checks.settleFailed,
    text: texts.checks.letIn,
    label: texts.checks.name(texts.checks.letIn, name),
  });
  const turnAway = useRowAction({
    chatId,
    act: () => settle(client, chatId, { join, result: 'turn_away' }),
    failed: texts.checks.settleFailed,
    text: texts.checks.turnAway,
    label: texts.checks.name(texts.checks.turnAway, name),
  });
  return (
    <li>
      <Cell
        className={styles.withPair}
        title={<bdi>{name}</bdi>}
        subtitle={
          <>
            {texts.checks.times(
              texts.checks.kinds[join.kind],
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
