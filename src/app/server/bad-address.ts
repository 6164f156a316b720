import type { FastifyReply, FastifyRequest } from 'fastify';
import { getPublicSettings } from '#modules/settings/settings.ts';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { sendError } from '#platform/server/errors.ts';
import type { Renderer } from './render-page.ts';
import { secure } from './security-headers.ts';

/** A program asked, not a person: it gets an answer it can read. */
export const isForPrograms = (url: string) => /^\/api(\/|\?|$)/.test(url);

/**
 * Answers what no route ever sees: an address that is not well formed, or has a part that is far too
 * long. No hook runs for it, so the headers are set here.
 */
export const answerBadAddress =
  (ctx: Context, renderer: Renderer | null) =>
  async (_: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const refusal = httpErrors.badRequest('网址不正确，请检查后重试');
    secure(request, reply);
    if (!renderer || isForPrograms(request.url)) return void sendError(refusal, request, reply);
    try {
      const { system } = await getPublicSettings(ctx);
      const { sitename, favicon } = system;
      const page = renderer.renderRefusal({
        ...{ sitename, favicon, status: refusal.status, message: refusal.message },
        ...{ stylesheets: renderer.stylesheets, nonce: request.nonce },
      });
      reply.header('cache-control', 'no-store').status(refusal.status);
      reply.type('text/html; charset=utf-8').send(page);
    } catch (error) {
      sendError(error, request, reply);
    }
  };
