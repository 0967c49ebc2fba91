/** Structured logs without secrets, one JSON object a line. */
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';

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
