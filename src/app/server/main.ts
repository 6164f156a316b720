import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/server/config.ts';
import { builtPages } from './built-pages.ts';
import { StartError, startSite } from './start-site.ts';

const build = join(projectRoot, 'build');

await startSite({
  openPages() {
    if (!existsSync(join(build, 'server/index.js'))) throw new StartError('页面还没有构建，请用 npm start 启动');
    return builtPages(build);
  },
  // So long a stopping server still answers: proxies notice, and open connections empty.
  drainMs: 1_000,
});
