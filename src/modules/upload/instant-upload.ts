import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { and, eq, gt } from 'drizzle-orm';
import { assertFileAllowed } from '#modules/attachment/assert-file-allowed.ts';
import { attachments } from '#modules/attachment/attachment.table.ts';
import { detectFormat, documentExtension } from '#modules/conversion/detect-format.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { storageByteSource } from '#modules/conversion/storage-byte-source.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { convertBeforePublication } from './convert-before-publication.ts';
import { addAttachment } from './store-file-as-attachment.ts';
import { type uploadApi, uploadErrors } from './upload.contract.ts';
import { type SampleRange, uploadChallenges } from './upload.table.ts';
import { allowedStoredExtension, validateUpload } from './upload-rules.ts';

const CHALLENGE_RANGES = 8;
const RANGE_BYTES = 4_096;
const CHALLENGE_TTL_MS = 2 * 60 * 1000;

/**
 * Checks whether the site has this file. Knowing the hash does not prove possession of the file, so the caller must
 * hash unpredictable ranges of it.
 */
export async function createInstantUploadChallenge(ctx: UserContext, input: ParsedInputOf<typeof uploadApi.check>) {
  const { name, hash, size } = input;
  await validateUpload(ctx, name, size);
  await assertFileAllowed(ctx, hash);
  const [knownFile] = await ctx.db
    .select({ size: attachments.size })
    .from(attachments)
    .where(and(eq(attachments.hash, hash), eq(attachments.size, size)))
    .limit(1);
  const storedFile = knownFile && (await ctx.storage.stat(originalKey(hash)));
  if (storedFile?.size !== size) return { challenge: null };
  const challenge = {
    id: randomBytes(16).toString('hex'),
    nonce: randomBytes(16).toString('hex'),
    ranges: randomRanges(size),
  };
  const expires = new Date(ctx.now().getTime() + CHALLENGE_TTL_MS).toISOString();
  await ctx.db.insert(uploadChallenges).values({ ...challenge, hash, name, user_id: ctx.user.id, expires_at: expires });
  return { challenge };
}

const randomRanges = (size: number): SampleRange[] => {
  const length = Math.min(RANGE_BYTES, size);
  return Array.from({ length: CHALLENGE_RANGES }, () => [randomInt(size - length + 1), length]);
};

/** The proof is the SHA-256 of the nonce and the requested ranges. */
export async function completeInstantUpload(ctx: UserContext, { id, proof }: ParsedInputOf<typeof uploadApi.instant>) {
  const [challenge] = await ctx.db
    .delete(uploadChallenges)
    .where(
      and(
        eq(uploadChallenges.id, id),
        eq(uploadChallenges.user_id, ctx.user.id),
        gt(uploadChallenges.expires_at, ctx.now().toISOString()),
      ),
    )
    .returning();
  if (!challenge) throw uploadErrors.notFound();
  const { hash, name, nonce, ranges } = challenge;
  const storedFile = await ctx.storage.stat(originalKey(hash));
  if (!storedFile) throw uploadErrors.notFound();
  const { size } = storedFile;
  const source = storageByteSource(ctx, originalKey(hash), size);
  const expectedHash = createHash('sha256').update(nonce);
  for (const [start, length] of ranges) expectedHash.update(await source.read(start, length));
  if (!timingSafeEqual(expectedHash.digest(), Buffer.from(proof, 'hex'))) throw uploadErrors.wrongProof();
  const nameExtension = documentExtension(name);
  const format = await detectFormat(source, nameExtension);
  const extension = await allowedStoredExtension(ctx, nameExtension, format);
  const attachment = await addAttachment(ctx, { hash, size, name, extension, format }, convertBeforePublication);
  if (attachment === null) throw uploadErrors.notFound();
  return { id: attachment };
}
