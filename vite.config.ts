import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';

/**
 * When the chunk of a route is missing, React Router reloads the page without a limit. This plugin replaces the reload
 * by the event that Vite dispatches for every other missing chunk, so that platform/web/reload-on-chunk-failure.ts limits
 * the reloads. If the page is not reloaded, the route fails when it is loaded or rendered, which shows the error page; a
 * rejected promise would leave the router waiting.
 */
const routeFailureAsEvent: Plugin = {
  name: 'route-failure-as-event',
  enforce: 'pre',
  transform: {
    filter: { id: /react-router\/dist\/\w+\/lib\/dom\/ssr\/routeModules\.js/ },
    handler(code) {
      const reload = 'window.location.reload();';
      if (!code.includes(reload)) this.error('React Router no longer reloads the page here: adapt this plugin');
      return code.replace(
        reload,
        `const requestReload = () => {
          const event = new Event('vite:preloadError', { cancelable: true });
          event.payload = error;
          return !window.dispatchEvent(event);
        };
        const fail = () => {
          if (!requestReload()) throw error;
          return new Promise(() => {});
        };
        if (!requestReload()) return { default: fail, clientLoader: fail };`,
      );
    },
  },
};

export default defineConfig(({ command }) => ({
  plugins: [routeFailureAsEvent, tailwindcss(), reactRouter()],
  // React and the router must exist only once in the server process; all other packages are bundled, so that the server
  // reads few files when it starts.
  ssr: {
    noExternal: command === 'build' ? true : [],
    external: ['react', 'react-dom', 'react-router', '@react-router/node'],
  },
  // In development Vite reloads the page when it discovers a package late, so all entries are scanned at the start.
  optimizeDeps: { entries: ['src/**/web/**/*.{ts,tsx}', '!src/**/*.test.*'] },
  build: {
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // The first page loads few files: the packages, the code that most public pages share, and the page itself.
          groups: [
            {
              name: 'vendor',
              test: /node_modules\/(react|react-dom|scheduler|react-router|cookie-es|zustand|zod)\//,
              minShareCount: 4,
            },
            {
              name: 'site',
              // Dialogs, menus, tabs and tooltips import a component library, so they are loaded when they are first opened.
              // Forms and page numbers of lists are on neither the home page nor the page of a document, which has no list
              // of documents either; files are replaced by forms that are loaded when they are shown.
              test: /^(?!.*\/node_modules\/).*\/src\/(?!.*\/(admin\/|captcha\/|auth-frame|use-form|last-page-redirect|document-(card|file|list|list-row|meta|status-tag)\.|recycle\.|twins-note\.|ui\/(confirm-dialog|dialog|field|list-placeholder|menu|pagination|tabs|tooltip)\.))|node_modules\/lucide-react\//,
              minShareCount: 4,
            },
            {
              // Used by every public page; separate files would each cost a request.
              name: 'shell',
              test: /\/src\/(app\/web\/(settings-and-categories-provider|public\/(site-closed|search-box|top-bar|error-screen))|platform\/web\/(nonce|ui\/lazy-menu)|modules\/(role\/web\/site-access|account\/web\/use-logout|check-in\/web\/check-in-button|friend-link\/friend-link\.contract|reading\/position\.contract))\.|@tanstack\/(query-core|react-query)\/.*[mM]utation\./,
            },
          ],
        },
      },
    },
  },
}));
