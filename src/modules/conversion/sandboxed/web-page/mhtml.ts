/** A page, an image or a style sheet of a web archive. */
export type ArchivePart = { type: string; location: string; id: string; body: Buffer };

const MAX_PARTS = 5_000;
const MAX_DEPTH = 5;

type Head = Map<string, string>;

/** Parts of a web archive (MHTML) in order; nested multiparts are flattened. */
export function parseMhtmlArchive(bytes: Buffer): ArchivePart[] {
  const parts: ArchivePart[] = [];
  collectParts(bytes.toString('latin1'), parts, 0);
  return parts;
}

/** `entity` contains bytes as Latin-1 characters. */
function collectParts(entity: string, parts: ArchivePart[], depth: number): void {
  const { head, body } = splitEntity(entity);
  const type = head.get('content-type') ?? 'text/plain';
  const boundary = /\bboundary\s*=\s*(?:"([^"]+)"|([^\s;]+))/i.exec(type);
  if (boundary && depth < MAX_DEPTH) {
    for (const inner of splitParts(body, boundary[1] ?? boundary[2] ?? '')) collectParts(inner, parts, depth + 1);
    return;
  }
  if (parts.length >= MAX_PARTS) return;
  parts.push({
    type: type.split(';')[0]?.trim().toLowerCase() ?? '',
    location: head.get('content-location') ?? '',
    id: (head.get('content-id') ?? '').replace(/^<|>$/g, ''),
    body: decodeBody(body, head.get('content-transfer-encoding') ?? ''),
  });
}

function splitEntity(entity: string): { head: Head; body: string } {
  const text = entity.replace(/^(?:\r?\n)+/, '');
  const gap = /\r?\n\r?\n/.exec(text);
  const lines = (gap ? text.slice(0, gap.index) : text).replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  const head: Head = new Map(
    lines.flatMap((line) => {
      const at = line.indexOf(':');
      return at > 0 ? [[line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const] : [];
    }),
  );
  return { head, body: gap ? text.slice(gap.index + gap[0].length) : '' };
}

/** Splits at the boundary lines; without a closing boundary the last part ends with the file. */
function splitParts(body: string, boundary: string): string[] {
  const marker = `--${boundary}`;
  const parts: string[] = [];
  for (let at = body.indexOf(marker); at >= 0 && parts.length < MAX_PARTS; ) {
    const start = at + marker.length;
    if (body.startsWith('--', start)) break;
    const next = body.indexOf(`\n${marker}`, start);
    parts.push(body.slice(start, next < 0 ? undefined : next).replace(/^[ \t]*\r?\n/, ''));
    at = next < 0 ? -1 : next + 1;
  }
  return parts;
}

function decodeBody(body: string, encoding: string): Buffer {
  if (/base64/i.test(encoding)) return Buffer.from(body, 'base64');
  if (!/quoted-printable/i.test(encoding)) return Buffer.from(body, 'latin1');
  const text = body
    .replace(/=[ \t]*\r?\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(text, 'latin1');
}
