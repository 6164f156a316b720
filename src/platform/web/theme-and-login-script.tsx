import { STORAGE_PREFIX } from './browser-storage.ts';
import { useNonce } from './nonce.ts';
import { TrustedHtml } from './ui/trusted-html.tsx';

/**
 * Sets the theme and whether a user is logged in as attributes before the first paint, so that the page does not
 * flicker. Both are stored in the browser; the server does not know them.
 */
const boot = `(function () {
  var root = document.documentElement;
  function storedState(key) {
    try { return JSON.parse(localStorage.getItem('${STORAGE_PREFIX}' + key)).state || {}; } catch (e) { return {}; }
  }
  var theme = storedState('device').theme;
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  root.dataset.scripting = '';
  var session = storedState('user');
  if (session.token && session.user && session.user.id > 0) root.dataset.session = 'user';
})();`;

export function ThemeAndLoginScript() {
  return <TrustedHtml as="script" html={boot} nonce={useNonce()} suppressHydrationWarning />;
}
