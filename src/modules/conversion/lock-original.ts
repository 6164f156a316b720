import { lockFile } from '#modules/attachment/attachment.ts';
import type { Context } from '#platform/server/context.ts';
import { originalKey } from './rendition-keys.ts';

/** How an attachment names the original file of a document. */
export const originalPath = (hash: string) => `/${originalKey(hash)}`;

/**
 * Storing and erasing the file of one hash exclude each other. An upload takes it before it looks
 * whether the bytes are there, and keeps it until its attachment is written.
 */
export const lockOriginal = (ctx: Context, hash: string) => lockFile(ctx, originalPath(hash));
