import type { FastifyInstance } from 'fastify';

/** Clients written for moredoc send the content type JSON in every request, also without a body. */
export function acceptEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, callback) => {
    if (body === '') callback(null, undefined);
    else parse(request, body, callback);
  });
}
