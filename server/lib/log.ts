/** Structured logs, one JSON object a line, without anything secret in them. */
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

/** Names that may hold a secret. Nothing logs them on purpose; this is the second lock. */
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

/** Writes to standard error, as standard output is for people, unless told otherwise. */
export function createLog(level: string, destination?: DestinationStream): Logger {
  return pino(
    {
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
