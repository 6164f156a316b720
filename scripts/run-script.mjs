// `npm run <bench, stress or another long script>`: runs set-up and build, then the script on Node 24.
import { main, runNode24 } from './run-node24.mjs';
import { ensureBuild, ensureNodeModules, toolEnvironment } from './setup.mjs';

await main(() => {
  const [program, ...args] = process.argv.slice(2);
  ensureNodeModules();
  ensureBuild();
  runNode24(program, args, toolEnvironment({ NODE_ENV: 'production' }));
});
