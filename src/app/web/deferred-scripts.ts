/** How long what one came to see may keep the scripts waiting. */
const LONGEST_MS = 3_000;

/**
 * Runs in the browser. The scripts share a slow line with nothing that is to be seen: they are fetched
 * once the first frame is painted, with the picture that matters most in it.
 */
const starter = (files: readonly string[]) => `(function (files) {
  var nonce = document.currentScript.nonce;
  var isBegun = false;
  function add(name, values) {
    document.head.append(Object.assign(document.createElement(name), values));
  }
  function begin() {
    if (isBegun) return;
    isBegun = true;
    files.forEach(function (href) { add('link', { rel: 'modulepreload', href: href, nonce: nonce }); });
    var text = document.querySelector('script[type="text/later"]').textContent;
    add('script', { type: 'module', nonce: nonce, textContent: text });
  }
  function afterFrame() {
    requestAnimationFrame(function () { requestAnimationFrame(begin); });
  }
  addEventListener('DOMContentLoaded', function () {
    var picture = document.querySelector('img[fetchpriority="high"]');
    // A page in the background paints nothing, and what lies behind this address only scripts can show.
    if (document.hidden || location.hash) return begin();
    setTimeout(begin, ${LONGEST_MS});
    if (!picture || picture.complete) return afterFrame();
    picture.addEventListener('load', afterFrame);
    picture.addEventListener('error', afterFrame);
  });
})(${JSON.stringify(files)});`;

/** What makes a page alive must not delay its being seen. */
export function deferScripts(html: string, nonce: string): string {
  const files: string[] = [];
  return html
    .replace(/<link rel="modulepreload"[^>]*? href="([^"]*)"[^>]*>/g, (_, href: string) => {
      files.push(href);
      return '';
    })
    .replace(/(<script[^>]*) type="module" async=""/, '$1 type="text/later"')
    .replace('</head>', () => `<script nonce="${nonce}">${starter(files)}</script></head>`);
}
