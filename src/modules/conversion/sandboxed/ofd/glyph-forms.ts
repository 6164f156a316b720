import type { PdfResource, PdfWriter } from '../pdf-writer/pdf-writer.ts';
import type { GlyphFont } from './glyph-font.ts';

export type GlyphForms = ReturnType<typeof createGlyphForms>;

/** Writes the outline of each glyph once, in font units. It is filled with the color of the page that uses it. */
export function createGlyphForms(writer: PdfWriter) {
  const forms = new Map<GlyphFont, Map<number, PdfResource>>();
  return {
    find(font: GlyphFont, glyph: number, outline: string): PdfResource {
      const formsOfFont = forms.get(font) ?? new Map<number, PdfResource>();
      forms.set(font, formsOfFont);
      const form = formsOfFont.get(glyph) ?? writeForm(writer, font, outline);
      formsOfFont.set(glyph, form);
      return form;
    },
  };
}

function writeForm(writer: PdfWriter, { unitsPerEm }: GlyphFont, outline: string): PdfResource {
  // Wider than any glyph: decorated ones reach far outside of their em square.
  const box = [-2, -2, 4, 4].map((em) => em * unitsPerEm).join(' ');
  return writer.addOperators('XObject', `/Type /XObject /Subtype /Form /BBox [${box}]`, {
    content: `${outline}\nf`,
    resources: [],
  });
}
