/** The tabs of a chat's settings, open in the app, and what tests store and read there. */
import { screen } from '@testing-library/react';
import * as v from 'valibot';
import { vi } from 'vitest';

import { type ContentBody } from '#contract/chats/contents';
import { type ActionKind } from '#contract/endpoints/chat-members';
import { changeValues, readValues, type StoredValues } from '#contract/endpoints/chat-values';
import { type ChatSection } from '#lib/paths';

import { type Network } from './app-server.ts';
import { giveChats } from './chats.ts';
import { addOwner, cats } from './open-settings.ts';
import { renderApp, startServer } from './render-app.ts';
import { type TestServer } from './test-server.ts';

const person = 123456789;

/** Members of the group, as the bot has seen them. */
export const ann = 501;
export const bo = 502;
export const salma = 503;
/** Whom the bot has not seen. */
export const unseen = 504;

export type App = Awaited<ReturnType<typeof openSection>>;

type Options = {
  readonly topics?: readonly number[];
  /** Opened from a client of Telegram with lists of channels. */
  readonly launch?: boolean;
  /** Before the page is opened. */
  readonly prepare?: (testServer: TestServer) => Promise<unknown>;
  /** Before the page asks for anything. */
  readonly onConnect?: (network: Network) => void;
};

/** A tab of the settings of "Cat lovers", which `person` and Mara manage. */
export async function openSection(
  section: ChatSection,
  { topics = [0], launch = false, prepare, onConnect }: Options = {},
) {
  const testServer = await startServer();
  const token = await testServer.signUp(person);
  await giveChats(testServer, person, [{ id: cats, name: 'Cat lovers', topics, isDemo: false }]);
  await seePeople(testServer);
  const other = await addOwner(testServer);
  await prepare?.(testServer);
  const app = await renderApp(`/dashboard?chat=${cats}&section=${section}`, {
    server: testServer,
    as: { telegramId: person, token },
    ...(launch ? { launch: { telegramId: person, version: '9.6' } } : {}),
    ...(onConnect ? { onConnect } : {}),
  });
  await screen.findByRole('heading', { level: 2, name: 'Cat lovers' });
  return { ...app, token, other };
}

async function seePeople({ db, now }: TestServer): Promise<void> {
  const names = [
    [ann, 'Ann'],
    [bo, 'Bo'],
    [salma, 'سلمى'],
  ] as const;
  await db
    .insertInto('people_seen')
    .values(
      names.map(([telegram_id, first_name]) => ({
        telegram_id,
        first_name,
        username: null,
        seen_at: now(),
      })),
    )
    .execute();
}

type StoredAction = {
  readonly id?: string;
  readonly by?: number;
  readonly target?: number;
  readonly reason?: string;
  /** How long ago, in minutes. */
  readonly minutesAgo?: number;
  /** For how many days from now on. */
  readonly days?: number;
  readonly isUndone?: boolean;
};

let lastId = 0;

/** Stores what an administrator has done. */
export async function addAction(
  { db, now }: TestServer,
  kind: ActionKind,
  action: StoredAction = {},
): Promise<void> {
  const { by = bo, target = ann, reason = '', minutesAgo = 0, days, isUndone = false } = action;
  lastId += 1;
  await db
    .insertInto('actions')
    .values({
      id: action.id ?? `action-${lastId}`,
      chat_id: cats,
      at: now() - minutesAgo * 60_000,
      by_id: by,
      target_id: target,
      kind,
      reason,
      until: days === undefined ? null : now() + days * 86_400_000,
      undone_at: isUndone ? now() : null,
    })
    .execute();
}

type StoredWarning = {
  readonly id: string;
  readonly target?: number;
  readonly reason?: string;
  readonly minutesAgo?: number;
};

/** Stores a warning that Bo has given, with its action, which has the same ID. */
export async function addWarning(
  testServer: TestServer,
  { id, target = ann, reason = '', minutesAgo = 0 }: StoredWarning,
): Promise<void> {
  const { db, now } = testServer;
  const at = now() - minutesAgo * 60_000;
  await db
    .insertInto('warnings')
    .values({
      id,
      chat_id: cats,
      telegram_id: target,
      by_id: bo,
      reason,
      given_at: at,
      expires_at: at + 30 * 86_400_000,
      ended_at: null,
      update_id: null,
    })
    .execute();
  await addAction(testServer, 'warn', { id, target, reason, minutesAgo });
}

/** Stores that Bo has approved a member. */
export async function addApproval({ db, now }: TestServer, target = ann): Promise<void> {
  await db
    .insertInto('approvals')
    .values({ chat_id: cats, telegram_id: target, by_id: bo, until: null, at: now() })
    .execute();
}

/** The values that the server has. */
export async function storedValues(
  { testServer, token }: Pick<App, 'testServer' | 'token'>,
  chatId = cats,
): Promise<StoredValues> {
  const { body } = await testServer.call(readValues, { chat_id: chatId }, { token });
  return v.parse(readValues.output, body).values;
}

/** The contents that the values of the chat name. */
export async function storedContents({
  testServer,
  token,
}: Pick<App, 'testServer' | 'token'>): Promise<readonly ContentBody[]> {
  const { body } = await testServer.call(readValues, { chat_id: cats }, { token });
  return Object.values(v.parse(readValues.output, body).contents);
}

let lastContent = 0;

/** Stores a content, which a value can name then; returns its ID. */
export async function addContent(
  { db, now }: TestServer,
  content: Partial<ContentBody> & Pick<ContentBody, 'text'>,
): Promise<string> {
  lastContent += 1;
  const id = String(lastContent).padStart(22, 'c');
  const body = JSON.stringify({ entities: [], buttons: [], ...content });
  await db.insertInto('contents').values({ id, chat_id: cats, body, created_at: now() }).execute();
  return id;
}

/** The log channel, as a command of the bot sets it. */
export const channel = { id: -1_005_550_009, title: 'Log of the cats' } as const;

/** Sets values as a command in the group does. `wholeChatId` is -1. */
export function setByCommand(
  { services }: TestServer,
  values: Readonly<Record<string, unknown>>,
  by = person,
): Promise<unknown> {
  return services.chatValues.changeByCommand(
    { chatId: cats, chatName: 'Cat lovers', by, kind: 'values' },
    new Map([[-1, values]]),
  );
}

/** Sets values in the dashboard of another device. */
export async function setElsewhere(
  { testServer }: Pick<App, 'testServer'>,
  telegramId: number,
  values: StoredValues,
): Promise<void> {
  const token = (
    await testServer.services.sessions.start(telegramId, { address: '', userAgent: undefined })
  ).token;
  const change = { chat_id: cats, kind: 'values', values } as const;
  const { status, body } = await testServer.call(changeValues, change, { token });
  if (status !== 200) {
    throw new Error(`The values were refused: ${JSON.stringify(body)}`);
  }
}

/** The clock of the device is that of the server, which refuses times that are too late. Until `vi.useRealTimers`. */
export function setServerClock({ testServer }: Pick<App, 'testServer'>): void {
  vi.useFakeTimers({ toFake: ['Date'], now: testServer.now() });
}
