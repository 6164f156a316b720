import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { corpusFolder } from '#modules/conversion/conversion.fixture.ts';
import { assemblePdf } from '#modules/conversion/document-files.fixture.ts';

const SAMPLE_LINES = [
  'The library keeps its documents in one place, sorted by subject and year.',
  'Each volume has a title page, a list of chapters and an index of terms.',
  'A reader who opens a chapter continues with the page that follows it.',
];

/**
 * A PDF with an outline: chapters of ten pages, text on each page.
 * Without `size` one page in ten is landscape.
 */
export function makeBookPdf(pages: number, size?: [width: number, height: number]): Buffer {
  const objects = ['', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];
  const addObject = (object: string) => objects.push(object);
  const kids: number[] = [];
  for (let page = 1; page <= pages; page++) {
    const [width, height] = size ?? (page % 10 === 5 ? [842, 595] : [595, 842]);
    const lines = Array.from({ length: 18 }, (_, index) => `(${SAMPLE_LINES[index % SAMPLE_LINES.length]}) Tj T*`);
    const text = `BT /F1 22 Tf 60 ${height - 90} Td (Page ${page} of the book) Tj ET
BT /F1 12 Tf 20 TL 60 ${height - 130} Td ${lines.join(' ')} (needle ${page}) Tj ET`;
    const content = addObject(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
    kids.push(
      addObject(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
    );
  }
  const firstOutlineItem = objects.length + 2;
  const chapters = kids.filter((_, index) => index % 10 === 0);
  const outlines = addObject(
    `<< /Type /Outlines /First ${firstOutlineItem} 0 R /Last ${firstOutlineItem + chapters.length - 1} 0 R /Count ${chapters.length} >>`,
  );
  for (const [index, page] of chapters.entries()) {
    const next = index < chapters.length - 1 ? `/Next ${firstOutlineItem + index + 1} 0 R` : '';
    const previous = index > 0 ? `/Prev ${firstOutlineItem + index - 1} 0 R` : '';
    addObject(
      `<< /Title (Chapter ${index + 1}) /Parent ${outlines} 0 R ${next} ${previous} /Dest [${page} 0 R /Fit] >>`,
    );
  }
  objects[0] = `<< /Type /Catalog /Pages 2 0 R /Outlines ${outlines} 0 R >>`;
  objects[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  return assemblePdf(objects);
}

/** A text of forty chapters; every tenth one ends with a sentence that contains 古印. */
export const makeTextBook = (): Buffer =>
  Buffer.from(
    Array.from({ length: 40 }, (_, index) => index + 1)
      .map(
        (chapter) =>
          `第${chapter}章 山行之${chapter}\n${`第 ${chapter} 程，石径转入云深处，行人渐少。\n`.repeat(180)}${chapter % 10 === 0 ? '此处藏着一枚古印。\n' : ''}`,
      )
      .join('\n'),
  );

export const readCorpusFile = (name: string) => readFile(path.join(corpusFolder, name));
