// `npm run check`: every check that needs no running site. `npm run typecheck`: the types alone.
import { checks, typeChecks } from './checks.mjs';
import { runCommand } from './run-command.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';

const PARALLEL_CHECKS = 2;

await main(async () => {
  ensureNodeModules();
  const startedAt = Date.now();
  const seconds = (since) => ((Date.now() - since) / 1000).toFixed(1);
  const pendingChecks = [...(process.argv[2] === 'types' ? typeChecks : checks)];
  let failures = 0;
  const work = async () => {
    for (let check = pendingChecks.shift(); check; check = pendingChecks.shift()) {
      const since = Date.now();
      const { code, output } = await runCommand(check.command, check.args);
      console.log(`${code === 0 ? '✓' : '✗'} ${check.name}  ${seconds(since)} s`);
      if (code === 0) continue;
      failures++;
      console.log(output.trimEnd());
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_CHECKS }, work));
  console.log(`${failures === 0 ? '检查通过' : `${failures} 项检查没有通过`}，用时 ${seconds(startedAt)} 秒`);
  process.exitCode = failures > 0 ? 1 : 0;
});
