/** "Under attack": one switch that holds newcomers back and deletes links, and what it did when it ends. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useId, useRef, useState, useSyncExternalStore } from 'react';

import { heldBackEvents } from '#contract/chats/numbers';
import { type ChatValues, readValue, wholeChat } from '#contract/chats/values';
import { type Change } from '#contract/endpoints/chat-changes';
import {
  allDeleted,
  chatNumbers,
  type ChatNumbers,
  readChatNumbers,
} from '#contract/endpoints/chat-numbers';
import { call } from '#lib/api';
import { fetchCapabilities } from '#lib/capabilities';
import { useFocusKept } from '#lib/focus';
import { useNotices } from '#lib/notices';
import { getPlatform } from '#lib/platform';
import { Button } from '#ui/button';
import { Cell, Section } from '#ui/section';
import { Switch } from '#ui/switch';

import { shortText } from '../moderation/times.ts';
import { chatQueries } from '../queries.ts';
import { offerUndoOfMany } from '../settings-change.ts';
import { chatTexts } from '../texts.ts';
import { MissingRight } from '../value-rows.tsx';
import { chooseValue, readShown, useShownValues, valueQuery } from '../value-writes.ts';
import { joiningTexts } from './texts.ts';

import styles from './attack.module.css';

const texts = joiningTexts.attack;

const lastsMs = 24 * 3_600_000;

const name = 'attack';
const names = [name] as const;

type Attack = NonNullable<ChatValues[typeof name]>;

/** Whether a time is yet to come. The part is rendered again when it has come. */
export function useIsAhead(at: number | undefined): boolean {
  const isAhead = () => at !== undefined && at > Date.now();
  const subscribe = (listen: () => void) => {
    const left = at === undefined ? 0 : at - Date.now();
    // Browsers take no longer times.
    const timer = left > 0 && left < 2 ** 31 ? setTimeout(listen, left) : undefined;
    return () => clearTimeout(timer);
  };
  return useSyncExternalStore(subscribe, isAhead, isAhead);
}

/** The attack that counts now. For parts of a screen that has read `valueQuery`. */
function useAttack(chatId: string): Attack | undefined {
  const attack = readValue(useShownValues({ chatId, names }), name);
  return useIsAhead(attack?.until) ? attack : undefined;
}

function readAttack(client: QueryClient, chatId: string): Attack | undefined {
  const shown = readShown(client, chatId, { place: wholeChat, name });
  const attack = readValue({ [name]: shown }, name);
  return attack !== undefined && attack.until > Date.now() ? attack : undefined;
}

/** Says what will happen, and switches it on; or ends it, which can be undone. */
export async function toggleAttack(client: QueryClient, chatId: string): Promise<void> {
  if (readAttack(client, chatId) === undefined) {
    await startAttack(client, chatId);
  } else {
    endAttack(client, chatId);
  }
}

/** Whether requests to join come to the bot, so that newcomers wait and need not be removed. */
function isGuarded(client: QueryClient, chatId: string): boolean {
  return client.getQueryData(chatQueries.health(chatId).queryKey)?.guard === true;
}

async function startAttack(client: QueryClient, chatId: string): Promise<void> {
  const platform = getPlatform();
  platform.haptic('warning');
  const answer = await platform.popup({
    title: texts.question,
    message: isGuarded(client, chatId) ? texts.willWait : texts.willGo,
    buttons: [
      { id: 'cancel', text: chatTexts.cancel, kind: 'cancel' },
      { id: 'start', text: texts.start, kind: 'destructive' },
    ],
  });
  if (answer === 'start') {
    platform.haptic('medium');
    useNotices.getState().close(endedId(chatId));
    const since = Date.now();
    write(client, chatId, { since, until: since + lastsMs });
  }
}

function endAttack(client: QueryClient, chatId: string): void {
  getPlatform().haptic('light');
  write(client, chatId, null);
}

const endedId = (chatId: string) => `attack-ended-${chatId}`;

function write(client: QueryClient, chatId: string, value: Attack | null): void {
  chooseValue(client, chatId, {
    place: wholeChat,
    name,
    value,
    isContinued: false,
    onSaved: value === null ? (changes) => void tellEnd(client, chatId, changes) : undefined,
  });
}

