import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sendOriginal } from '#modules/document/send-original-file.ts';
import type { Context } from '#platform/server/context.ts';
import { FILE_STREAM_TIMEOUT_MS } from '#platform/server/http/send-stored-file.ts';
import { downloadErrors } from './download.contract.ts';
import { verifyDownloadLink } from './download-link.ts';

type Request = FastifyRequest<{ Params: { id: string }; Querystring: { u?: string; e?: string; s?: string } }>;

/**
 * Serves original files as attachments, so that browsers do not open them on this site. The link
 * stands for the account that requested it; the right of this account is checked on every request.
 */
export async function serveDownload(app: FastifyInstance, { ctx }: { ctx: Context }) {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/download/:id',
    // Byte ranges refer to the stored bytes.
    compress: false,
    handlerTimeout: FILE_STREAM_TIMEOUT_MS,
    handler: async (request: Request, reply) => {
      const { u: userId = '', e: expires = '', s: signature = '' } = request.query;
      const original = await verifyDownloadLink(ctx, {
        id: request.params.id,
        userId: String(userId),
        expires: String(expires),
        signature: String(signature),
      });
      const missingError = () => downloadErrors.fileMissing();
      return sendOriginal(ctx, original, { request, reply, missingError });
    },
  });
}
