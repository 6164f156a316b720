import { useNonce } from './nonce.ts';
import { STORAGE_PREFIX } from './storage.ts';
import { TrustedHtml } from './ui/trusted-html.tsx';

/**
 * Runs before the first paint: theme and "somebody is logged in" come from the browser's storage,
 * which the server cannot know. Styles read the attributes, so nothing flickers.
 */
const boot = `(function () {
  var root = document.documentElement;
  function kept(key) {
    try { return JSON.parse(localStorage.getItem('${STORAGE_PREFIX}' + key)).state || {}; } catch (e) { return {}; }
  }
  var theme = kept('device').theme;
  var dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.dataset.theme = dark ? 'dark' : 'light';
  root.dataset.scripting = '';
  var session = kept('user');
  if (session.token && session.user && session.user.id > 0) root.dataset.session = 'user';
})();`;

export function BootScript() {
  return <TrustedHtml as="script" html={boot} nonce={useNonce()} suppressHydrationWarning />;
}
