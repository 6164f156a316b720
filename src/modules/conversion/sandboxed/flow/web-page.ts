import { readWebPageFile } from '../web-page/read-web-page-file.ts';
import { removeHiddenHtml } from '../web-page/remove-hidden-html.ts';
import { findImageSources, rewriteLink } from './book-paths.ts';
import type { FlowOutput, FlowWriter } from './flow-writer.ts';
import { readPageTitle, splitHtmlIntoBlocks } from './html-blocks.ts';
import { createImageStore } from './image-store.ts';

/** Reads a web page or a web archive with its embedded images; external images are left out. */
export async function readWebPage(file: string, writer: FlowWriter, { folder, emit }: FlowOutput) {
  const { pages, picture } = readWebPageFile(file);
  const images = createImageStore(folder, emit);
  for (const { location, html } of pages) {
    const visibleHtml = removeHiddenHtml(html);
    for (const source of findImageSources(visibleHtml)) await images.add(source, picture(source));
    const name = location || 'page';
    writer.beginFile(name);
    const rewrite = {
      link: (href: string) => rewriteLink(name, href),
      picture: (source: string) => images.nameOf(source),
    };
    for (const block of splitHtmlIntoBlocks(visibleHtml, rewrite)) writer.add(block, name);
  }
  return { title: readPageTitle(pages[0]?.html ?? '') };
}
