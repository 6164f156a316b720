// `npm run test:image [-- --keep]`: builds both targets of the Dockerfile and runs them as compose.yaml does.
// Uses docker if its daemon responds, otherwise podman, which is installed from Debian's packages if missing.
import { spawnSync } from 'node:child_process';
import { ensureEngine } from './engine-suite.mjs';
import { main, runNode24 } from './run-node24.mjs';
import { ensureNodeModules, toolEnvironment } from './setup.mjs';

const hasDocker = spawnSync('docker', ['info'], { stdio: 'ignore' }).status === 0;
const commands = { podman: 'podman', runc: 'runc', debootstrap: 'debootstrap' };

await main(() => {
  ensureNodeModules();
  if (!hasDocker) ensureEngine('镜像测试', commands, '镜像测试没有运行：没有 docker 或 podman，也无权安装');
  const args = [hasDocker ? 'docker' : 'podman', ...process.argv.slice(2)];
  runNode24('scripts/test-image.ts', args, toolEnvironment());
});
