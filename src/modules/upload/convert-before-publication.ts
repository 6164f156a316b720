import type { FileFormat } from '#modules/conversion/conversion.contract.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import type { UserContext } from '#platform/server/context.ts';

/**
 * Queues the conversion of a file of the upload page, so that its near-copies are known before the publication. Must run
 * in the transaction that adds the attachment.
 */
export async function convertBeforePublication(
  ctx: UserContext,
  { hash, format, size }: { hash: string; format: FileFormat; size: number },
): Promise<void> {
  await registerRendition(ctx, { hash, format, size, isRepeated: false });
}
