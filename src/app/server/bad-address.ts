import type { FastifyReply, FastifyRequest } from 'fastify';
import { httpErrors } from '#platform/contract/errors.ts';
import type { Context } from '#platform/server/context.ts';
import { answerFailure } from './error-page.ts';
import type { Renderer } from './render-page.ts';
import { secure } from './security-headers.ts';

/**
 * Answers what no route ever sees: an address that is not well formed, or has a part that is far too
 * long. No hook runs for it, so the headers are set here.
 */
export const answerBadAddress = (ctx: Context, renderer: Renderer | null) => {
  const answer = answerFailure(ctx, renderer);
  return async (_: Error, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    secure(request, reply);
    await answer(httpErrors.badRequest('网址不正确，请检查后重试'), request, reply);
  };
};
