import { inspect } from 'node:util';
import { CommanderError } from 'commander';
import { AppError } from '#platform/contract/errors.ts';
import { ConfigError } from '#platform/server/config.ts';
import { PostgresStartError } from '#platform/server/postgres/start-error.ts';
import { program } from './program.ts';
import { CommandError } from './with-site.ts';

const OPERATOR_ERRORS = [CommandError, ConfigError, PostgresStartError, AppError, CommanderError];

export async function runProgram(args: string[]): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    const isForOperator = OPERATOR_ERRORS.some((errorClass) => error instanceof errorClass);
    // With the cause, for example the answer of the S3 server.
    const text = error instanceof Error && isForOperator ? error.message : inspect(error);
    process.stderr.write(`${text}\n`);
    process.exitCode = 1;
  }
}
