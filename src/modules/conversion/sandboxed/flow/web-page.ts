import type { ConverterEvent } from '../events.ts';
import { removeHiddenHtml } from '../web-page/remove-hidden-html.ts';
import { openWebPage } from '../web-page/web-page.ts';
import { linkOf, pictureSources } from './book-paths.ts';
import type { FlowWriter } from './flow-writer.ts';
import { htmlBlocks, pageTitle } from './html-blocks.ts';
import { pictureStore } from './image-store.ts';

type Tools = { folder: string; say: (event: ConverterEvent) => void };

/** A web page or a web archive with the pictures that lie in it; all others are left out. */
export async function readWebPage(file: string, writer: FlowWriter, { folder, say }: Tools) {
  const { pages, picture } = openWebPage(file);
  const pictures = pictureStore(folder, say);
  for (const { location, html } of pages) {
    const visible = removeHiddenHtml(html);
    for (const source of pictureSources(visible)) await pictures.add(source, picture(source));
    const name = location || 'page';
    writer.beginFile(name);
    const rewrite = {
      link: (href: string) => linkOf(name, href),
      picture: (source: string) => pictures.nameOf(source),
    };
    for (const block of htmlBlocks(visible, rewrite)) writer.add(block, name);
  }
  return { title: pageTitle(pages[0]?.html ?? '') };
}
