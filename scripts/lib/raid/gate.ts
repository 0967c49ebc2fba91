/** How the accounts of `npm run bench:raid` ask to join, and what they do on the page of the join gate. */
import { pbkdf2, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import * as v from 'valibot';

import { answerGate, type Gate, gateTask, openGate } from '#contract/endpoints/gate';
import { gateQuestions, gateWords } from '#server/services/joining/gate-texts';
import { type BotApi } from '#tests/bot-api-server';
import { signLaunchData } from '#tests/launch-data';

import { type Account, raidChat, type RaidGroup } from './group.ts';

/** Sends a call to the server. Rejects when it is not there. */
export type Send = (address: string, body: unknown) => Promise<Response>;

type Rest = (ms: number) => Promise<void>;
export type Choose = (task: NonNullable<Gate['task']>) => readonly number[];

export type GateVisits = ReturnType<typeof createGateVisits>;

const lookEveryMs = 250;
/** Who has asked to join waits so long for the page. */
const maxWaitMs = 15_000;

export function createGateVisits({
  group,
  send,
}: {
  readonly group: Pick<RaidGroup, 'api' | 'request'>;
  readonly send: Send;
}) {
  const { api } = group;

  /** Says who opens the page, as Telegram does; undefined while no page is opened for the request. */
  function launch({ id, name }: Account) {
    const url = findPage(api, id);
    return url === undefined
      ? undefined
      : {
          chat_id: new URL(url).searchParams.get('chat') ?? undefined,
          init_data: signLaunchData({
            user: { id, first_name: name, language_code: 'en' },
            botToken: api.token,
            signedAt: Date.now(),
          }),
        };
  }

  /** Undefined when the server is not there, or refuses the call. */
  async function call(address: string, body: unknown): Promise<unknown> {
    const reply = await send(address, body).catch(() => undefined);
    return reply?.ok === true ? reply.json() : undefined;
  }

  return {
    request: (account: Account): void => group.request(account.id),

    withdraw: ({ id }: Account): void => api.requests.withdraw(raidChat, id),

    /** Reads the page for a while, and answers. Returns what the page shows then; undefined when there is none. */
    async answer(
      account: Account,
      { readMs, rest, choose }: { readMs: number; rest: Rest; choose: Choose },
    ): Promise<Gate['state'] | undefined> {
      let opened = launch(account);
      for (let waited = 0; opened === undefined && waited < maxWaitMs; waited += lookEveryMs) {
        await rest(lookEveryMs);
        opened = launch(account);
      }
      const shown = v.safeParse(openGate.output, opened && (await call(openGate.path, opened)));
      const { task = null, state } = shown.success ? shown.output : {};
      if (task === null) {
        return state;
      }
      await rest(readMs);
      const { ticket, work } = task;
      const given = { ticket, answer: choose(task), work: await workOut(ticket, work) };
      const answered = await call(answerGate.path, { ...opened, ...given });
      const parsed = v.safeParse(answerGate.output, answered);
      return parsed.success ? parsed.output.state : undefined;
    },
  };
}

/** The page that Telegram opens for the last request of an account, or that a message to it leads to. */
function findPage(api: BotApi, id: number): string | undefined {
  const page = api.requests.page(raidChat, id);
  const { reply_markup: markup } = Object(
    page === undefined ? api.messages.findLast(({ to }) => to === id)?.body : undefined,
  );
  const { web_app: app } = Object(Object(markup).inline_keyboard?.[0]?.[0]);
  return page ?? app?.url;
}

const derive = promisify(pbkdf2);

/** What the device of the person does while they read. */
async function workOut(
  ticket: string,
  { iterations, candidates, target }: NonNullable<Gate['task']>['work'],
): Promise<number> {
  const wanted = Buffer.from(target, 'hex');
  for (let candidate = 0; candidate < candidates; candidate += 1) {
    const made = await derive(String(candidate), ticket, iterations, wanted.length, 'sha256');
    if (timingSafeEqual(made, wanted)) {
      return candidate;
    }
  }
  return candidates;
}

const questions: readonly string[] = Object.values(gateQuestions);
const words: readonly string[] = Object.values(gateWords);
const wordsOfKind = words.length / questions.length;

/** The words that belong together, as a person finds them. */
export const chooseRight: Choose = ({ question, words: shown }) => {
  const kind = questions.indexOf(question);
  const right = new Set(words.slice(kind * wordsOfKind, (kind + 1) * wordsOfKind));
  return [...shown.keys()].filter((at) => right.has(shown[at]?.word ?? ''));
};

/** Too many: all of them. */
export const chooseAll: Choose = ({ words: shown }) => [...shown.keys()];

export const chooseAny =
  (random: () => number): Choose =>
  ({ words: shown }) =>
    [...shown.keys()]
      .map((at) => ({ at, chance: random() }))
      .toSorted((one, other) => one.chance - other.chance)
      .slice(0, gateTask.choose)
      .map(({ at }) => at);
