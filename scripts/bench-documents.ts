/** Chinese sample documents, created with LibreOffice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

export const sentence = '豆库是一座开放的在线文库，读者在这里上传文档，按词检索，逐页阅读。';

/** Converts a file to PDF with LibreOffice alone and returns the milliseconds. */
export async function runOffice(input: string, ...options: string[]): Promise<number> {
  const folder = path.dirname(input);
  const args = [
    ...['--headless', `-env:UserInstallation=file://${folder}/profile`, ...options],
    ...['--convert-to', 'pdf', '--outdir', folder, input],
  ];
  const startedAt = performance.now();
  await once(spawn('soffice', args, { stdio: 'ignore' }), 'close');
  return performance.now() - startedAt;
}

/** Creates a PDF of about `pages` pages of Chinese text in the folder. */
export async function makeChinesePdf(folder: string, name: string, pages: number): Promise<Buffer> {
  const lines = Array.from({ length: pages * 14 }, (_, line) => `${line} ${name} ${sentence.repeat(3)}`);
  const file = path.join(folder, `${name}.txt`);
  await writeFile(file, lines.join('\n'));
  await runOffice(file, '--infilter=Text (encoded):UTF8');
  return readFile(path.join(folder, `${name}.pdf`));
}
