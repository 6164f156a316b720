import { createHash, randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';

/**
 * Nonce for rendering a page that is sent to many visitors. It marks the scripts that the site itself rendered and is
 * removed from the page. It is random and never leaves this process, so a script in a text of a user cannot have it.
 */
export const MARKER_NONCE = randomBytes(18).toString('base64url');
const MARKER_ATTRIBUTE = ` nonce="${MARKER_NONCE}"`;
const MARKED_SCRIPT = new RegExp(`<script(?=[^>]*${MARKER_ATTRIBUTE})[^>]*>(.*?)</script>`, 'gs');

/** A page whose inline scripts the content security policy allows by their hashes, so that its bytes never change. */
export type HashedPage = {
  htmlBytes: Buffer;
  /** Compressed when it is first requested. */
  gzip: Buffer | null;
  etag: string;
  /** Sources of its inline scripts for the content security policy. */
  scriptSources: string[];
};

const removeMarkers = (html: string) => html.replaceAll(MARKER_ATTRIBUTE, '').replaceAll(MARKER_NONCE, '');

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes);

/** Creates the page from HTML that was rendered with `MARKER_NONCE`. */
export function createHashedPage(html: string): HashedPage {
  const scripts = [...html.matchAll(MARKED_SCRIPT)].map(([, script = '']) => removeMarkers(script)).filter(Boolean);
  const scriptSources = scripts.map((script) => `'sha256-${sha256(script).digest('base64')}'`);
  const htmlBytes = Buffer.from(removeMarkers(html));
  // Weak: the plain and the compressed response have the same etag.
  const etag = `W/"${sha256(htmlBytes).digest('base64url').slice(0, 22)}"`;
  return { htmlBytes, gzip: null, etag, scriptSources: [...new Set(scriptSources)] };
}

export function gzipPage(page: HashedPage): Buffer {
  page.gzip ??= gzipSync(page.htmlBytes);
  return page.gzip;
}
