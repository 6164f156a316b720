import * as z from 'zod/mini';

/** `none` also for callers who may neither unlock nor replace the file. */
export const documentEncryption = z.enum(['none', 'unlockable', 'unsupported']);
export type DocumentEncryption = z.infer<typeof documentEncryption>;
