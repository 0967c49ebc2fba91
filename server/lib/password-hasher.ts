/** Hashes passwords with Argon2id. Only a few at a time: each one takes memory and a thread. */
import { argon2, type Argon2Parameters, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import { createKeyedSemaphore, createSlotLimiter } from './concurrency.ts';
import { AppError } from './errors.ts';

export type PasswordHasher = {
  /** A PHC string with its own salt. Throws `busy` when too many wait. */
  readonly hash: (password: string) => Promise<string>;
  /** Whether the password made this PHC string. Throws `busy` when too many wait. */
  readonly verify: (password: string, phc: string) => Promise<boolean>;
  /** Whether the string was made with weaker parameters than the present ones. */
  readonly isOutdated: (phc: string) => boolean;
  /** Matches no password. Checking an unknown ID against it takes as long as checking a known one. */
  readonly unmatchableHash: string;
  /** Whether the string is such a hash, of these or of earlier parameters. */
  readonly isUnmatchable: (phc: string) => boolean;
};

type Strength = { readonly memory: number; readonly passes: number };

/** One of the equivalent settings that OWASP recommends: 19 MiB (given in KiB) and two passes. */
const recommended: Strength = { memory: 19_456, passes: 2 };
const parallelism = 1;
const tagLength = 32;
const saltLength = 16;
const unmatchableTag = Buffer.alloc(tagLength, 1);
const concurrency = 4;
const queueLength = 100;

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const deriveByNode = promisify(argon2);
type Derive = (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>;

/** `derive` computes a hash; tests replace it to see how many are computed at a time. */
export function createPasswordHasher(
  { memory, passes } = recommended,
  derive: Derive = deriveByNode,
): PasswordHasher {
  const current = { memory, passes, parallelism, tagLength };
  const slots = createSlotLimiter(concurrency + queueLength);
  const semaphore = createKeyedSemaphore(concurrency);

  const run = (password: string, salt: Buffer, parameters: Parameters) =>
    derive('argon2id', { message: password, nonce: salt, ...parameters });

  async function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const leaveQueue = slots.take('hash');
    if (!leaveQueue) {
      throw new AppError('busy', { retryAfterS: 5 });
    }
    const release = await semaphore.acquire('hash');
    try {
      return await work();
    } finally {
      release();
      leaveQueue();
    }
  }

  return {
    hash: (password) =>
      enqueue(async () => {
        const salt = randomBytes(saltLength);
        return format(current, salt, await run(password, salt, current));
      }),
    verify: (password, phc) =>
      enqueue(async () => {
        const { salt, tag, parameters } = parse(phc);
        return timingSafeEqual(await run(password, salt, parameters), tag);
      }),
    isOutdated: (phc) => {
      const { parameters } = parse(phc);
      return parameters.memory < memory || parameters.passes < passes;
    },
    unmatchableHash: format(current, Buffer.alloc(saltLength, 1), unmatchableTag),
    isUnmatchable: (phc) => parse(phc).tag.equals(unmatchableTag),
  };
}

type Parameters = { memory: number; passes: number; parallelism: number; tagLength: number };

function format({ memory, passes }: Parameters, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`;
}

function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}

function parse(phc: string): { salt: Buffer; tag: Buffer; parameters: Parameters } {
  const [, memory, passes, lanes, salt = '', tag = ''] = phcPattern.exec(phc) ?? [];
  if (tag === '') {
    throw new Error('A stored password hash is not an Argon2id string');
  }
  const tagBytes = Buffer.from(tag, 'base64');
  return {
    salt: Buffer.from(salt, 'base64'),
    tag: tagBytes,
    parameters: {
      memory: Number(memory),
      passes: Number(passes),
      parallelism: Number(lanes),
      tagLength: tagBytes.length,
    },
  };
}
