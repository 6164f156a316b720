const MAX_NAME_BYTES = 200;

/** Characters that file systems reject or that could change the path or the display direction. */
const INVALID_CHARACTERS = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\\/:*?"<>|]+/gu;

/** Cuts at a character boundary. */
function truncateToBytes(text: string, bytes: number): string {
  let rest = text;
  while (Buffer.byteLength(rest) > bytes) rest = Array.from(rest).slice(0, -1).join('');
  return rest;
}

/** The title with the extension, which is not repeated. */
export function buildDownloadFileName(title: string, ext: string): string {
  const titleWithoutExtension = title.toLowerCase().endsWith(ext) ? title.slice(0, -ext.length) : title;
  const name = titleWithoutExtension
    .replace(INVALID_CHARACTERS, '_')
    .replace(/^[.\s]+|[.\s]+$/g, '')
    .trim();
  return (truncateToBytes(name, MAX_NAME_BYTES) || '文档') + ext;
}

/** RFC 6266: the UTF-8 name, and an ASCII fallback for old clients. */
export function contentDispositionHeader(name: string, id: number): string {
  const ext = name.slice(name.lastIndexOf('.'));
  const ascii = name.slice(0, -ext.length).replace(/[^\x20-\x7e]+/g, '_');
  const fallback = /[A-Za-z0-9]/.test(ascii) ? ascii.replace(/["\\%]/g, '_') : `document-${id}`;
  const encodedName = encodeURIComponent(name).replace(
    /['()*!]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${fallback}${ext}"; filename*=UTF-8''${encodedName}`;
}
