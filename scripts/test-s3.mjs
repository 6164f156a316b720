// `npm run test:s3`: runs the storage tests against a real S3 server, Ceph's radosgw from Debian's packages: one node,
// data in memory, on loopback only, deleted when the run ends.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCeph } from './ceph.mjs';
import { ensureEngine, runSuite } from './engine-suite.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules } from './setup.mjs';

const commands = {
  'ceph-mon': 'ceph-mon',
  'ceph-osd': 'ceph-osd',
  'ceph-mgr': 'ceph-mgr',
  radosgw: 'radosgw',
  'ceph-common': 'radosgw-admin',
};

await main(async () => {
  ensureNodeModules();
  ensureEngine('S3 存储测试', commands, 'S3 存储测试没有运行：缺少 Ceph，也无权安装');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-ceph-'));
  const ceph = startCeph(folder);
  const interrupt = () => ceph.stop();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const { host, accessKey, secretKey } = await ceph.ready;
    console.log(`radosgw 已启动：${host}`);
    const keys = `${encodeURIComponent(accessKey)}:${encodeURIComponent(secretKey)}`;
    const environment = { STORAGE_URL: `s3://${keys}@${host}/douku-test?ssl=false` };
    process.exitCode = await runSuite('vitest.s3.config.ts', environment);
  } finally {
    await ceph.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
