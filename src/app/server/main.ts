import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#platform/server/config.ts';
import { loadBuiltPages } from './built-pages.ts';
import { DRAIN_MS } from './serve-requests.ts';
import { StartError, startSite } from './start-site.ts';

const build = join(projectRoot, 'build');

await startSite({
  loadPages() {
    if (!existsSync(join(build, 'server/index.js'))) throw new StartError('页面还没有构建，请用 npm start 启动');
    return loadBuiltPages(build);
  },
  drainMs: DRAIN_MS,
});
