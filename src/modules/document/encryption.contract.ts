import * as z from 'zod/mini';

/** Whether the file needs a password: `none` also for callers who may neither unlock nor replace it. */
export const documentEncryption = z.enum(['none', 'unlockable', 'unsupported']);
export type DocumentEncryption = z.infer<typeof documentEncryption>;
