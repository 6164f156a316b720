import { writeFileSync } from 'node:fs';
import type { ConverterEvent } from '../events.ts';
import { openZip } from '../flow/zip-reader.ts';
import { createPdfWriter, type PdfResource } from '../pdf-writer/pdf-writer.ts';
import { drawDocument } from './draw-page.ts';
import { createFontStore } from './font-store.ts';
import { createGlyphForms } from './glyph-forms.ts';
import { createImageStore } from './image-store.ts';
import { readOfdFile } from './ofd-document.ts';
import { createOfdPackage } from './ofd-package.ts';
import { combineRestrictions } from './permissions.ts';

type Emit = (event: ConverterEvent) => void;

/** Writes an OFD file as `pages.pdf`, and the fonts that it lacks as `fonts.json`. */
export async function convertOfd({ file, folder }: { file: string; folder: string }, emit: Emit): Promise<void> {
  const zip = await openZip(file);
  const writer = createPdfWriter(`${folder}/pages.pdf`);
  try {
    const ofd = createOfdPackage(zip);
    const { title, documents } = await readOfdFile(ofd);
    const fonts = createFontStore();
    const states = new Map<string, PdfResource>();
    const graphicsState = (entries: string): PdfResource => {
      const state = states.get(entries) ?? writer.addDictionary('ExtGState', `/Type /ExtGState ${entries}`);
      states.set(entries, state);
      return state;
    };
    const conversion = {
      writer,
      fonts,
      images: createImageStore(writer),
      glyphForms: createGlyphForms(writer),
      graphicsState,
    };
    let page = 0;
    const onPageStart = () => emit({ type: 'start', page: ++page });
    for (const document of documents) await drawDocument(conversion, ofd, { document, onPageStart });
    writer.end({
      title,
      outline: documents.flatMap(({ outline }) => outline),
      restrictions: combineRestrictions(documents.map(({ restrictions }) => restrictions)),
    });
    writeFileSync(`${folder}/fonts.json`, JSON.stringify(fonts.listReplacedFonts()));
  } finally {
    writer.close();
    zip.close();
  }
}
