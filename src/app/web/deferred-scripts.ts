/** The scripts load after this time even if the picture has not loaded. */
const MAX_DELAY_MS = 3_000;

/**
 * Runs in the browser. Loads the scripts after the first frame with the picture of high fetch priority is painted, so that
 * they do not compete with visible content on a slow connection.
 */
const loaderScript = (files: readonly string[]) => `(function (files) {
  var nonce = document.currentScript.nonce;
  var hasStarted = false;
  function add(name, values) {
    document.head.append(Object.assign(document.createElement(name), values));
  }
  function loadScripts() {
    if (hasStarted) return;
    hasStarted = true;
    files.forEach(function (href) { add('link', { rel: 'modulepreload', href: href, nonce: nonce }); });
    var text = document.querySelector('script[type="text/later"]').textContent;
    add('script', { type: 'module', nonce: nonce, textContent: text });
  }
  function afterFrame() {
    requestAnimationFrame(function () { requestAnimationFrame(loadScripts); });
  }
  addEventListener('DOMContentLoaded', function () {
    var picture = document.querySelector('img[fetchpriority="high"]');
    // A background tab paints no frames, and only scripts can show the place that the fragment names.
    if (document.hidden || location.hash) return loadScripts();
    setTimeout(loadScripts, ${MAX_DELAY_MS});
    if (!picture || picture.complete) return afterFrame();
    picture.addEventListener('load', afterFrame);
    picture.addEventListener('error', afterFrame);
  });
})(${JSON.stringify(files)});`;

/** Replaces the module scripts of a page by an inline script that loads them after the first paint. */
export function deferScripts(html: string, nonce: string): string {
  const files: string[] = [];
  return html
    .replace(/<link rel="modulepreload"[^>]*? href="([^"]*)"[^>]*>/g, (_, href: string) => {
      files.push(href);
      return '';
    })
    .replace(/(<script[^>]*) type="module" async=""/, '$1 type="text/later"')
    .replace('</head>', () => `<script nonce="${nonce}">${loaderScript(files)}</script></head>`);
}
