import { MAX_REPLACED_FONTS, type ReplacedFont, replacedFont } from '../../replaced-font.contract.ts';
import { type GlyphFont, openGlyphFont } from './glyph-font.ts';
import type { OfdPackage } from './ofd-package.ts';
import type { OfdFont } from './resources.ts';
import { createSubstituteFonts, type SubstituteFont } from './substitute-fonts.ts';

export type FontStore = ReturnType<typeof createFontStore>;
export type DrawnGlyph = { font: GlyphFont; glyph: number; isSubstitute: boolean };
type TextStyle = { isBold: boolean; isItalic: boolean };

export const UNKNOWN_FONT: OfdFont = {
  name: '宋体',
  family: '宋体',
  isBold: false,
  isItalic: false,
  isFixedWidth: false,
  isSerif: true,
  file: null,
  isFileMissing: false,
};

/** Opens each embedded font once, and replaces fonts that are not embedded. */
export function createFontStore() {
  const substituteFonts = createSubstituteFonts();
  const embeddedFonts = new Map<OfdFont, GlyphFont | null>();
  const substitutes = new Map<string, SubstituteFont[]>();
  const replacements = new Map<string, string>();

  const findSubstitutes = (font: OfdFont, style: TextStyle): SubstituteFont[] => {
    const key = [font.name, font.family, font.isBold || style.isBold, font.isItalic || style.isItalic].join('\n');
    const fonts = substitutes.get(key) ?? substituteFonts.find(font, style);
    substitutes.set(key, fonts);
    return fonts;
  };
  return {
    /** The embedded font; null for one that is not embedded or cannot be read. */
    async openEmbedded(ofd: OfdPackage, font: OfdFont): Promise<GlyphFont | null> {
      if (!embeddedFonts.has(font)) embeddedFonts.set(font, font.file ? await openFontFile(ofd, font.file) : null);
      return embeddedFonts.get(font) ?? null;
    },
    /** The glyph of a character in the nearest installed font that has it; null when none has it. */
    findSubstituteGlyph(font: OfdFont, style: TextStyle, codePoint: number): DrawnGlyph | null {
      for (const { family, open } of findSubstitutes(font, style)) {
        const substitute = open();
        const glyph = substitute?.glyphOf(codePoint) ?? 0;
        if (!substitute || glyph === 0) continue;
        const name = font.name || font.family;
        if (name !== family && !replacements.has(name)) replacements.set(name, family);
        return { font: substitute, glyph, isSubstitute: true };
      }
      return null;
    },
    listReplacedFonts: (): ReplacedFont[] =>
      [...replacements]
        .map(([name, substitute]) => ({ name, substitute }))
        .filter((font) => replacedFont.safeParse(font).success)
        .slice(0, MAX_REPLACED_FONTS),
  };
}

async function openFontFile(ofd: OfdPackage, file: string): Promise<GlyphFont | null> {
  const bytes = await ofd.readBytes(file);
  try {
    return bytes && openGlyphFont(bytes);
  } catch {
    return null; // Not a TrueType or OpenType font; the caller names it on the page.
  }
}
