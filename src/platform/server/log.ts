import { type Logger, pino } from 'pino';
import type { Config } from './config.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug' | 'fatal'>;

const SECRET_KEYS = ['password', 'old_password', 'new_password', 'token', 'authorization', 'cookie'];

/**
 * A failed query is logged with its text and the error of the database, never with its values: they contain password
 * hashes, settings and user content.
 */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, constraint, query } = error as {
    code?: string;
    constraint?: string;
    query?: string;
  };
  const message = query === undefined ? error.message : 'a query failed';
  const stack = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    type: error.constructor.name,
    message,
    ...(code !== undefined && { code }),
    ...(constraint !== undefined && { constraint }),
    ...(query !== undefined && { query }),
    stack: stack.join('\n'),
    ...(error.cause !== undefined && { cause: serializeError(error.cause) }),
  };
}

/** Structured lines on standard output, with secrets redacted. */
export const createLog = (level: Config['logLevel']): Logger =>
  pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    redact: {
      paths: SECRET_KEYS.flatMap((key) => [key, `*.${key}`, `*.*.${key}`]),
      censor: '[secret]',
    },
  });
