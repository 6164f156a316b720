import { readFileSync, statSync } from 'node:fs';
import { MAX_PAGES } from '../../page-name.ts';
import type { ConverterEvent } from '../events.ts';
import { addImagePage, listImagePages } from '../images/image-page.ts';
import { type AddPage, addPagesOrNotes, type ImagesPdfOptions, listFiles } from '../images/write-images-pdf.ts';
import type { PdfPageSize } from '../pdf-page.ts';
import { createPdfWriter } from '../pdf-writer/pdf-writer.ts';
import { RejectedFileError } from '../rejection-reasons.ts';
import { type DjvuExpression, parseDjvuExpressions } from './djvu-expressions.ts';
import { readDjvuOutline } from './djvu-outline.ts';
import { readDjvuWords } from './djvu-words.ts';

const MAX_TEXT_BYTES = 64 * 1024 * 1024;
/** Before the text of each page. */
const PAGE_HEAD = /^select .* # page (\d+)$/;
/** A page in the list of files: number, type, size and id. */
const PAGE_FILE = /^\s*(\d+)\s+P\s+\d+\s+(\S+)/;

/** Writes a PDF from the page images of a DjVu document, which are in one file or in one file for each page, and the text and the contents that djvused printed. */
export async function writeDjvuPdf({ file, folder }: ImagesPdfOptions, emit: (event: ConverterEvent) => void) {
  const expressions = readPageTexts(readTextFile(`${folder}/text.dsed`));
  const pageOfId = readPageIds(readTextFile(`${folder}/pages.txt`));
  const outline = readDjvuOutline(parseDjvuExpressions(readTextFile(`${folder}/outline.dsed`)), pageOfId);
  const writer = createPdfWriter(`${folder}/pages.pdf`);
  try {
    const addPages: AddPage[] = [];
    for (const image of await listFiles(file))
      for (const imagePage of await listImagePages(image, MAX_PAGES)) {
        const number = addPages.length + 1;
        const words = (size: PdfPageSize) => readDjvuWords(expressions.get(number), size);
        addPages.push(() => addImagePage(writer, image, { ...imagePage, words }));
      }
    await addPagesOrNotes(writer, addPages, emit);
    writer.end({ outline });
  } finally {
    writer.close();
  }
}

function readTextFile(file: string): string {
  if (statSync(file).size > MAX_TEXT_BYTES) throw new RejectedFileError('tooLarge', 'the text');
  return readFileSync(file, 'utf8');
}

const readPageIds = (list: string): Map<string, number> =>
  new Map(
    list.split('\n').flatMap((line) => {
      const [, page, id] = PAGE_FILE.exec(line) ?? [];
      return id ? [[id, Number(page)] as const] : [];
    }),
  );

function readPageTexts(source: string): Map<number, DjvuExpression> {
  const expressions = new Map<number, DjvuExpression>();
  let page = 0;
  let lines: string[] | null = null;
  for (const line of source.split('\n')) {
    const [, number] = PAGE_HEAD.exec(line) ?? [];
    if (number !== undefined) page = Number(number);
    else if (line === 'set-txt') lines = [];
    else if (line === '.' && lines) {
      const [expression] = parseDjvuExpressions(lines.join('\n'));
      if (expression) expressions.set(page, expression);
      lines = null;
    } else lines?.push(line);
  }
  return expressions;
}
