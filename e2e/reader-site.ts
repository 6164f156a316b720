import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { corpusFolder } from '#modules/conversion/conversion.fixture.ts';
import { assemblePdf } from '#modules/conversion/document-files.fixture.ts';

const LINES = [
  'A reading room, not a portal: warm paper, clear ink, generous quiet.',
  'The documents are the decoration. Measure against what you like to read.',
  'Whoever opens a book wants the next page, and nothing between the two.',
];

/** A book with a contents list: chapters of ten pages, text on each page, some pages across unless all have one size. */
export function makeBook(pages: number, size?: [width: number, height: number]): Buffer {
  const objects = ['', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];
  const add = (object: string) => objects.push(object);
  const kids: number[] = [];
  for (let page = 1; page <= pages; page++) {
    const [width, height] = size ?? (page % 10 === 5 ? [842, 595] : [595, 842]);
    const lines = Array.from({ length: 18 }, (_, at) => `(${LINES[at % LINES.length]}) Tj T*`);
    const text = `BT /F1 22 Tf 60 ${height - 90} Td (Page ${page} of the book) Tj ET
BT /F1 12 Tf 20 TL 60 ${height - 130} Td ${lines.join(' ')} (needle ${page}) Tj ET`;
    const content = add(`<< /Length ${text.length} >>\nstream\n${text}\nendstream`);
    kids.push(
      add(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents ${content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      ),
    );
  }
  const first = objects.length + 2;
  const chapters = kids.filter((_, at) => at % 10 === 0);
  const outlines = add(
    `<< /Type /Outlines /First ${first} 0 R /Last ${first + chapters.length - 1} 0 R /Count ${chapters.length} >>`,
  );
  for (const [at, page] of chapters.entries()) {
    const next = at < chapters.length - 1 ? `/Next ${first + at + 1} 0 R` : '';
    const before = at > 0 ? `/Prev ${first + at - 1} 0 R` : '';
    add(`<< /Title (Chapter ${at + 1}) /Parent ${outlines} 0 R ${next} ${before} /Dest [${page} 0 R /Fit] >>`);
  }
  objects[0] = `<< /Type /Catalog /Pages 2 0 R /Outlines ${outlines} 0 R >>`;
  objects[1] = `<< /Type /Pages /Count ${pages} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  return assemblePdf(objects);
}

/** A text of forty chapters. Each tenth one ends with the sentence about the seal. */
export const makeTextBook = (): Buffer =>
  Buffer.from(
    Array.from({ length: 40 }, (_, at) => at + 1)
      .map(
        (chapter) =>
          `第${chapter}章 山行之${chapter}\n${`第 ${chapter} 程，石径转入云深处，行人渐少。\n`.repeat(180)}${chapter % 10 === 0 ? '此处藏着一枚古印。\n' : ''}`,
      )
      .join('\n'),
  );

export const corpusFile = (name: string) => readFile(path.join(corpusFolder, name));
