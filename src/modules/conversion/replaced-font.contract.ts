import * as z from 'zod/mini';

const fontName = z.string().check(z.minLength(1), z.maxLength(100));

/** A font that a document names and that is not installed, and the font that is drawn instead. */
export const replacedFont = z.object({ name: fontName, substitute: fontName });
export type ReplacedFont = z.infer<typeof replacedFont>;

export const MAX_REPLACED_FONTS = 50;

/** What a sandboxed converter reports. */
export const replacedFonts = z.array(replacedFont).check(z.maxLength(MAX_REPLACED_FONTS));
