// The server of `npm run dev`, restarted by scripts/dev.ts whenever its code changes.
import { devPages } from './dev-pages.ts';
import { startSite } from './start-site.ts';

await startSite({ openPages: async () => devPages(), drainMs: 0 });
