import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type RenditionMeta, renditionMeta } from './rendition-meta.ts';
import { convertToFlow, type FlowOptions } from './sandboxed/flow/convert-to-flow.ts';

type ConvertedFlow = { html: string; text: string; meta: RenditionMeta; images: string[] };

/** Converts a file without sandbox; returns the HTML of all sections, the text, the metadata and the stored images. */
export async function convertToFlowOutput(
  format: FlowOptions['format'],
  content: string | Buffer,
): Promise<ConvertedFlow> {
  const folder = await mkdtemp(path.join(tmpdir(), 'douku-flow-'));
  try {
    const file = path.join(folder, 'input');
    await writeFile(file, content);
    const images: string[] = [];
    await convertToFlow({ file, folder, format }, (event) => event.type === 'file' && images.push(event.name));
    const sections = (await readdir(path.join(folder, 'f'))).sort();
    const html = await Promise.all(
      sections.map(async (name) => JSON.parse(await readFile(path.join(folder, 'f', name), 'utf8')).html as string),
    );
    return {
      html: html.join('\n'),
      text: await readFile(path.join(folder, 'text.txt'), 'utf8'),
      meta: renditionMeta.parse(JSON.parse(await readFile(path.join(folder, 'meta.json'), 'utf8'))),
      images,
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** A PNG of one pixel. */
export const PIXEL_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
