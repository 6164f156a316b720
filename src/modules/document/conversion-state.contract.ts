import * as z from 'zod/mini';

/**
 * How far the conversion of a file is, also before and during the review of its document. `reconverting`: an administrator
 * requested it, and it has not started.
 */
const conversionState = z.enum(['waiting', 'converting', 'converted', 'failed', 'reconverting']);
export type ConversionState = z.infer<typeof conversionState>;

/** Null for a document whose file was never queued for conversion. */
export const documentConversion = z.nullable(conversionState);
