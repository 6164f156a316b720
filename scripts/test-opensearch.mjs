// `npm run test:opensearch`: runs the search tests against an OpenSearch cluster of two nodes, downloaded with Maven.
// The cluster listens on loopback only and is deleted when the run ends.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureEngine, runSuite } from './engine-suite.mjs';
import { fetchOpenSearch, startOpenSearch } from './opensearch.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';

await main(async () => {
  ensureNodeModules();
  ensureEngine(
    'OpenSearch 测试',
    { maven: 'mvn', 'default-jre-headless': 'java', unzip: 'unzip' },
    'OpenSearch 测试没有运行：缺少 Maven、Java 或 unzip，也无权安装',
  );
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-opensearch-'));
  chmodSync(folder, 0o755);
  let cluster = null;
  const interrupt = () => cluster?.stop();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    cluster = await startOpenSearch(folder, fetchOpenSearch(folder));
    console.log(`OpenSearch 集群已启动，两个节点：${cluster.url}`);
    const environment = { SEARCH_URL: cluster.url };
    const filters = process.argv.slice(2);
    process.exitCode = await runSuite('vitest.opensearch.config.ts', environment, filters);
  } finally {
    await cluster?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
