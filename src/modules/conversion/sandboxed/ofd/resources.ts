import { folderOf, type OfdPackage, resolveLocation } from './ofd-package.ts';
import { childText, findChildren, type XmlElement } from './xml-tree.ts';

export type OfdFont = {
  name: string;
  family: string;
  isBold: boolean;
  isItalic: boolean;
  isFixedWidth: boolean;
  isSerif: boolean;
  /** Member of the ZIP; null for a font that is not embedded. */
  file: string | null;
  /** The document names a file that is not in the ZIP. */
  isFileMissing: boolean;
};
type OfdMedia = { type: string; format: string; file: string | null };

/** What pages refer to by numbers. Numbers are unique in a document. */
export type Resources = {
  fonts: Map<string, OfdFont>;
  colorSpaces: Map<string, XmlElement>;
  drawParams: Map<string, XmlElement>;
  media: Map<string, OfdMedia>;
  /** Elements CompositeGraphicUnit. */
  composites: Map<string, XmlElement>;
};

export const emptyResources = (): Resources => ({
  fonts: new Map(),
  colorSpaces: new Map(),
  drawParams: new Map(),
  media: new Map(),
  composites: new Map(),
});

/** Adds the resources of a file to those read before; the first with a number is kept. */
export async function addResources(resources: Resources, ofd: OfdPackage, member: string | null): Promise<void> {
  const root = await ofd.readXml(member);
  if (!root || member === null) return;
  const mediaFolder = `${resolveLocation(root.attributes.BaseLoc ?? '', folderOf(member))}/`;
  const find = (location: string) =>
    location === '' ? null : (ofd.findMember(location, mediaFolder) ?? ofd.findMember(location, folderOf(member)));
  const addAll = <T>(map: Map<string, T>, group: string, name: string, read: (element: XmlElement) => T) => {
    for (const element of findChildren(root, group).flatMap(({ children }) => children)) {
      const id = element.attributes.ID;
      if (element.name === name && id !== undefined && !map.has(id)) map.set(id, read(element));
    }
  };
  addAll(resources.fonts, 'Fonts', 'Font', (element) => readFont(element, find));
  addAll(resources.colorSpaces, 'ColorSpaces', 'ColorSpace', (element) => element);
  addAll(resources.drawParams, 'DrawParams', 'DrawParam', (element) => element);
  addAll(resources.composites, 'CompositeGraphicUnits', 'CompositeGraphicUnit', (element) => element);
  addAll(resources.media, 'MultiMedias', 'MultiMedia', (element) => ({
    type: element.attributes.Type ?? '',
    format: element.attributes.Format ?? '',
    file: find(childText(element, 'MediaFile')),
  }));
}

function readFont(element: XmlElement, find: (location: string) => string | null): OfdFont {
  const { FontName = '', FamilyName = '', Bold, Italic, FixedWidth, Serif } = element.attributes;
  const location = childText(element, 'FontFile');
  const file = find(location);
  return {
    name: FontName,
    family: FamilyName,
    isBold: Bold === 'true',
    isItalic: Italic === 'true',
    isFixedWidth: FixedWidth === 'true',
    isSerif: Serif === 'true',
    file,
    isFileMissing: location !== '' && file === null,
  };
}
