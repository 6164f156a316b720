import type { ConverterEvent } from '../events.ts';
import { readChm } from './chm.ts';
import { readEpub } from './epub.ts';
import { writeFlowCover } from './flow-cover.ts';
import { flowWriter } from './flow-writer.ts';
import { readPlainTextFile } from './plain-text.ts';
import { readUmd } from './umd.ts';
import { readWebPage } from './web-page.ts';

export type FlowOptions = {
  file: string;
  folder: string;
  format: 'txt' | 'umd' | 'epub' | 'chm' | 'html';
};
type Book = Parameters<ReturnType<typeof flowWriter>['finish']>[0] & { cover?: Buffer };

/** Converts a text or a book into sections of sanitized HTML. */
export async function convertToFlow({ file, folder, format }: FlowOptions, emit: (event: ConverterEvent) => void) {
  const writer = flowWriter(folder, emit);
  let book: Book = {};
  if (format === 'txt') readPlainTextFile(file, writer);
  else if (format === 'umd') book = readUmd(file, writer);
  else if (format === 'epub') book = await readEpub(file, writer, { folder, emit });
  else if (format === 'html') book = await readWebPage(file, writer, { folder, emit });
  else book = await readChm(file, writer, { folder, emit });
  const { title, firstText } = writer.finish(book);
  await writeFlowCover(folder, { picture: book.cover, title, text: firstText });
  emit({ type: 'cover' });
}
