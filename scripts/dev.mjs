// `npm run dev [-- --demo]`: the site from its sources; see dev.ts.
import { main, runNode24 } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';
import { ensureSystemPrograms, programsFor } from './system-programs.mjs';

await main(() => {
  ensureNodeModules();
  ensureSystemPrograms(programsFor('runtime'));
  // dev.ts prints the time from the command to the first answer.
  const COMMAND_BEGIN_MS = String(Date.now() - Math.round(process.uptime() * 1000));
  runNode24('scripts/dev.ts', process.argv.slice(2), { ...process.env, NODE_ENV: 'development', COMMAND_BEGIN_MS });
});
