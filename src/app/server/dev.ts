// The server of `npm run dev`; scripts/dev.ts restarts it when its code changes.
import { createDevPages } from './dev-pages.ts';
import { startSite } from './start-site.ts';

await startSite({ loadPages: async () => createDevPages(), drainMs: 0 });
process.send?.('ready');
