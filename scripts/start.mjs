// `npm start`: from a fresh checkout to a running site.
import { main, runNode24 } from './run-node24.mjs';
import { ensureBuild, ensureNodeModules } from './setup.mjs';
import { ensureSystemPrograms, programsFor } from './system-programs.mjs';

await main(() => {
  ensureNodeModules();
  ensureSystemPrograms(programsFor('runtime'));
  // A worker serves no pages.
  if (process.env.MODE !== 'worker') ensureBuild();
  const env = { ...process.env, NODE_ENV: process.env.NODE_ENV || 'production' };
  runNode24('src/app/server/main.ts', process.argv.slice(2), env);
});
