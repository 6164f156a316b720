import { ElementType } from 'htmlparser2';
import type { CellStyle } from '../../cell-style.contract.ts';
import type { Zip } from '../flow/zip-reader.ts';
import { findElementsByLocalName, localName, parseXml, type XmlNodes } from '../xml-elements.ts';
import { readDrawingPart } from './drawing-part.ts';
import { colorResolver, type ResolveColor } from './xlsx-colors.ts';

type StyleElement = ReturnType<typeof findElementsByLocalName>[number];

const ALIGNMENTS: Record<string, CellStyle['align']> = {
  center: 'center',
  centerContinuous: 'center',
  distributed: 'center',
  right: 'right',
};

/** Excel itself allows 65,490 formats in a workbook. */
const MAX_FORMATS = 65_490;

/** `isAligned`: the alignment does not depend on the type of the value. */
export type CellFormat = { style: CellStyle; isAligned: boolean };

/** Reads the formats of a workbook, by the number that cells have in their attribute `s`. */
export async function readXlsxCellFormats(zip: Zip): Promise<CellFormat[]> {
  const styles = parseXml(await readDrawingPart(zip, 'xl/styles.xml'));
  const resolveColor = colorResolver(parseXml(await readDrawingPart(zip, 'xl/theme/theme1.xml')), styles);
  const fonts = listOf(styles, 'fonts', 'font').map((font) => fontStyle(font, resolveColor));
  const fills = listOf(styles, 'fills', 'fill').map((fill) => fillColor(fill, resolveColor));
  const borders = listOf(styles, 'borders', 'border').map(borderSides);
  return listOf(styles, 'cellXfs', 'xf').map(({ attribs, children }) => {
    const fill = fills[Number(attribs.fillId)];
    const sides = borders[Number(attribs.borderId)];
    const { horizontal = 'general', wrapText = '' } = findChild(children, 'alignment')?.attribs ?? {};
    const align = ALIGNMENTS[horizontal];
    const style: CellStyle = {
      ...fonts[Number(attribs.fontId)],
      ...(fill && { fill }),
      ...(sides && { borders: sides }),
      ...(align && { align }),
      ...(['1', 'true'].includes(wrapText) && { wrap: true }),
    };
    return { style, isAligned: horizontal !== 'general' };
  });
}

/** Differential formats contain fonts and fills, too; only those of the named list are numbered. */
const listOf = (nodes: XmlNodes, list: string, name: string): StyleElement[] =>
  findElementsByLocalName(nodes, list)
    .slice(0, 1)
    .flatMap(({ children }) => childElements(children, name))
    .slice(0, MAX_FORMATS);

const childElements = (nodes: XmlNodes, name: string): StyleElement[] =>
  nodes.filter((node) => node.type === ElementType.Tag && localName(node.name) === name) as StyleElement[];

const findChild = (nodes: XmlNodes, name: string) => childElements(nodes, name)[0];

/** An element without a value sets the property. */
const isSet = (element: StyleElement | undefined) =>
  element !== undefined && !['0', 'false', 'none'].includes(element.attribs.val ?? '');

function fontStyle({ children }: StyleElement, resolveColor: ResolveColor): CellStyle {
  const color = resolveColor(findChild(children, 'color')?.attribs);
  return {
    // Black is the default colour; the reader uses that of the interface instead.
    ...(color && color !== '000000' && { color }),
    ...(isSet(findChild(children, 'b')) && { bold: true }),
    ...(isSet(findChild(children, 'i')) && { italic: true }),
    ...(isSet(findChild(children, 'u')) && { underline: true }),
    ...(isSet(findChild(children, 'strike')) && { strike: true }),
  };
}

function fillColor({ children }: StyleElement, resolveColor: ResolveColor): string | undefined {
  const pattern = findChild(children, 'patternFill');
  const color = pattern ? patternColor(pattern, resolveColor) : resolveColor(firstGradientColor(children));
  // White is the colour of paper; the reader uses that of the interface instead.
  return color === 'ffffff' ? undefined : color;
}

function patternColor({ attribs, children }: StyleElement, resolveColor: ResolveColor): string | undefined {
  const type = attribs.patternType ?? 'none';
  if (type === 'none') return;
  return resolveColor(findChild(children, type === 'solid' ? 'fgColor' : 'bgColor')?.attribs);
}

const firstGradientColor = (fill: XmlNodes) => {
  const [stop] = findElementsByLocalName(fill, 'stop');
  return stop && findChild(stop.children, 'color')?.attribs;
};

/** Documents written from right to left name the sides `start` and `end`. */
const SIDES: [string, string[]][] = [
  ['t', ['top']],
  ['r', ['right', 'end']],
  ['b', ['bottom']],
  ['l', ['left', 'start']],
];

const borderSides = ({ children }: StyleElement): string =>
  SIDES.filter(([, names]) => names.some((name) => (findChild(children, name)?.attribs.style ?? 'none') !== 'none'))
    .map(([side]) => side)
    .join('');
