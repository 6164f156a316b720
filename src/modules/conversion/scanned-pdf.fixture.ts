import sharp from 'sharp';
import { assemblePdf } from './document-files.fixture.ts';

const pdfStream = (body: string, entries = '') => `<< /Length ${body.length} ${entries}>>\nstream\n${body}\nendstream`;

/** Operators of a page of 595 × 842 points; /Im draws the picture in the unit square, /Fm in a form. */
export type ScannedPdfPage = { operators: string; formOperators?: string; formMatrix?: string };

export const FULL_PAGE_PICTURE = 'q 595 0 0 842 0 0 cm /Im Do Q';
export const LINE_OF_TEXT = 'BT /F1 14 Tf 60 700 Td (Readable text of the page) Tj ET';

/** Builds a PDF in which each JPEG image, all of the same size, fills a page of 595 × 842 points. */
export function scannedBook(images: Buffer[], { width, height }: { width: number; height: number }): Buffer {
  const objects = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const kids = images.map((image) => {
    const picture = objects.push(
      pdfStream(
        image.toString('latin1'),
        `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode `,
      ),
    );
    const content = objects.push(pdfStream(FULL_PAGE_PICTURE));
    return objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources << /XObject << /Im ${picture} 0 R >> >> >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  return assemblePdf(objects);
}

/** Builds a PDF whose pages may show one picture. */
export async function pdfWithPicture(image: Buffer, pages: ScannedPdfPage[]): Promise<Buffer> {
  const { data, info } = await sharp(image).jpeg({ quality: 90 }).toBuffer({ resolveWithObject: true });
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    pdfStream(
      data.toString('latin1'),
      `/Type /XObject /Subtype /Image /Width ${info.width} /Height ${info.height} /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode `,
    ),
  ];
  const kids = pages.map(({ operators, formOperators = '', formMatrix = '1 0 0 1 0 0' }) => {
    const form = objects.push(
      pdfStream(
        formOperators,
        `/Type /XObject /Subtype /Form /BBox [0 0 2000 2000] /Matrix [${formMatrix}] /Resources << /XObject << /Im 4 0 R >> >> `,
      ),
    );
    const content = objects.push(pdfStream(operators));
    const resources = `<< /Font << /F1 3 0 R >> /XObject << /Im 4 0 R /Fm ${form} 0 R >> >>`;
    return objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${content} 0 R /Resources ${resources} >>`,
    );
  });
  objects[1] = `<< /Type /Pages /Count ${kids.length} /Kids [${kids.map((kid) => `${kid} 0 R`).join(' ')}] >>`;
  return assemblePdf(objects);
}
