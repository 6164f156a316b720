// `npm run format`: formats every file and corrects what the linter can correct.
import { runCommand } from './run-command.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';

await main(async () => {
  ensureNodeModules();
  const { code } = await runCommand('biome', ['check', '--write'], console.log);
  process.exitCode = code;
});
