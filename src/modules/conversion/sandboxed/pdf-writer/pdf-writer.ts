import type { DocumentRestrictions } from '../../rendition-meta.ts';
import { createInvisibleText, type PdfWord } from './invisible-text.ts';
import { openPdfObjectFile, pdfNumber, pdfReference, pdfTextString } from './pdf-object-file.ts';
import { type PdfOutlineItem, writePdfOutline } from './pdf-outline.ts';

/** Something that the operators of a page use by its name, e.g. `/Im5 Do` or `/Gs7 gs`. */
export type PdfResource = { category: 'XObject' | 'ExtGState' | 'Pattern' | 'Shading'; name: string; object: number };

/** Operators in the coordinates of PDF, whose origin is the bottom left corner. */
type Operators = { content: string; resources: Iterable<PdfResource> };

export type PdfPageContent = Operators & {
  /** In points. */
  width: number;
  height: number;
  /** Text that is extracted and selected, but not drawn. */
  words?: Iterable<PdfWord>;
};

/** Entry of the document information with the restrictions as JSON. */
export const RESTRICTIONS_KEY = 'DoukuRestrictions';

type ImageSize = { width: number; height: number };
export type PixelImage = ImageSize & {
  /** Gray or RGB, 8 bits each, row by row. */
  channels: 1 | 3;
  pixels: Buffer;
  /** One byte for each pixel; 0 is transparent. */
  alpha?: Buffer;
};
export type GraphicsState = { fillAlpha?: number; strokeAlpha?: number };

type PdfEnd = {
  title?: string;
  outline?: PdfOutlineItem[];
  /** Restrictions of the source document, which a PDF without encryption cannot express. */
  restrictions?: DocumentRestrictions;
};

export type PdfWriter = ReturnType<typeof createPdfWriter>;

/** Writes a PDF object by object, so that its size costs no memory. Call `end` after the last page, and `close` always. */
// biome-ignore lint/complexity/noExcessiveLinesPerFunction: its functions share its state, as the methods of a class
export function createPdfWriter(target: string) {
  const file = openPdfObjectFile(target);
  const text = createInvisibleText(file);
  const pages: number[] = [];
  const pageTree = file.reserve();
  file.open();
  const resource = (category: PdfResource['category'], prefix: string, object: number): PdfResource => ({
    category,
    name: `${prefix}${object}`,
    object,
  });
  return {
    /** Writes a JPEG file as it is; the caller applies its orientation. CMYK has other conventions and is not accepted. */
    addJpeg(bytes: Buffer, size: ImageSize & { channels: 1 | 3 }): PdfResource {
      return resource('XObject', 'Im', file.writeStream(`${imageEntries(size)} /Filter /DCTDecode`, bytes));
    },
    addPixels({ pixels, alpha, ...size }: PixelImage): PdfResource {
      const mask =
        alpha &&
        file.writeCompressedStream(imageEntries({ ...size, channels: 1 }), alpha.subarray(0, pixelCount(size)));
      const entries = `${imageEntries(size)}${mask ? ` /SMask ${pdfReference(mask)}` : ''}`;
      return resource('XObject', 'Im', file.writeCompressedStream(entries, pixels));
    },
    /** Writes the compressed rows of a PNG file with 8 bits for each channel, without palette, alpha and interlacing. */
    addPng(rows: Buffer, size: ImageSize & { channels: 1 | 3 }): PdfResource {
      const parameters = `/Predictor 15 /Colors ${size.channels} /BitsPerComponent 8 /Columns ${size.width}`;
      const entries = `${imageEntries(size)} /Filter /FlateDecode /DecodeParms << ${parameters} >>`;
      return resource('XObject', 'Im', file.writeStream(entries, rows));
    },
    /** Writes the segments of one JBIG2 page as they are. */
    addJbig2(segments: Buffer, { width, height }: ImageSize): PdfResource {
      const entries = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode`;
      return resource('XObject', 'Im', file.writeStream(entries, segments));
    },
    addGraphicsState({ fillAlpha = 1, strokeAlpha = 1 }: GraphicsState): PdfResource {
      const body = `<< /Type /ExtGState /ca ${pdfNumber(fillAlpha)} /CA ${pdfNumber(strokeAlpha)} >>`;
      return resource('ExtGState', 'Gs', file.writeObject(body));
    },
    /** A resource that is an object without a stream, such as a shading. */
    addDictionary(category: PdfResource['category'], entries: string): PdfResource {
      return resource(category, 'R', file.writeObject(`<< ${entries} >>`));
    },
    /** A resource with operators, such as a form or a tiling pattern, and the resources that they use. */
    addOperators(category: PdfResource['category'], entries: string, { content, resources }: Operators): PdfResource {
      const allEntries = `${entries} /Resources << ${resourceEntries(resources)} >>`;
      return resource(category, 'R', file.writeCompressedStream(allEntries, Buffer.from(content, 'latin1')));
    },
    addPage({ width, height, content, resources, words = [] }: PdfPageContent): void {
      const wordOperators = text.draw(words, height);
      // The state that the content leaves behind does not apply to the words.
      const operators = wordOperators ? `q\n${content}\nQ\n${wordOperators}` : content;
      const stream = file.writeCompressedStream('', Buffer.from(operators, 'latin1'));
      const fonts = wordOperators ? ` /Font << ${text.fontResources()} >>` : '';
      const entries = [
        `/Type /Page /Parent ${pdfReference(pageTree)} /Contents ${pdfReference(stream)}`,
        `/MediaBox [0 0 ${pdfNumber(width)} ${pdfNumber(height)}]`,
        `/Resources << ${resourceEntries(resources)}${fonts} >>`,
      ];
      pages.push(file.writeObject(`<< ${entries.join(' ')} >>`));
    },
    end({ title = '', outline = [], restrictions }: PdfEnd = {}): void {
      text.writeFonts();
      const outlines = writePdfOutline(file, outline, pages);
      file.writeObject(
        `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map(pdfReference).join(' ')}] >>`,
        pageTree,
      );
      const catalog = file.writeObject(
        `<< /Type /Catalog /Pages ${pdfReference(pageTree)}${outlines ? ` /Outlines ${pdfReference(outlines)}` : ''} >>`,
      );
      const infoEntries = [
        ...(title ? [`/Title ${pdfTextString(title)}`] : []),
        ...(restrictions ? [`/${RESTRICTIONS_KEY} ${pdfTextString(JSON.stringify(restrictions))}`] : []),
      ];
      const info = infoEntries.length > 0 ? file.writeObject(`<< ${infoEntries.join(' ')} >>`) : null;
      file.writeTrailer(`/Root ${pdfReference(catalog)}${info ? ` /Info ${pdfReference(info)}` : ''}`);
    },
    close: file.close,
  };
}

/** The entries of a resource dictionary. */
function resourceEntries(resources: Iterable<PdfResource>): string {
  const byCategory = Map.groupBy(resources, ({ category }) => category);
  return [...byCategory]
    .map(([category, list]) => {
      const objects = new Map(list.map(({ name, object }) => [name, object]));
      const entries = [...objects].map(([name, object]) => `/${name} ${pdfReference(object)}`);
      return `/${category} << ${entries.join(' ')} >>`;
    })
    .join(' ');
}

const pixelCount = ({ width, height }: ImageSize) => width * height;

const imageEntries = ({ width, height, channels }: ImageSize & { channels: 1 | 3 }) =>
  `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /${channels === 1 ? 'DeviceGray' : 'DeviceRGB'} /BitsPerComponent 8`;
