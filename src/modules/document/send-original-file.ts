import type { FastifyReply, FastifyRequest } from 'fastify';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import type { Context } from '#platform/server/context.ts';
import { sendStoredFile } from '#platform/server/http/send-stored-file.ts';
import { buildDownloadFileName, contentDispositionHeader } from './download-file-name.ts';
import { mediaTypeOf } from './media-types.ts';

type OriginalFileRow = { id: number; title: string; ext: string; hash: string };
type ReplyContext = { request: FastifyRequest; reply: FastifyReply; missingError: () => Error };

/** Sent as an attachment, so that the browser never opens it on this site. */
export async function sendOriginal(
  { storage }: Context,
  { id, title, ext, hash }: OriginalFileRow,
  { request, reply, missingError }: ReplyContext,
) {
  const key = originalKey(hash);
  const stat = await storage.stat(key);
  if (!stat) throw missingError();
  reply.headers({
    'content-type': mediaTypeOf(ext),
    'content-disposition': contentDispositionHeader(buildDownloadFileName(title, ext), id),
    'cache-control': 'private, no-store',
  });
  return sendStoredFile(storage, { key, size: stat.size, etag: `"${hash}"` }, request, reply);
}
