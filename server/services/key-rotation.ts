/**
 * What happens when one key of the server follows another: keys that name users in lasting rows stay, sealed in the
 * database, and everything that is sealed for long is sealed anew with the new key, so that the old one can be dropped.
 */
import { type Dependencies } from '#server/app/dependencies';
import { createKeptKeyRepository } from '#server/db/kept-keys';
import {
  deriveKey,
  deriveKeys,
  type Keys,
  type KeptKeys,
  type KeptPurpose,
  keptPurposes,
} from '#server/lib/derived-keys';
import { createSecretBox } from '#server/lib/secret-box';
import { countOtherwiseSealed, sealTokensAnew } from '#services/connections';

type Needs = Pick<Dependencies, 'database' | 'env' | 'random'>;

const purposes: readonly KeptPurpose[] = ['limits', 'passkeyUsers', 'erasedIds'];
const madeWithLength = 16;

const createKeptBox = ({ env, random }: Needs) =>
  createSecretBox(deriveKeys(env.secretKeys, 'nori kept keys'), random);

/**
 * Reads the keys that stay, and makes those that are missing: at first they are what was derived from the key of the
 * server, so that what was stored before is still recognised. Warns when other keys protect the database than those of
 * this server.
 */
export async function openKeptKeys({
  clock,
  log,
  ...needs
}: Needs & Pick<Dependencies, 'clock' | 'log'>): Promise<KeptKeys> {
  const { secretKeys } = needs.env;
  const box = createKeptBox(needs);
  const stored = createKeptKeyRepository(needs.database.db);

  async function read() {
    const rows = await stored.list();
    const opened = rows.flatMap(({ purpose, sealed }) => {
      const key = box.open(sealed, purpose);
      return key === undefined ? [] : [{ purpose, key: Buffer.from(key, 'base64url') }];
    });
    return { rows, opened };
  }

  let { rows, opened } = await read();
  const missing = purposes.filter((purpose) => opened.every((key) => key.purpose !== purpose));
  if (missing.length > 0) {
    if (rows.some(({ purpose }) => missing.some((one) => one === purpose))) {
      log.warn(
        'SECRET_KEY is not the key that has protected this database, and SECRET_KEY_PREVIOUS does not name that key: ' +
          'linked accounts and passkeys of before cannot be used, and links and codes are refused',
      );
    }
    await stored.add(
      missing.map((purpose) => ({
        purpose,
        made_with: deriveKey(secretKeys[0], 'nori key name').toString('hex', 0, madeWithLength / 2),
        made_at: clock(),
        sealed: box.seal(
          deriveKey(secretKeys[0], keptPurposes[purpose]).toString('base64url'),
          purpose,
        ),
      })),
    );
    ({ rows, opened } = await read());
  }

  /** Behind the one that counts are those that may have been in use before there was one. */
  const toKeys = (purpose: KeptPurpose): Keys => {
    const derived = deriveKeys(secretKeys, keptPurposes[purpose]);
    const [first = derived[0], ...others] = opened
      .filter((one) => one.purpose === purpose)
      .map(({ key }) => key);
    return [first, ...others, ...derived];
  };
  return {
    limits: toKeys('limits'),
    passkeyUsers: toKeys('passkeyUsers'),
    erasedIds: toKeys('erasedIds'),
  };
}

/** Seals anew what an earlier key has sealed. Can be broken off and repeated at any time. */
export async function sealAnew(needs: Needs): Promise<void> {
  if (needs.env.secretKeys.length === 1) {
    return;
  }
  const box = createKeptBox(needs);
  const stored = createKeptKeyRepository(needs.database.db);
  for (const row of await stored.list()) {
    const key = row.sealed.startsWith(box.prefix) ? undefined : box.open(row.sealed, row.purpose);
    if (key !== undefined) {
      await stored.replaceSeal(row, box.seal(key, row.purpose));
    }
  }
  await sealTokensAnew(needs);
}

/** What cannot be opened with the first key alone: while there is any, no earlier key can be dropped. */
export async function countSealedBefore(
  needs: Needs,
): Promise<{ readonly keptKeys: number; readonly connections: number }> {
  const box = createKeptBox(needs);
  const rows = await createKeptKeyRepository(needs.database.db).list();
  return {
    keptKeys: rows.filter(({ sealed }) => !sealed.startsWith(box.prefix)).length,
    connections: await countOtherwiseSealed(needs),
  };
}
