import type { FastifyReply, FastifyRequest } from 'fastify';
import { settingsCatalogue } from '#modules/settings/settings.catalogue.ts';
import { getPublicSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { prepareError, sendError } from '#platform/server/http/error-response.ts';
import type { Renderer } from './render-page.ts';

/** Paths of the API: programs call them and get JSON, whatever the outcome. */
export const isForPrograms = (url: string) => /^\/api(\/|\?|$)/.test(url);

/** The site's name for the error page; the default one when the settings cannot be read either. */
async function brandOf(ctx: Context) {
  try {
    const { sitename, favicon } = (await getPublicSettings(ctx)).system;
    return { sitename, favicon };
  } catch (error) {
    ctx.log.debug({ err: error }, 'the error page is shown without the name of the site');
    return { sitename: settingsCatalogue.system.sitename.default, favicon: '' };
  }
}

/** Answers a failure: a page for people, JSON for programs. */
export const answerFailure =
  (ctx: Context, renderer: Renderer | null) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!renderer || isForPrograms(request.url)) return sendError(error, request, reply);
    const { message } = prepareError(error, request, reply);
    const { statusCode: status } = reply;
    const brand = await brandOf(ctx);
    reply.type('text/html; charset=utf-8');
    return reply.send(await renderer.renderRefusal({ ...brand, status, message, nonce: request.nonce }));
  };
