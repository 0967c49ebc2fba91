/** The steps of signing up, one by one, for tests that look at what happens between them. */
import * as v from 'valibot';

import { register, verifyOtp } from '#contract/endpoints/account';

import { goodPassword, type TestServer } from './test-server.ts';

export const ada = 123_456_789;
export const adaId = String(ada);
export const minute = 60_000;

/** Registers as somebody does in their browser, which keeps the attempt. */
export async function registerAs(
  server: TestServer,
  password = goodPassword,
  email = 'ada@example.org',
) {
  const reply = await server.call(register, { telegram_id: adaId, email, password });
  const { attempt } = v.parse(v.object({ attempt: v.string() }), reply.body);
  return { attempt, code: server.inbox.at(-1)?.code ?? 'none', reply };
}

export function verify(server: TestServer, otp_code: string, attempt?: string) {
  return server.call(verifyOtp, { telegram_id: adaId, otp_code, attempt });
}

/** Six digits, but not these. */
export function anotherThan(code: string, step = 1): string {
  return String((Number(code) + step) % 1_000_000).padStart(6, '0');
}
