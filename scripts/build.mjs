// `npm run build`: builds the pages when their sources changed.
import { main } from './run-node24.mjs';
import { ensureBuild, ensureNodeModules } from './setup.mjs';

await main(() => {
  ensureNodeModules();
  ensureBuild();
});
