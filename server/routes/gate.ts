/** The join gate: its page and the answers to its task. Launch data says who calls; there is no session. */
import { type Hono } from 'hono';

import { answerGate, openGate } from '#contract/endpoints/gate';
import { type AppContext, type AppEnv } from '#server/http/app-env';
import { on } from '#server/http/on';
import { type Services } from '#server/services/services';

export function addGateRoutes(app: Hono<AppEnv>, { gate }: Services): void {
  on(app, openGate, (input, c) => gate.open(toVisit(input, c)));

  on(app, answerGate, ({ ticket, answer, work, ...input }, c) =>
    gate.answer(toVisit(input, c), { ticket, answer, work }),
  );
}

function toVisit(
  input: { readonly init_data: string; readonly chat_id?: string | undefined },
  c: AppContext,
) {
  return {
    initData: input.init_data,
    // What a number cannot hold names no chat.
    chatId: input.chat_id === undefined ? undefined : Number(input.chat_id),
    address: c.get('address'),
    say: c.get('textsIn')(c.get('language')),
  };
}
