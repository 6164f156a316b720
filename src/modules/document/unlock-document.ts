import { setTimeout } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { type DecryptedCopy, storeDecryptedCopy } from '#modules/conversion/decrypted-copy.ts';
import { decryptionErrors } from '#modules/conversion/decryption.contract.ts';
import { lockOriginal } from '#modules/conversion/lock-original.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { findRendition } from '#modules/conversion/rendition.ts';
import { originalKey } from '#modules/conversion/rendition-keys.ts';
import { rightsOfUser } from '#modules/role/user-roles.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import { hasPermission, type UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { enforceRateLimit, undoAttempt } from '#platform/server/http/rate-limit.ts';
import { deleteUnusedFailedRendition } from './delete-unused-failed-rendition.ts';
import { documentErrors } from './document.contract.ts';
import { documents } from './document.table.ts';
import { recordDocumentEvents } from './document-events.ts';
import { type documentFileApi, documentFileErrors } from './document-file.contract.ts';
import { conversionStateOf, describeBySummary, hasRepairableFile } from './document-states.ts';
import { getEncryptionForCaller, mayChangeFile } from './encryption.ts';
import { lockManageableDocuments, UPDATE_PERMISSION } from './lock-documents.ts';
import { lockRenditions } from './lock-renditions.ts';
import { canSee } from './visibility.ts';

const MAX_FILE_BYTES = 100 * 1024 * 1024;
const ATTEMPTS_PER_DOCUMENT = { max: 10, seconds: 600 };
const ATTEMPTS_PER_USER = { max: 30, seconds: 3_600 };
/** A request may take 30 s. */
const RESPONSE_LIMIT_MS = 24_000;
const RETRY_SECONDS = 10;

/** Ids of the documents that this process is unlocking. */
const runningUnlocks = new Set<number>();

/**
 * Decrypts the file and converts the copy, which has its own rendition: other documents of the same encrypted file stay
 * unreadable until their owners enter the password. On a busy machine the caller gets a response before the document is
 * unlocked; the decryption continues after the response.
 */
export async function unlockDocument(ctx: UserContext, input: UnlockInput, responseLimitMs = RESPONSE_LIMIT_MS) {
  const { id } = input;
  const encryptedFile = await findEncryptedFile(ctx, id);
  if (runningUnlocks.has(id)) throw decryptionErrors.stillRunning(undefined, RETRY_SECONDS);
  runningUnlocks.add(id);
  const unlockPromise = decryptAndAttach(ctx, input, encryptedFile).finally(() => runningUnlocks.delete(id));
  const isUnlocked = await Promise.race([
    unlockPromise.then(() => true),
    setTimeout(responseLimitMs, false, { ref: false }),
  ]);
  if (isUnlocked) return {};
  unlockPromise.catch((error: unknown) =>
    ctx.log.info({ err: error, document: id }, 'unlocking failed after the response'),
  );
  throw decryptionErrors.stillRunning(undefined, RETRY_SECONDS);
}

type UnlockInput = ParsedInputOf<typeof documentFileApi.unlock>;
type EncryptedFile = Awaited<ReturnType<typeof findEncryptedFile>>;

async function decryptAndAttach(
  ctx: UserContext,
  { id, password }: UnlockInput,
  { encryptedId, file }: EncryptedFile,
): Promise<void> {
  const limits = [
    [`unlock:document:${id}`, ATTEMPTS_PER_DOCUMENT],
    [`unlock:user:${ctx.user.id}`, ATTEMPTS_PER_USER],
  ] as const;
  for (const [key, limit] of limits) await enforceRateLimit(ctx, key, limit);
  const copy = await storeDecryptedCopy(ctx, file, password);
  for (const [key] of limits) await undoAttempt(ctx, key);
  await inRetriedTransaction(ctx, (ctx) => attachDecryptedCopy(ctx, { id, encryptedId }, copy));
}

async function findEncryptedFile(ctx: UserContext, id: number) {
  const [document] = await ctx.db.select().from(documents).where(eq(documents.id, id));
  const isVisible = document && (canSee(ctx, document) || mayChangeFile(ctx, document));
  if (!isVisible || document.deleted_at !== null) throw documentErrors.notFound();
  if (!mayChangeFile(ctx, document)) throw documentErrors.forbidden();
  const rendition = await findRendition(ctx, document.rendition_id ?? 0);
  const encryption = getEncryptionForCaller(ctx, { ...document, convert_error: rendition?.reason ?? null });
  if (!rendition || encryption === 'none') throw documentFileErrors.notEncrypted();
  if (encryption === 'unsupported')
    throw decryptionErrors.unsupported('暂不支持解锁这种格式的文件，请去掉密码后替换文件');
  if (rendition.size > MAX_FILE_BYTES) throw documentFileErrors.tooLarge();
  const { hash, format } = rendition;
  const file = { hash, format, extension: document.ext.replace('.', '') };
  return { encryptedId: rendition.id, file };
}

/** `encryptedId` is the rendition of the encrypted file; the document may have got another file meanwhile. */
async function attachDecryptedCopy(
  ctx: UserContext,
  { id, encryptedId }: { id: number; encryptedId: number },
  copy: DecryptedCopy,
): Promise<void> {
  await lockOriginal(ctx, copy.hash);
  if (!(await ctx.storage.stat(originalKey(copy.hash)))) throw documentErrors.missingFile();
  const { id: renditionId } = await registerRendition(ctx, copy);
  const rendition = (await lockRenditions(ctx, [renditionId])).get(renditionId);
  const [document] = await lockManageableDocuments(ctx, UPDATE_PERMISSION, [id]);
  if (!document || !rendition) throw documentErrors.notFound();
  if (!hasRepairableFile(document) || document.rendition_id !== encryptedId) throw documentFileErrors.notEncrypted();
  // A reviewer could not read the file while it was encrypted.
  const needsReview = !hasPermission(ctx, UPDATE_PERMISSION) && (await rightsOfUser(ctx)).uploadNeedsReview;
  await ctx.db
    .update(documents)
    .set({
      rendition_id: renditionId,
      format: copy.format,
      review_state: needsReview ? 'under-review' : document.review_state,
      conversion_state: conversionStateOf(rendition),
      ...describeBySummary(document, rendition.summary),
      language: document.language || rendition.language,
      updated_at: ctx.now().toISOString(),
    })
    .where(eq(documents.id, id));
  await recordDocumentEvents(ctx, 'file-changed', [id]);
  await deleteUnusedFailedRendition(ctx, document.rendition_id);
  if (document.user_id !== ctx.user.id)
    await recordAudit(ctx, {
      action: '解锁文档',
      target: auditTarget('文档', [{ id, name: document.title }]),
    });
}
