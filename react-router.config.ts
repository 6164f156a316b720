import type { Config } from '@react-router/dev/config';

export default {
  appDirectory: 'src/app/web',
  ssr: true,
  // Few routes: knowing them all from the start saves a request per navigation.
  routeDiscovery: { mode: 'initial' },
} satisfies Config;
