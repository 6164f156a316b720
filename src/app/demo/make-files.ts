import { execFile } from 'node:child_process';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { findProgram } from '#platform/server/programs.ts';
import type { DemoDocument } from './demo-document.ts';
import { sectionsOf } from './markup.ts';
import { writeChm } from './writers/chm.ts';
import { writeDocx } from './writers/docx.ts';
import { writeEpub } from './writers/epub.ts';
import { writeOds } from './writers/ods.ts';
import { writePptx } from './writers/pptx.ts';
import { writeText } from './writers/text.ts';
import { writeUmd } from './writers/umd.ts';
import { writeDelimited, writeWorkbook } from './writers/workbook.ts';

const run = promisify(execFile);
const LIMIT_MS = 300_000;

/** Types another program makes of ours, with the name it knows them by. */
const officeFilters: Record<'article' | 'deck', Record<string, string>> = {
  article: {
    pdf: 'pdf:writer_pdf_Export',
    odt: 'odt:writer8',
    rtf: 'rtf:Rich Text Format',
    doc: 'doc:MS Word 97',
    wps: 'doc:MS Word 97',
    dot: 'dot:MS Word 97 Vorlage',
  },
  deck: {
    pdf: 'pdf:impress_pdf_Export',
    odp: 'odp:impress8',
    ppt: 'ppt:MS PowerPoint 97',
    pps: 'ppt:MS PowerPoint 97',
    dps: 'ppt:MS PowerPoint 97',
    pot: 'pot:MS PowerPoint 97 Vorlage',
  },
};

/** Formats in which LibreOffice loses round shapes. */
const angular = ['doc', 'dot', 'wps', 'ppt', 'pps', 'dps', 'pot'];

export type MadeFile = { document: DemoDocument; file: string };
type Step = MadeFile & { base: string; filter: string };

/** Writes the files of the demo into a folder; says which types it could not make. */
export async function makeFiles(
  documents: DemoDocument[],
  folder: string,
): Promise<{ files: MadeFile[]; missing: string[] }> {
  const files: MadeFile[] = [];
  const office: Step[] = [];
  const missing = new Set<string>();
  for (const [index, document] of documents.entries()) {
    const { ext, content } = document;
    const at = (extension: string) => path.join(folder, `${index + 1}.${extension}`);
    const written = await writeOwn(document);
    await writeFile(at(written.ext), written.body);
    const made = { document, file: at(ext) };
    if (written.ext === ext) files.push(made);
    else if (ext === 'mobi') {
      if (await makeMobi(at('epub'), at('mobi'))) files.push(made);
      else missing.add(ext);
    } else {
      const filter = officeFilters[content.kind as 'article' | 'deck'][ext];
      if (!filter) throw new Error(`no way to make ${ext} of ${content.kind}`);
      office.push({ ...made, base: at(written.ext), filter });
    }
  }
  for (const made of await makeOffice(office, folder))
    if (await exists(made.file)) files.push(made);
    else missing.add(made.document.ext);
  return { files, missing: [...missing] };
}

/** What the demo writes itself: the file wanted, or the one it is made from. */
async function writeOwn({ title, ext, content }: DemoDocument) {
  const isAngular = angular.includes(ext);
  switch (content.kind) {
    case 'article':
      return { ext: 'docx', body: writeDocx(content, isAngular) };
    case 'deck':
      return ext === 'ppsx'
        ? { ext, body: writePptx(content, { isShow: true }) }
        : { ext: 'pptx', body: writePptx(content, { isAngular }) };
    case 'text':
      return { ext, body: writeText(content) };
    case 'workbook': {
      const sheets = content.sheets();
      if (ext === 'csv' || ext === 'tsv') return { ext, body: writeDelimited(sheets, ext === 'csv' ? ',' : '\t') };
      if (ext === 'ods') return { ext, body: writeOds(sheets) };
      return { ext, body: writeWorkbook(sheets, ext === 'xlsx' ? 'xlsx' : 'biff8') };
    }
    case 'book': {
      const sections = sectionsOf(content.body);
      if (ext === 'chm') return { ext, body: writeChm(title, sections) };
      if (ext === 'umd') return { ext, body: writeUmd({ title, author: content.cover.author, sections }) };
      return { ext: 'epub', body: await writeEpub(content) };
    }
  }
}

async function makeMobi(epub: string, mobi: string): Promise<boolean> {
  const program = await findProgram('ebook-convert');
  if (!program) return false;
  await run(program, [epub, mobi, '--mobi-file-type', 'both'], { timeout: LIMIT_MS });
  return exists(mobi);
}

/** All files of one kind in one start of the program. */
async function makeOffice(steps: Step[], folder: string): Promise<MadeFile[]> {
  const program = await findProgram('soffice');
  if (!program || steps.length === 0) return steps;
  for (const [filter, group] of Map.groupBy(steps, (step) => step.filter)) {
    const output = path.join(folder, 'office');
    await mkdir(output, { recursive: true });
    const options = [
      ...['--headless', '--norestore', '--nolockcheck', '--nofirststartwizard'],
      `-env:UserInstallation=${pathToFileURL(path.join(folder, 'profile'))}`,
      ...['--convert-to', filter, '--outdir', output],
    ];
    await run(program, [...options, ...group.map(({ base }) => base)], { timeout: LIMIT_MS });
    for (const { base, file } of group) {
      const extension = filter.slice(0, filter.indexOf(':'));
      const result = path.join(output, `${path.parse(base).name}.${extension}`);
      if (await exists(result)) await rename(result, file);
    }
  }
  return steps;
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );
