// `npm run dev [-- --demo]`: the site from its sources; see dev.ts.
import { main, runNode24 } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';
import { ensureSystemPrograms, programsFor } from './system-programs.mjs';

await main(() => {
  ensureNodeModules();
  ensureSystemPrograms(programsFor('runtime'));
  runNode24('scripts/dev.ts', process.argv.slice(2), { ...process.env, NODE_ENV: 'development' });
});
