import { type OfdBox, parseBox } from './geometry.ts';
import { folderOf, type OfdPackage } from './ofd-package.ts';
import { findSealPicture, type SealPicture } from './seal-picture.ts';
import { childText, findChild, findChildren, type XmlElement } from './xml-tree.ts';

const MAX_STAMPS = 10_000;

/** A seal on a page: where it is, which part of it is visible, and its picture (null if there is none). */
export type Stamp = { page: string; box: OfdBox; clip: OfdBox | null; picture: SealPicture | null; key: string };

/** Reads the seals of a document; `list` is the member that names the signatures. */
export async function readStamps(ofd: OfdPackage, list: string | null): Promise<Stamp[]> {
  const root = await ofd.readXml(list);
  if (!root || list === null) return [];
  const stamps: Stamp[] = [];
  for (const { attributes } of findChildren(root, 'Signature')) {
    const member = ofd.findMember(attributes.BaseLoc ?? '', folderOf(list));
    const signature = await ofd.readXml(member);
    if (member === null || !signature) continue;
    const annotations = findChildren(findChild(signature, 'SignedInfo'), 'StampAnnot');
    if (annotations.length === 0) continue;
    const picture = await readPicture(ofd, signature, folderOf(member));
    for (const annotation of annotations) {
      const box = parseBox(annotation.attributes.Boundary);
      const page = annotation.attributes.PageRef ?? '';
      if (box && stamps.length < MAX_STAMPS)
        stamps.push({ page, box, clip: parseBox(annotation.attributes.Clip), picture, key: member });
    }
  }
  return stamps;
}

/** The picture of the seal, which older files have only within the signature. */
async function readPicture(ofd: OfdPackage, signature: XmlElement, folder: string): Promise<SealPicture | null> {
  const seal = childText(findChild(findChild(signature, 'SignedInfo'), 'Seal'), 'BaseLoc');
  for (const location of [seal, childText(signature, 'SignedValue')]) {
    const member = location === '' ? null : ofd.findMember(location, folder);
    const bytes = member === null ? null : await ofd.readBytes(member);
    const picture = bytes && findSealPicture(bytes);
    if (picture) return picture;
  }
  return null;
}
