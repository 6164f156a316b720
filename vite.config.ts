import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/**
 * When a route's file is gone, React Router reloads the page, again and again. It shall tell the page instead,
 * as Vite does for every other lazily loaded file; the page decides (platform/web/reload-on-chunk-failure.ts). Refused,
 * the route is one that fails, which shows the error page: a rejection here would leave the router waiting.
 */
const routeFailureAsEvent: Plugin = {
  name: 'route-failure-as-event',
  enforce: 'pre',
  transform: {
    filter: { id: /react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js/ },
    handler(code) {
      const reload = 'window.location.reload();';
      if (!code.includes(reload)) this.error('React Router no longer reloads here: look again');
      return code.replace(
        reload,
        `const reloading = () => {
          const failed = new Event('vite:preloadError', { cancelable: true });
          failed.payload = error;
          return !window.dispatchEvent(failed);
        };
        const fail = () => {
          if (!reloading()) throw error;
          return new Promise(() => {});
        };
        if (!reloading()) return { default: fail, clientLoader: fail };`,
      );
    },
  },
};

export default defineConfig(({ command }) => ({
  plugins: [routeFailureAsEvent, tailwindcss(), reactRouter()],
  // The server keeps one copy of React and of the router; the rest is bundled, so that a start reads few files.
  ssr: {
    noExternal: command === 'build' ? true : [],
    external: ['react', 'react-dom', 'react-router', '@react-router/node'],
  },
  // For development: packages found only later would make the browser load the page again.
  optimizeDeps: { entries: ['src/**/web/**/*.{ts,tsx}', '!src/**/*.test.*'] },
  build: {
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Few files for the first page: what changes with React, and what most public pages share.
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|react-router|cookie-es|zustand|zod)\//,
              minShareCount: 4,
            },
            {
              name: 'site',
              // What opens over a page brings a kit along and loads when it is asked for.
              test: /^(?!.*\/node_modules\/).*\/src\/(?!.*\/(admin\/|ui\/(confirm-dialog|dialog|menu|tabs|tooltip)\.))|node_modules\/lucide-react\//,
              minShareCount: 4,
            },
            {
              // Every public page has them; each as a file of its own would cost a way to the server.
              name: 'shell',
              test: /\/src\/(app\/web\/(site-provider|public\/(site-closed|search-box|top-bar|error-screen))|platform\/web\/(nonce|ui\/lazy-menu)|modules\/(access\/web\/(site-gate|use-logout)|sign-in\/web\/sign-in-button|friend-link\/friend-link\.contract|reading\/position\.contract))\.|@tanstack\/(query-core|react-query)\/.*[mM]utation\./,
            },
          ],
        },
      },
    },
  },
}));
