import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { createErrorPageHandler } from './error-page.ts';
import type { Renderer } from './render-page.ts';
import { setSecurityHeaders } from './security-headers.ts';

/**
 * Handles URLs that Fastify rejects before routing: malformed ones, and ones with a parameter that is too long. No hook
 * runs for them, so the security headers are set here.
 */
export const createMalformedUrlHandler = (ctx: Context, renderer: Renderer | null) => {
  const sendErrorPage = createErrorPageHandler(ctx, renderer);
  return async (_: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    setSecurityHeaders(request, reply);
    await sendErrorPage(httpErrors.badRequest('网址不正确，请检查后重试'), request, reply);
  };
};
