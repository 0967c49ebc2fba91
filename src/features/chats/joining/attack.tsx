/** "Under attack": one switch that holds newcomers back and deletes links, and what it did when it ends. */
import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldAlert } from 'lucide-react';
import { useId, useRef, useSyncExternalStore } from 'react';

import { type ChatValues, readValue, wholeChat } from '#contract/chats/values';
import { type Change } from '#contract/endpoints/chat-changes';
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

/** Says that it is over, and offers to undo that. */
async function tellEnd(
  client: QueryClient,
  chatId: string,
  changes: readonly Change[],
): Promise<void> {
  offerUndoOfMany(
    client,
    changes.map((change) => ({ chatId, change })),
    { id: endedId(chatId), text: texts.ended },
  );
}

/** The switch, for the tab "Joining". */
export function AttackSwitch({ chatId }: { readonly chatId: string }) {
  const client = useQueryClient();
  const id = useId();
  const attack = useAttack(chatId);
  return (
    <Section>
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

/** The bar on every tab of a chat that is under attack. */
export function AttackStrip({ chatId }: { readonly chatId: string }) {
  const client = useQueryClient();
  const strip = useRef<HTMLDivElement>(null);
  useQuery(valueQuery(chatId));
  const attack = useAttack(chatId);
  // The pressed button is gone with the bar.
  useFocusKept(strip, attack === undefined);

  return (
    <div ref={strip} tabIndex={-1} aria-live="polite" data-attack={attack ? 'on' : 'off'}>
      {attack && (
        <div className={styles.strip}>
          <ShieldAlert aria-hidden size={20} />
          <span>{texts.strip(shortText(attack.since))}</span>
          <Button kind="quiet" aria-label={texts.endName} onClick={() => endAttack(client, chatId)}>
            {texts.end}
          </Button>
        </div>
      )}
    </div>
  );
}
