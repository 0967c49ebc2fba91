/** Launch data as Telegram signs it, for tests that open the app from Telegram. */
import { createHmac, randomUUID } from 'node:crypto';

/** Signs launch data for a bot; each call is another launch. `signedAt` is in milliseconds; extra fields are signed along. */
export function signLaunchData({
  user,
  botToken,
  signedAt,
  fields = {},
}: {
  readonly user: Readonly<Record<string, unknown>>;
  readonly botToken: string;
  readonly signedAt: number;
  readonly fields?: Readonly<Record<string, string>>;
}): string {
  return signFields(
    {
      query_id: `AAHdF6IQ${randomUUID()}`,
      user: JSON.stringify(user),
      auth_date: String(Math.floor(signedAt / 1000)),
      signature: 'not-checked-by-the-owner-of-the-token',
      ...fields,
    },
    botToken,
  );
}

/** Signs any fields at all, also those that Telegram would never sign. */
export function signFields(fields: Readonly<Record<string, string>>, botToken: string): string {
  const text = Object.entries(fields)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('\n');
  const secret = createHmac('sha256', 'WebAppData').update(botToken).digest();
  const hash = createHmac('sha256', secret).update(text).digest('hex');
  return new URLSearchParams({ ...fields, hash }).toString();
}
