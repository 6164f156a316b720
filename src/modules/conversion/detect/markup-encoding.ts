import { decodeText, detectEncoding, type TextEncoding } from './text-encoding.ts';

const DECLARATION_BYTES = 4096;

/** Encoding that an HTML or XML page declares, as a label of TextDecoder. */
function declaredEncoding(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, DECLARATION_BYTES);
  const [, label] =
    /<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)/i.exec(head) ?? /charset\s*=\s*["']?([\w-]+)/i.exec(head) ?? [];
  return label ? normalizeLabel(label) : null;
}

function normalizeLabel(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * Decodes an HTML or XML page by the encoding that it declares unless its bytes contradict it, then by `fallback`, then
 * by detection.
 */
export function decodeMarkup(
  bytes: Buffer,
  fallback: (detectedEncoding: TextEncoding | null) => string | null = () => null,
): string {
  const detectedEncoding = detectEncoding(bytes);
  if (detectedEncoding === 'utf-8' || detectedEncoding?.startsWith('utf-16'))
    return decodeText(bytes, detectedEncoding);
  const declaredLabel = declaredEncoding(bytes);
  // A declaration in single bytes cannot be true for UTF-16.
  if (declaredLabel && !declaredLabel.startsWith('utf-16')) {
    const text = new TextDecoder(declaredLabel).decode(bytes);
    if (isDecoded(text)) return text;
  }
  return new TextDecoder(fallback(detectedEncoding) ?? detectedEncoding ?? 'windows-1252').decode(bytes);
}

/** Largest share of undecodable characters among the non-ASCII characters of a page with a few bad bytes. */
const MAX_UNDECODABLE_SHARE = 0.2;

function isDecoded(text: string): boolean {
  const beyondAscii = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  const undecodableCount = text.match(/\ufffd/g)?.length ?? 0;
  return undecodableCount <= beyondAscii * MAX_UNDECODABLE_SHARE;
}
