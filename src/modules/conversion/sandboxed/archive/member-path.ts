import { decodeText, detectEncoding } from '../../detect/text-encoding.ts';

const MAX_PATH_LENGTH = 1_000;

const strictUtf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Decodes names whose encoding the archive does not declare: UTF-8 if all of them are valid, otherwise the encoding of a
 * Chinese Windows or the one that all names together show.
 */
export function createNameDecoder(names: readonly Buffer[]): (name: Buffer) => string {
  const joinedNames = Buffer.concat(names.flatMap((name) => [name, Buffer.from('\n')]));
  const encoding = detectEncoding(joinedNames);
  if (encoding === 'utf-8') return (name) => name.toString('utf8');
  const usedEncoding = encoding === null || encoding === 'windows-1252' ? 'gb18030' : encoding;
  return (name) => decodeUtf8(name) ?? decodeText(name, usedEncoding);
}

export function decodeUtf8(bytes: Buffer): string | null {
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return null;
  }
}

/** A relative path without "." and ".."; files are stored under numbers, so the path only names a document. */
export const cleanMemberPath = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/\p{Cc}/gu, '')
    .replace(/^[a-z]:/i, '')
    .split('/')
    .map((segment) => segment.trim())
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..')
    .join('/')
    .slice(-MAX_PATH_LENGTH)
    .toWellFormed();

/** Files that systems and programs add to folders. */
export const isSystemFile = (path: string): boolean =>
  path.split('/').some((segment) => segment === '__MACOSX' || segment.startsWith('.') || segment.startsWith('~$')) ||
  /(?:^|\/)(?:thumbs\.db|desktop\.ini)$/i.test(path);
