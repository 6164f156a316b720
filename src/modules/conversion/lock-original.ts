import { lockFile } from '#modules/attachment/link-attachments.ts';
import type { Context } from '#platform/server/context.ts';
import { originalKey } from './rendition-keys.ts';

/** Path of the original file of a document in the attachments table. */
export const originalPath = (hash: string) => `/${originalKey(hash)}`;

/**
 * Serializes storing and erasing of the file with this hash. An upload locks it before it checks whether the bytes are
 * stored, and holds it until its attachment is written.
 */
export const lockOriginal = (ctx: Context, hash: string) => lockFile(ctx, originalPath(hash));
