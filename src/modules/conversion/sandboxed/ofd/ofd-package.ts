import { randomUUID } from 'node:crypto';
import type { Zip } from '../flow/zip-reader.ts';
import { parseXmlTree, type XmlElement } from './xml-tree.ts';

const MAX_XML_BYTES = 16 * 1024 * 1024;
const MAX_MEDIA_BYTES = 64 * 1024 * 1024;

export type OfdPackage = ReturnType<typeof createOfdPackage>;

/** Reads the members of the ZIP. Locations only name members, so that no path leads out of the file. */
export function createOfdPackage(zip: Zip) {
  const names = new Map(zip.names.map((name) => [normalizePath(name).toLowerCase(), name]));
  /** Some programs write locations from the root without a slash, or in another case. */
  const findMember = (location: string, folder: string): string | null =>
    names.get(resolveLocation(location, folder).toLowerCase()) ??
    names.get(normalizePath(location).toLowerCase()) ??
    null;
  return {
    /** Distinguishes the members of a file from those of a file within it. */
    id: randomUUID(),
    findMember,
    /** Null when there is no such member or no element in it. */
    async readXml(member: string | null): Promise<XmlElement | null> {
      const bytes = member === null ? null : await zip.read(member, MAX_XML_BYTES);
      return bytes && parseXmlTree(bytes);
    },
    readBytes: (member: string): Promise<Buffer | null> => zip.read(member, MAX_MEDIA_BYTES),
  };
}

/** The folder of a member, to which the locations in it are relative. */
export const folderOf = (member: string): string => member.slice(0, member.lastIndexOf('/') + 1);

/** Joins a location with the folder of the file that contains it; a location from the root begins with a slash. */
export const resolveLocation = (location: string, folder: string): string => {
  const path = location.trim().replaceAll('\\', '/');
  return normalizePath(path.startsWith('/') ? path : `${folder}/${path}`);
};

function normalizePath(path: string): string {
  const parts: string[] = [];
  for (const part of path.replaceAll('\\', '/').split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
