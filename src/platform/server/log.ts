import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'>;

const secrets = ['password', 'old_password', 'new_password', 'token', 'authorization', 'cookie'];

/** Structured lines on standard output; what looks like a secret is never written. */
export const createLog = (level: Config['logLevel']): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: {
      paths: secrets.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
  });
