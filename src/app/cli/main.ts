import { Command, CommanderError } from 'commander';
import { AppError } from '#platform/contract/errors.ts';
import { ConfigError } from '#platform/server/config.ts';
import { PostgresStartError } from '#platform/server/postgres/start-error.ts';
import { backupCommand, restoreCommand } from './backup-commands.ts';
import { configCommand } from './config-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { importCommand } from './import-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { speakChinese } from './speak-chinese.ts';
import { userCommand } from './user-command.ts';
import { CommandError } from './with-site.ts';

const program = new Command('douku')
  .description('豆库的命令行工具')
  .addCommand(doctorCommand)
  .addCommand(configCommand)
  .addCommand(userCommand)
  .addCommand(importCommand)
  .addCommand(migrateCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand);
speakChinese(program);

const forOperator = [CommandError, ConfigError, PostgresStartError, AppError, CommanderError];

program.parseAsync().catch((error: unknown) => {
  const known = forOperator.some((kind) => error instanceof kind);
  const text = error instanceof Error ? (known ? error.message : error.stack) : error;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
});
