/** The call of the login, apart from those of signing up, which it need not load. */
import { login } from '#contract/endpoints/session';
import { startSession } from '#lib/session';

import { useChange } from './change.ts';

/** Logs in; the session starts even when the person has gone to another screen meanwhile. */
export function useLogin() {
  return useChange(login, {
    onSuccess: (answer, input) =>
      startSession({
        token: answer.access_token,
        telegramId: answer.telegram_id ?? String(input.telegram_id).trim(),
      }),
  });
}
