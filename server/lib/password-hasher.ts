/** Hashes passwords with Argon2id, a few at a time, as each one takes memory and a thread. */
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

import { AppError } from './errors.ts';

export type PasswordHasher = {
  /** A PHC string with its own salt. Throws `busy` when too many wait. */
  readonly hash: (password: string) => Promise<string>;
  /** Whether the password made this PHC string. Throws `busy` when too many wait. */
  readonly verify: (password: string, phc: string) => Promise<boolean>;
  /** Whether the string was made with weaker parameters than those of today. */
  readonly isOutdated: (phc: string) => boolean;
  /** Of no password: an unknown id is checked against it, and so costs the same as a known one. */
  readonly nobodysHash: string;
};

type Strength = { readonly memory: number; readonly passes: number };

/** One of the equivalent settings that OWASP recommends: 19 MiB (given in KiB) and two passes. */
const recommended: Strength = { memory: 19_456, passes: 2 };
const parallelism = 1;
const tagLength = 32;
const saltLength = 16;
const concurrency = 4;
const queueLength = 100;

const phcPattern =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;
const derive = promisify(argon2);

export function createPasswordHasher({ memory, passes } = recommended): PasswordHasher {
  const today = { memory, passes, parallelism, tagLength };
  const atMost = createQueue();

  return {
    hash: (password) =>
      atMost(async () => {
        const salt = randomBytes(saltLength);
        return format(today, salt, await run(password, salt, today));
      }),
    verify: (password, phc) =>
      atMost(async () => {
        const { salt, tag, parameters } = parse(phc);
        return timingSafeEqual(await run(password, salt, parameters), tag);
      }),
    isOutdated: (phc) => {
      const { parameters } = parse(phc);
      return parameters.memory < memory || parameters.passes < passes;
    },
    nobodysHash: format(today, Buffer.alloc(saltLength, 1), Buffer.alloc(tagLength, 1)),
  };
}

type Parameters = { memory: number; passes: number; parallelism: number; tagLength: number };

function run(password: string, salt: Buffer, parameters: Parameters): Promise<Buffer> {
  return derive('argon2id', { message: password, nonce: salt, ...parameters });
}

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

/** Runs a few at a time; the rest wait their turn, and beyond that many are refused. */
function createQueue() {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= concurrency) {
      if (waiting.length >= queueLength) {
        throw new AppError('busy', { retryAfterS: 5 });
      }
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
      });
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The place goes straight to the next in line, so that nobody slips in between.
      const next = waiting.shift();
      if (next) {
        next();
      } else {
        running -= 1;
      }
    }
  };
}
