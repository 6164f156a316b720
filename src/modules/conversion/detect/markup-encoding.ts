import { decodeText, detectEncoding, type TextEncoding } from './text-encoding.ts';

const DECLARATION_BYTES = 4096;

/** The encoding that a page of HTML or XML declares, as a label that TextDecoder knows. */
function declaredEncoding(bytes: Buffer): string | null {
  const head = bytes.toString('latin1', 0, DECLARATION_BYTES);
  const [, label] =
    /<\?xml[^>]*\bencoding\s*=\s*["']([\w-]+)/i.exec(head) ?? /charset\s*=\s*["']?([\w-]+)/i.exec(head) ?? [];
  return label ? knownLabel(label) : null;
}

function knownLabel(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/**
 * Decodes a page of HTML or XML: by the encoding that the page declares, unless its bytes contradict
 * it, then by `fallback`, then by detection.
 */
export function decodeMarkup(
  bytes: Buffer,
  fallback: (detected: TextEncoding | null) => string | null = () => null,
): string {
  const detected = detectEncoding(bytes);
  if (detected === 'utf-8' || detected?.startsWith('utf-16')) return decodeText(bytes, detected);
  const declared = declaredEncoding(bytes);
  // A page in UTF-16 cannot declare that in single bytes.
  if (declared && !declared.startsWith('utf-16')) {
    const text = new TextDecoder(declared).decode(bytes);
    if (isDecoded(text)) return text;
  }
  return new TextDecoder(fallback(detected) ?? detected ?? 'windows-1252').decode(bytes);
}

/** Largest share of undecodable characters among those beyond ASCII in a page with a few bad bytes. */
const MAX_UNDECODABLE_SHARE = 0.2;

function isDecoded(text: string): boolean {
  const beyondAscii = text.match(/[^\0-\x7f]/g)?.length ?? 0;
  const undecodable = text.match(/\ufffd/g)?.length ?? 0;
  return undecodable <= beyondAscii * MAX_UNDECODABLE_SHARE;
}
