/** Structured logs without secrets, one JSON object a line. */
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';

import { createSigner, deriveKey, type SecretKeys } from './derived-keys.ts';
import { currentRequestId, currentSpan } from './request-context.ts';

/** Names of fields that may hold a secret. They are not logged on purpose; this is a second safeguard. */
const secretNames = [
  'password',
  'token',
  'access_token',
  'authorization',
  'otp',
  'otp_code',
  'code',
  'init_data',
];

/** The log of security events: it has no level, as an operator who wants little logged needs them all the same. */
export function createSecurityLog(destination?: DestinationStream): Logger {
  return createLog('info', destination);
}

/** Writes to standard error by default, as standard output is for messages to the operator. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
      serializers: { err: serializeError, chatId: maskPrivateChat },
      level,
      base: null,
      mixin: nameWork,
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[secret]',
      },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
}

/** The request, update or job that a line is about, and its trace. */
function nameWork(): Readonly<Record<string, string>> {
  const requestId = currentRequestId();
  const traceId = currentSpan()?.traceId;
  return {
    ...(requestId === '' ? {} : { requestId }),
    ...(traceId === undefined ? {} : { traceId }),
  };
}

type ToSubject = (telegramId: number) => string;

const subjectBytes = 8;

function createSubject(secretKey: string): ToSubject {
  const { sign } = createSigner([deriveKey(secretKey, 'nori log subjects')], subjectBytes);
  return (telegramId) => sign(String(telegramId)).toString('hex');
}

type Subjects = readonly [ToSubject, ...ToSubject[]];

/**
 * How the log of security events names users: by a keyed hash, so that it holds no ID of a deleted account. The first
 * names them in what is logged now; by the others they were named under earlier keys.
 */
export function createSubjects([first, ...previous]: SecretKeys): Subjects {
  return [createSubject(first), ...previous.map(createSubject)];
}

/** What an error of ours or of Node.js says. Those of PostgreSQL also repeat the values of the row. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const { type, message, stack, code } = stdSerializers.err(error);
  // What is called `code` is taken for a one-time password.
  return { type, message, stack, ...(code === undefined ? {} : { errorCode: code }) };
}

/** The ID of a private chat is that of a person; groups have IDs below zero. */
function maskPrivateChat(chatId: unknown): unknown {
  return typeof chatId === 'number' && chatId > 0 ? '[private]' : chatId;
}
