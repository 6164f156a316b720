import type { FastifyReply, FastifyRequest } from 'fastify';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import type { Context } from '#platform/server/context.ts';
import { sendStored } from '#platform/server/http/send-stored-file.ts';
import { attachmentHeader, fileName } from './file-name.ts';
import { mediaTypeOf } from './media-types.ts';

type Original = { id: number; title: string; ext: string; hash: string };
type Exchange = { request: FastifyRequest; reply: FastifyReply; missing: () => Error };

/** Sends the file of a document as something to keep, never as something to open on this site. */
export async function sendOriginal(
  { storage }: Context,
  { id, title, ext, hash }: Original,
  { request, reply, missing }: Exchange,
) {
  const key = originalKey(hash);
  const found = await storage.stat(key);
  if (!found) throw missing();
  reply.headers({
    'content-type': mediaTypeOf(ext),
    'content-disposition': attachmentHeader(fileName(title, ext), id),
    'cache-control': 'private, no-store',
  });
  return sendStored(storage, { key, size: found.size, etag: `"${hash}"` }, request, reply);
}
