import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createNonce } from '#platform/server/http/nonce-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Nonce of the inline scripts of this response. */
    nonce: string;
  }
}

export const createRequestId = () => randomBytes(8).toString('hex');

/** Allows scripts of this site or with the nonce, and no framing. */
export const contentSecurityPolicy = (nonce: string) =>
  [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}'`,
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

/** Only for pages that are safe against clickjacking. */
export const allowFraming = (policy: string) => policy.replace(`frame-ancestors 'none'`, 'frame-ancestors *');

/** Headers of every response, including errors and files. A route may set a stricter policy. */
export const securityHeadersOf = (nonce: string, requestId: string) => ({
  'content-security-policy': contentSecurityPolicy(nonce),
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
