import type { Context } from '#platform/server/context.ts';
import { createSigner } from '#platform/server/site-secret.ts';

const SIGNER = 'attachment-hashes';
/** 48 bits of the document id and 80 bits of its signature: as long as the MD5 that moredoc shows. */
const ID_DIGITS = 12;
const HASH_PATTERN = /^([0-9a-f]{12})[0-9a-f]{20}$/;

/**
 * Identifies a document's file in URLs. The hash reveals nothing about the file, and only this site can compute it. It
 * grants no access: rights are checked whenever the hash is used.
 */
export async function attachmentHashes(ctx: Context) {
  const { sign } = await createSigner(ctx, SIGNER);
  const hashOf = (documentId: number): string => {
    const digits = documentId.toString(16).padStart(ID_DIGITS, '0');
    return `${digits}${Buffer.from(sign(digits), 'base64url').toString('hex').slice(0, 20)}`;
  };
  return {
    hashOf,
    /** Null for a hash that this site did not issue. */
    documentIdOf(hash: string): number | null {
      const documentId = Number.parseInt(HASH_PATTERN.exec(hash)?.[1] ?? '', 16);
      return documentId > 0 && hashOf(documentId) === hash ? documentId : null;
    },
  };
}
