import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createNonce } from '#platform/server/http/nonce-page.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Marks the inline scripts of this one answer as ours. */
    nonce: string;
  }
}

export const newRequestId = () => randomBytes(8).toString('hex');

/** Scripts only from ourselves or with the nonce of this answer; nothing may frame us. */
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

/** For a page that others may show within theirs: it offers nothing that a click could give away. */
export const embeddable = (policy: string) => policy.replace(`frame-ancestors 'none'`, 'frame-ancestors *');

/** What every answer carries, errors and files included; a route may set a stricter policy. */
export const securityHeadersOf = (nonce: string, requestId: string) => ({
  'content-security-policy': contentSecurityPolicy(nonce),
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
  'cross-origin-opener-policy': 'same-origin',
  'x-request-id': requestId,
});

export function secure(request: FastifyRequest, reply: FastifyReply): void {
  request.nonce = createNonce();
  reply.headers(securityHeadersOf(request.nonce, request.id));
  // For this host alone: what else the operator serves below the domain is not ours to decide.
  if (request.protocol === 'https') reply.header('strict-transport-security', 'max-age=31536000');
}

export function securityHeaders(app: FastifyInstance): void {
  app.decorateRequest('nonce', '');
  app.addHook('onRequest', async (request, reply) => secure(request, reply));
}
