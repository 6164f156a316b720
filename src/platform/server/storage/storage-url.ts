export type S3Location = {
  endpoint: string;
  region: string;
  bucket: string;
  /** Empty, or a path that ends in a slash. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  pathStyle: boolean;
};

/**
 * Parses `s3://KEY:SECRET@host[:port]/bucket[/prefix]?region=…&ssl=true|false&path_style=true|false`. Returns null for any
 * other text; error messages must not repeat the text, because it contains a secret.
 */
export function parseStorageUrl(text: string): S3Location | null {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !url.hostname) return null;
  const accessKeyId = decodeOrNull(url.username);
  const secretAccessKey = decodeOrNull(url.password);
  const [bucket, ...folders] = url.pathname.split('/').filter((part) => part !== '');
  const ssl = parseBoolean(url.searchParams.get('ssl'));
  const pathStyle = parseBoolean(url.searchParams.get('path_style'));
  if (!accessKeyId || !secretAccessKey || ssl === null || pathStyle === null) return null;
  if (!bucket || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null;
  if (!folders.every((folder) => /^[a-z0-9._-]+$/.test(folder) && !folder.includes('..'))) return null;
  if ([...url.searchParams.keys()].some((name) => !KNOWN_PARAMETERS.has(name))) return null;
  return {
    endpoint: `${ssl ? 'https' : 'http'}://${url.host}`,
    region: url.searchParams.get('region') || 'us-east-1',
    bucket,
    prefix: folders.map((folder) => `${folder}/`).join(''),
    accessKeyId,
    secretAccessKey,
    pathStyle,
  };
}

const KNOWN_PARAMETERS = new Set(['region', 'ssl', 'path_style']);

/** Missing parameters are true: TLS, and path-style addresses, which every S3 server supports. */
function parseBoolean(value: string | null): boolean | null {
  if (value === null || value === 'true') return true;
  return value === 'false' ? false : null;
}

function decodeOrNull(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
