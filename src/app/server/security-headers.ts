import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createNonce } from '#platform/server/http/nonce.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Nonce of the inline scripts of this response. */
    nonce: string;
  }
}

export const createRequestId = () => randomBytes(8).toString('hex');

/** Allows scripts of this site and inline scripts of the given sources, and no framing. */
const contentSecurityPolicy = (scriptSources: readonly string[]) =>
  [
    `default-src 'self'`,
    `script-src ${["'self'", ...scriptSources].join(' ')}`,
    // React and antd set style attributes and inject style elements.
    `style-src 'self' 'unsafe-inline'`,
    `img-src 'self' data: blob:`,
    `font-src 'self' data:`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');

export const nonceSource = (nonce: string) => `'nonce-${nonce}'`;

/** The reader without header and footer, for frames of other sites. It is safe against clickjacking. */
export const isEmbedded = (url: string) => /^\/document\/[0-9a-f]+\?(?:[^#]*&)?embed=1(?:&|$)/.test(url);

export function pageSecurityPolicy(url: string, scriptSources: readonly string[]): string {
  const policy = contentSecurityPolicy(scriptSources);
  return isEmbedded(url) ? policy.replace(`frame-ancestors 'none'`, 'frame-ancestors *') : policy;
}

/** Headers of every response, including errors and files. A route may set a stricter policy. */
export const securityHeadersOf = (nonce: string, requestId: string) => ({
  'content-security-policy': contentSecurityPolicy([nonceSource(nonce)]),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-request-id': requestId,
});

export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  request.nonce = createNonce();
  reply.headers(securityHeadersOf(request.nonce, request.id));
  // Without includeSubDomains: other services of the domain may not support HTTPS.
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
}

export function registerSecurityHeaders(app: FastifyInstance): void {
  app.decorateRequest('nonce', '');
  app.addHook('onRequest', async (request, reply) => setSecurityHeaders(request, reply));
}
