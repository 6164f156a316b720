import { execFile } from 'node:child_process';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { escapeXml } from '#platform/contract/xml.ts';
import { findProgram } from '#platform/server/system-programs.ts';
import { drawCover } from './cover-design.ts';
import type { DemoContent, DemoDocument } from './demo-document.ts';
import { encodePlainText } from './encode-plain-text.ts';
import { type DemoSection, parseSections } from './parse-markdown.ts';
import { sectionHtml } from './section-html.ts';
import { writeChm } from './write-chm.ts';
import { writeDocx } from './write-docx.ts';
import { writePptx } from './write-pptx.ts';
import { writeUmd } from './write-umd.ts';
import { writeWorkbook } from './write-workbook.ts';

const run = promisify(execFile);
const PROGRAM_TIMEOUT_MS = 300_000;

const exportFilters: Record<'docx' | 'pptx', Record<string, string>> = {
  docx: {
    pdf: 'pdf:writer_pdf_Export',
    odt: 'odt:writer8',
    rtf: 'rtf:Rich Text Format',
    doc: 'doc:MS Word 97',
    wps: 'doc:MS Word 97',
    dot: 'dot:MS Word 97 Vorlage',
  },
  pptx: {
    pdf: 'pdf:impress_pdf_Export',
    odp: 'odp:impress8',
    ppt: 'ppt:MS PowerPoint 97',
    pps: 'ppt:MS PowerPoint 97',
    dps: 'ppt:MS PowerPoint 97',
    pot: 'pot:MS PowerPoint 97 Vorlage',
    ppsx: 'ppsx:Impress MS PowerPoint 2007 XML AutoPlay',
  },
};
const BINARY_DECKS = ['ppt', 'pps', 'dps', 'pot'];

export type DemoFile = { document: DemoDocument; file: string };
type Book = Extract<DemoContent, { kind: 'book' }>;
type SourceFile = { extension: string; body: Buffer };
type Export = { input: string; output: string; filter: string };

/** Creates the files of the demo documents in a folder. Reports extensions whose program is not installed. */
export async function createFiles(
  documents: DemoDocument[],
  folder: string,
): Promise<{ files: DemoFile[]; missingExtensions: string[] }> {
  const files: DemoFile[] = [];
  const exports: Export[] = [];
  for (const [index, document] of documents.entries()) {
    const pathOf = (extension: string) => path.join(folder, `${index + 1}.${extension}`);
    const output = pathOf(document.extension);
    files.push({ document, file: output });
    const source = await encodeSourceFile(document);
    await writeFile(pathOf(source.extension), source.body);
    if (source.extension === document.extension) continue;
    const input = pathOf(source.extension);
    if (document.content.kind === 'book') {
      await exportWithCalibre(document.content, input, output);
      continue;
    }
    const filter = exportFilters[source.extension as 'docx' | 'pptx'][document.extension];
    if (!filter) throw new Error(`${source.extension} cannot be exported as ${document.extension}`);
    exports.push({ input, output, filter });
  }
  await exportWithLibreOffice(exports, folder);
  const areCreated = await Promise.all(files.map(({ file }) => exists(file)));
  const missingExtensions = files.filter((_, index) => !areCreated[index]).map(({ document }) => document.extension);
  return { files: files.filter((_, index) => areCreated[index]), missingExtensions: [...new Set(missingExtensions)] };
}

async function encodeSourceFile({ title, extension, content }: DemoDocument): Promise<SourceFile> {
  switch (content.kind) {
    case 'article':
      return { extension: 'docx', body: await writeDocx(content) };
    case 'deck':
      return { extension: 'pptx', body: await writePptx(content, { isAngular: BINARY_DECKS.includes(extension) }) };
    case 'text':
      return { extension, body: encodePlainText(content) };
    case 'workbook':
      return { extension, body: writeSheets(content, extension) };
    case 'book': {
      const sections = parseSections(content.body);
      if (extension === 'chm') return { extension, body: writeChm(title, sections) };
      if (extension === 'umd') return { extension, body: writeUmd({ title, author: content.cover.author, sections }) };
      return { extension: 'html', body: bookHtml(title, sections) };
    }
  }
}

function writeSheets({ sheets }: Extract<DemoContent, { kind: 'workbook' }>, extension: string): Buffer {
  if (extension === 'csv') return writeWorkbook(sheets, 'csv');
  if (extension === 'tsv') return writeWorkbook(sheets, 'csv', '\t');
  if (extension === 'xlsx' || extension === 'ods') return writeWorkbook(sheets, extension);
  return writeWorkbook(sheets, 'biff8');
}

const bookHtml = (title: string, sections: DemoSection[]): Buffer =>
  Buffer.from(
    `<html lang="zh-CN"><head><meta charset="utf-8"><title>${escapeXml(title)}</title></head><body>${sections.map(sectionHtml).join('\n')}</body></html>`,
  );

async function exportWithCalibre({ cover }: Book, input: string, output: string): Promise<void> {
  const program = await findProgram('ebook-convert');
  if (!program) return;
  const coverFile = `${input}.png`;
  await writeFile(coverFile, await drawCover(cover));
  const options = ['--cover', coverFile, '--authors', cover.author, '--language', 'zh', '--level1-toc', '//h:h1'];
  if (output.endsWith('.mobi')) options.push('--mobi-file-type', 'both');
  await run(program, [input, output, ...options], { timeout: PROGRAM_TIMEOUT_MS });
}

/** Exports all files of one filter in one start of the program. */
async function exportWithLibreOffice(exports: Export[], folder: string): Promise<void> {
  const program = await findProgram('soffice');
  if (!program) return;
  for (const [filter, group] of Map.groupBy(exports, (each) => each.filter)) {
    const outputFolder = path.join(folder, 'office');
    await mkdir(outputFolder, { recursive: true });
    const options = [
      ...['--headless', '--norestore', '--nolockcheck', '--nofirststartwizard'],
      `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`,
      ...['--convert-to', filter, '--outdir', outputFolder],
    ];
    await run(program, [...options, ...group.map(({ input }) => input)], { timeout: PROGRAM_TIMEOUT_MS });
    for (const { input, output } of group) {
      const extension = filter.slice(0, filter.indexOf(':'));
      const exportedFile = path.join(outputFolder, `${path.parse(input).name}.${extension}`);
      if (await exists(exportedFile)) await rename(exportedFile, output);
    }
  }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
