import { type PdfObjectFile, pdfReference, pdfTextString } from './pdf-object-file.ts';

/** An entry of the table of contents; `page` counts from 1. */
export type PdfOutlineItem = { title: string; page: number; children: PdfOutlineItem[] };

/** Writes the table of contents and returns its object; null without entries. */
export function writePdfOutline(file: PdfObjectFile, items: PdfOutlineItem[], pages: number[]): number | null {
  if (items.length === 0) return null;
  const root = file.reserve();
  const { first, last } = writeItems(file, { items, parent: root, pages });
  return file.writeObject(`<< /Type /Outlines /First ${pdfReference(first)} /Last ${pdfReference(last)} >>`, root);
}

type Level = { items: PdfOutlineItem[]; parent: number; pages: number[] };

function writeItems(file: PdfObjectFile, { items, parent, pages }: Level): { first: number; last: number } {
  const objects = items.map(() => file.reserve());
  items.forEach(({ title, page, children }, index) => {
    const object = objects[index] ?? 0;
    const target = pages[page - 1];
    const [previous, next] = [objects[index - 1], objects[index + 1]];
    const childLinks = children.length === 0 ? null : writeItems(file, { items: children, parent: object, pages });
    const entries = [
      `/Title ${pdfTextString(title)} /Parent ${pdfReference(parent)}`,
      ...(target ? [`/Dest [${pdfReference(target)} /Fit]`] : []),
      ...(previous ? [`/Prev ${pdfReference(previous)}`] : []),
      ...(next ? [`/Next ${pdfReference(next)}`] : []),
      ...(childLinks ? [`/First ${pdfReference(childLinks.first)} /Last ${pdfReference(childLinks.last)}`] : []),
    ];
    file.writeObject(`<< ${entries.join(' ')} >>`, object);
  });
  return { first: objects[0] ?? 0, last: objects.at(-1) ?? 0 };
}
