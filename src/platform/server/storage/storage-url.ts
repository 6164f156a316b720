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
 * Reads `s3://KEY:SECRET@host[:port]/bucket[/prefix]?region=…&ssl=true|false&path_style=true|false`.
 * Returns null for anything else; the caller names the variable and never repeats the value.
 */
export function parseStorageUrl(text: string): S3Location | null {
  const url = URL.parse(text);
  if (url?.protocol !== 's3:' || !url.hostname) return null;
  const accessKeyId = decode(url.username);
  const secretAccessKey = decode(url.password);
  const [bucket, ...folders] = url.pathname.split('/').filter((part) => part !== '');
  const ssl = flag(url.searchParams.get('ssl'));
  const pathStyle = flag(url.searchParams.get('path_style'));
  if (!accessKeyId || !secretAccessKey || ssl === null || pathStyle === null) return null;
  if (!bucket || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null;
  if (!folders.every((folder) => /^[a-z0-9._-]+$/.test(folder) && !folder.includes('..'))) return null;
  if ([...url.searchParams.keys()].some((name) => !parameters.has(name))) return null;
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

const parameters = new Set(['region', 'ssl', 'path_style']);

/** Both switches default to true: TLS, and the address style every S3 server understands. */
function flag(value: string | null): boolean | null {
  if (value === null || value === 'true') return true;
  return value === 'false' ? false : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
