/** Structured logs without secrets, one JSON object a line. */
import { createHmac } from 'node:crypto';
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino';

import { deriveKey } from './derived-keys.ts';

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
      timestamp: stdTimeFunctions.isoTime,
      redact: {
        paths: secretNames.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
        censor: '[secret]',
      },
    },
    destination ?? pino.destination({ fd: 2, sync: true }),
  );
}

/** How the log of security events names users: by a keyed hash, so that it holds no ID of a deleted account. */
export function createSubjects(secretKey: string): (telegramId: number) => string {
  const key = deriveKey(secretKey, 'nori log subjects');
  return (telegramId) =>
    createHmac('sha256', key).update(String(telegramId)).digest('hex').slice(0, 16);
}

/** What an error of ours or of Node.js says. Those of PostgreSQL also repeat the values of the row. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) {
    return error;
  }
  const { type, message, stack, code } = stdSerializers.err(error);
  return { type, message, stack, code };
}

/** The ID of a private chat is that of a person; groups have IDs below zero. */
function maskPrivateChat(chatId: unknown): unknown {
  return typeof chatId === 'number' && chatId > 0 ? '[private]' : chatId;
}