/** Says that it is over and what it did, and offers to undo that it is over. */
async function tellEnd(
  client: QueryClient,
  chatId: string,
  changes: readonly Change[],
): Promise<void> {
  const last = await client.fetchQuery({ ...lastAttackQuery(chatId), retry: false }).catch(() => {
    // Without the numbers it is over, too.
  });
  if (readAttack(client, chatId) !== undefined) {
    // It was begun again meanwhile.
    return;
  }
  offerUndoOfMany(
    client,
    changes.map((change) => ({ chatId, change })),
    { id: endedId(chatId), text: last ? `${texts.ended} ${didText(last)}` : texts.ended },
  );
}

/** How long the numbers are waited for. */
const numbersMs = 3000;

/** The latest attack with what it did; null without one, or where the server does not count. */
const lastAttackQuery = (chatId: string) =>
  queryOptions({
    queryKey: ['chats', 'last-attack', chatId],
    queryFn: async ({ signal }) => {
      const { capabilities } = await fetchCapabilities();
      if (!capabilities.includes(chatNumbers)) {
        return null;
      }
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(numbersMs)]);
      const { attack } = await call(readChatNumbers, { chat_id: chatId, days: 7 }, inTime);
      return attack;
    },
    staleTime: 0,
    retry: false,
  });

type LastAttack = NonNullable<ChatNumbers['attack']>;

/** What counts as held back. */

function didText({ counts }: LastAttack): string {
  const newcomers = heldBackEvents.reduce((sum, event) => sum + (counts[event] ?? 0), 0);
  const deleted = counts[allDeleted] ?? 0;
  return newcomers === 0 && deleted === 0
    ? texts.nothing
    : [
        ...(newcomers > 0 ? [texts.heldBack(newcomers)] : []),
        ...(deleted > 0 ? [texts.deleted(deleted)] : []),
      ].join(' ');
}

/** The switch, for the tab "Joining". */
export function AttackSwitch({ chatId }: { readonly chatId: string }) {
  const client = useQueryClient();
  const id = useId();
  const attack = useAttack(chatId);
  const { data: last } = useQuery({ ...lastAttackQuery(chatId), enabled: attack === undefined });
  return (
    <Section {...(attack === undefined && last && { foot: lastText(last) })}>
      <Cell
        isLabel
        before={<ShieldAlert className={styles.icon} size={22} />}
        title={texts.title}
        subtitle={
          <span id={id}>
            {attack ? texts.on(shortText(attack.since), shortText(attack.until)) : texts.about}
          </span>
        }
        after={
          <Switch
            tone="danger"
            aria-label={texts.title}
            aria-describedby={id}
            checked={attack !== undefined}
            onChange={() => void toggleAttack(client, chatId)}
          />
        }
      />
      <MissingRight chatId={chatId} right="delete" />
    </Section>
  );
}

function lastText(last: LastAttack): string {
  const since = shortText(last.since);
  const time =
    last.until === null ? texts.lastSince(since) : texts.last(since, shortText(last.until));
  return `${time} ${didText(last)}`;
}

/** The bar on every tab of a chat that is under attack. */
export function AttackStrip({ chatId }: { readonly chatId: string }) {
  const client = useQueryClient();
  const strip = useRef<HTMLDivElement>(null);
  useQuery(valueQuery(chatId));
  const attack = useAttack(chatId);
  const [ends, setEnds] = useState(0);
  // The pressed button is gone with the bar.
  useFocusKept(strip, ends);

  return (
    <div
      ref={strip}
      tabIndex={-1}
      aria-live="polite"
      className={styles.place}
      data-attack={attack ? 'on' : 'off'}
    >
      {attack && (
        <div className={styles.strip}>
          <ShieldAlert aria-hidden size={20} />
          <span>{texts.strip(shortText(attack.since))}</span>
          <Button
            kind="quiet"
            aria-label={texts.endName}
            onClick={() => {
              setEnds(ends + 1);
              endAttack(client, chatId);
            }}
          >
            {texts.end}
          </Button>
        </div>
      )}
    </div>
  );
}
