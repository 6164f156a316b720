import type { FastifyInstance } from 'fastify';
import { ANALYTICS_PATH } from '#modules/settings/analytics-pages.contract.ts';
import { scriptTags } from '#modules/settings/analytics-snippet.ts';
import { getSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';

/**
 * The snippet runs in a document with an opaque origin: it can read neither the surrounding page nor the storage of the
 * site. The header enforces this also when the URL is opened outside of a frame.
 */
const framePolicy = (nonce: string) =>
  [
    'sandbox allow-scripts',
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'strict-dynamic'`,
    'img-src https: http: data:',
    'connect-src https: http:',
    `base-uri 'none'`,
    `form-action 'none'`,
    'frame-ancestors *',
  ].join('; ');

/**
 * In an opaque origin cookies and storage throw, which stops most analytics scripts, so they are replaced by versions in
 * memory. The surrounding page reports page views with messages.
 */
const FRAME_SETUP_SCRIPT = `(() => {
  const cookies = new Map();
  const storage = () => {
    const items = new Map();
    return {
      get length() { return items.size; },
      key: (index) => [...items.keys()][index] ?? null,
      getItem: (name) => items.get(String(name)) ?? null,
      setItem: (name, value) => { items.set(String(name), String(value)); },
      removeItem: (name) => { items.delete(String(name)); },
      clear: () => items.clear(),
    };
  };
  Object.defineProperty(document, 'cookie', {
    get: () => [...cookies].map((pair) => pair.join('=')).join('; '),
    set: (text) => {
      const [, name, value] = /^\\s*([^=;]+)=([^;]*)/.exec(text) ?? [];
      if (name) cookies.set(name.trim(), value.trim());
    },
  });
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, { value: storage() });
  const referrer = new URLSearchParams(location.search).get('referrer') ?? '';
  Object.defineProperty(document, 'referrer', { get: () => referrer });
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data?.pageView !== 'string') return;
    window._hmt ??= [];
    window._hmt.push(['_trackPageview', data.pageView]);
  });
})();`;

/** The browser uses the first attribute of a name, so a nonce in the snippet has no effect. */
const frameHtml = (snippet: string, nonce: string) =>
  [
    '<!doctype html><meta charset="utf-8"><title>analytics</title>',
    `<script nonce="${nonce}">${FRAME_SETUP_SCRIPT}</script>`,
    ...scriptTags(snippet).map(({ attributes, code }) => `<script nonce="${nonce}"${attributes}>${code}</script>`),
  ].join('\n');

export function registerAnalyticsFrame(app: FastifyInstance, ctx: Context): void {
  app.get(`${ANALYTICS_PATH}/*`, { config: { siteAccess: 'public' } }, async (request, reply) => {
    const { system } = await getSettings(ctx);
    reply.removeHeader('x-frame-options');
    return reply
      .headers({
        'content-security-policy': framePolicy(request.nonce),
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex',
      })
      .type('text/html; charset=utf-8')
      .send(frameHtml(system.analytics, request.nonce));
  });
}
