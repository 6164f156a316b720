// `npm run test:opensearch`: the suite of the search against a real OpenSearch cluster of two nodes,
// fetched by name from the Maven registry. On loopback only; it is gone when the run ends.
import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fetchOpenSearch, startOpenSearch } from './opensearch.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules, root, SetupError, toolEnvironment } from './setup.mjs';
import { ensureSystemPrograms } from './system-programs.mjs';

const packages = [
  ['maven', 'mvn'],
  ['default-jre-headless', 'java'],
  ['unzip', 'unzip'],
].map(([name, command]) => ({
  name,
  package: name,
  commands: [command],
  use: 'tests',
  required: true,
  purpose: 'OpenSearch 测试',
}));

function runSuite(searchUrl, filters) {
  return new Promise((resolve) => {
    const args = ['run', '--config', 'vitest.opensearch.config.ts', ...filters];
    const env = toolEnvironment({ SEARCH_URL: searchUrl });
    const suite = spawn('vitest', args, { cwd: root, env, stdio: 'inherit' });
    suite.once('error', () => resolve(1));
    suite.once('exit', (code) => resolve(code ?? 1));
  });
}

await main(async () => {
  ensureNodeModules();
  if (ensureSystemPrograms(packages).length > 0)
    throw new SetupError('OpenSearch 测试没有运行：缺少 Maven、Java 或 unzip，也无权安装');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-opensearch-'));
  chmodSync(folder, 0o755);
  let cluster = null;
  const interrupt = () => cluster?.stop();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    cluster = await startOpenSearch(folder, fetchOpenSearch(folder));
    console.log(`OpenSearch 集群已启动，两个节点：${cluster.url}`);
    process.exitCode = await runSuite(cluster.url, process.argv.slice(2));
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
