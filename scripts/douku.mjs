// `npm run -s douku -- …`: the command line.
import { main, runNode24 } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';

await main(() => {
  ensureNodeModules({ dev: false });
  runNode24('src/app/cli/main.ts', process.argv.slice(2));
});
