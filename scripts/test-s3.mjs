// `npm run test:s3`: the storage suite against a real S3 server, Ceph's radosgw from Debian's packages.
// One node, its data in memory, on loopback only; it is gone when the run ends.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCeph } from './ceph.mjs';
import { main } from './run-node24.mjs';
import { ensureNodeModules, root, SetupError, toolEnvironment } from './setup.mjs';
import { ensureSystemPrograms } from './system-programs.mjs';

const packages = [
  ['ceph-mon', 'ceph-mon'],
  ['ceph-osd', 'ceph-osd'],
  ['ceph-mgr', 'ceph-mgr'],
  ['radosgw', 'radosgw'],
  ['ceph-common', 'radosgw-admin'],
].map(([name, command]) => ({
  name,
  package: name,
  commands: [command],
  use: 'tests',
  required: true,
  purpose: 'S3 存储测试',
}));

function runSuite(storageUrl) {
  return new Promise((resolve) => {
    const args = ['run', '--config', 'vitest.s3.config.ts'];
    const env = toolEnvironment({ STORAGE_URL: storageUrl });
    const suite = spawn('vitest', args, { cwd: root, env, stdio: 'inherit' });
    suite.once('error', () => resolve(1));
    suite.once('exit', (code) => resolve(code ?? 1));
  });
}

await main(async () => {
  ensureNodeModules();
  if (ensureSystemPrograms(packages).length > 0)
    throw new SetupError('S3 存储测试没有运行：缺少 Ceph，也无权安装');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'douku-ceph-'));
  const ceph = startCeph(folder);
  const interrupt = () => ceph.stop();
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    const { host, accessKey, secretKey } = await ceph.ready;
    console.log(`radosgw 已启动：${host}`);
    const keys = `${encodeURIComponent(accessKey)}:${encodeURIComponent(secretKey)}`;
    process.exitCode = await runSuite(`s3://${keys}@${host}/douku-test?ssl=false`);
  } finally {
    await ceph.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
