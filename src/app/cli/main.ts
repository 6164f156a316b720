import { CommanderError } from 'commander';
import { AppError } from '#platform/contract/errors.ts';
import { ConfigError } from '#platform/server/config.ts';
import { PostgresStartError } from '#platform/server/postgres/start-error.ts';
import { program } from './program.ts';
import { CommandError } from './with-site.ts';

// Whoever reads only the beginning, as `head` does, has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit();
  throw error;
});

const forOperator = [CommandError, ConfigError, PostgresStartError, AppError, CommanderError];

program.parseAsync().catch((error: unknown) => {
  const known = forOperator.some((kind) => error instanceof kind);
  const text = error instanceof Error ? (known ? error.message : error.stack) : error;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
