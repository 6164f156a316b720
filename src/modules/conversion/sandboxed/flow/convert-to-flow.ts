import type { ConverterEvent } from '../events.ts';
import { writeFlowCover } from './flow-cover.ts';
import { type FlowOutput, type FlowWriter, flowWriter } from './flow-writer.ts';

type Book = Parameters<FlowWriter['finish']>[0] & { cover?: Buffer };
type BookReader = (file: string, writer: FlowWriter, output: FlowOutput) => Book | Promise<Book>;

/** Loads only the reader of the format, because a reader of the document waits. */
const readers = {
  txt: async () => {
    const { readPlainTextFile } = await import('./plain-text.ts');
    return (file, writer) => {
      readPlainTextFile(file, writer);
      return {};
    };
  },
  markdown: async () => (await import('./markdown.ts')).readMarkdown,
  umd: async () => (await import('./umd.ts')).readUmd,
  epub: async () => (await import('./epub.ts')).readEpub,
  chm: async () => (await import('./chm.ts')).readChm,
  fb2: async () => (await import('./fb2.ts')).readFb2,
  html: async () => (await import('./web-page.ts')).readWebPage,
  eml: async () => (await import('./mail/eml.ts')).readEml,
  msg: async () => (await import('./mail/msg.ts')).readMsg,
} satisfies Record<string, () => Promise<BookReader>>;

export type FlowOptions = { file: string; folder: string; format: keyof typeof readers };

/** Converts a text, a book or a mail into sections of sanitized HTML. */
export async function convertToFlow({ file, folder, format }: FlowOptions, emit: (event: ConverterEvent) => void) {
  const writer = flowWriter(folder, emit);
  const readBook: BookReader = await readers[format]();
  const book = await readBook(file, writer, { folder, emit });
  const { title, firstText } = writer.finish(book);
  await writeFlowCover(folder, { picture: book.cover, title, text: firstText });
  emit({ type: 'cover' });
}
