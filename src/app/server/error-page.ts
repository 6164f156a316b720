import type { FastifyReply, FastifyRequest } from 'fastify';
import { settingsCatalogue } from '#modules/settings/settings.catalogue.ts';
import { getPublicSettings } from '#modules/settings/settings.ts';
import type { Context } from '#platform/server/context.ts';
import { prepareErrorResponse, sendError } from '#platform/server/http/error-response.ts';
import type { Renderer } from './render-page.ts';

/** Errors of API paths are sent as JSON instead of a page. */
export const isApiPath = (url: string) => /^\/api(\/|\?|$)/.test(url);

/** Site name and icon for the error page; the defaults if the settings cannot be read. */
async function readSiteNameAndIcon(ctx: Context) {
  try {
    const { sitename, favicon } = (await getPublicSettings(ctx)).system;
    return { sitename, favicon };
  } catch (error) {
    ctx.log.debug({ err: error }, 'cannot read the settings for the error page, using defaults');
    return { sitename: settingsCatalogue.system.sitename.default, favicon: '' };
  }
}

export const createErrorPageHandler =
  (ctx: Context, renderer: Renderer | null) =>
  async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!renderer || isApiPath(request.url)) return sendError(error, request, reply);
    const { message } = prepareErrorResponse(error, request, reply);
    const { statusCode: status } = reply;
    const brand = await readSiteNameAndIcon(ctx);
    reply.type('text/html; charset=utf-8');
    return reply.send(await renderer.renderErrorPage({ ...brand, status, message, nonce: request.nonce }));
  };
