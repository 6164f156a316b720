import { posix } from 'node:path';

export const findImageSources = (html: string): string[] =>
  [...html.matchAll(/<(?:img|image)\b[^>]*?(?:src|xlink:href|href)\s*=\s*["']?([^"'>\s]+)/gi)].map(([, source = '']) =>
    source.replaceAll('&amp;', '&'),
  );

/** Returns a path inside the book, or null for a target outside of it. */
export function resolvePath(from: string, reference: string): string | null {
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(reference)) return null;
  const [path = ''] = reference.split(/[?#]/);
  const decodedPath = decodeUriIfValid(path);
  const resolvedPath = posix.normalize(posix.join(posix.dirname(from), decodedPath)).replace(/^\/+/, '');
  return resolvedPath.startsWith('..') ? null : resolvedPath;
}

export const decodeUriIfValid = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export function rewriteLink(from: string, href: string): string | null {
  if (/^(?:https?:|mailto:)/i.test(href)) return href;
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href)) return null;
  const [path = '', id = ''] = href.split('#');
  const target = path ? resolvePath(from, path) : from;
  return target && `#place:${encodeURIComponent(id ? `${target}#${id}` : target)}`;
}
