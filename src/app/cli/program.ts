import { Command } from 'commander';
import { backupCommand, restoreCommand } from './backup-commands.ts';
import { configCommand } from './config-command.ts';
import { demoCommand } from './demo-command.ts';
import { doctorCommand } from './doctor-command.ts';
import { importCommand } from './import-folder-command.ts';
import { migrateCommand } from './migrate-command.ts';
import { ocrCommand } from './ocr-command.ts';
import { reindexCommand } from './reindex-command.ts';
import { translateCommanderMessages } from './translate-commander-messages.ts';
import { userCommand } from './user-command.ts';

export const program = new Command('douku')
  .description('豆库的命令行工具')
  .addCommand(doctorCommand)
  .addCommand(configCommand)
  .addCommand(userCommand)
  .addCommand(importCommand)
  .addCommand(demoCommand)
  .addCommand(reindexCommand)
  .addCommand(ocrCommand)
  .addCommand(migrateCommand)
  .addCommand(backupCommand)
  .addCommand(restoreCommand);
translateCommanderMessages(program);
