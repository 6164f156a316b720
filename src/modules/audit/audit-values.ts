export type Values = Record<string, unknown>;

/** Written as changed, never with their value; also as the last part of a key: email.password. */
const DEFAULT_SECRET_KEYS = ['password', 'password_hash', 'new_password', 'old_password', 'secret', 'token'];
const MASK = '******';
/** Columns that change with every write and tell nothing. */
const IGNORED_KEYS = ['created_at', 'updated_at'];
const MAX_TEXT_LENGTH = 500;
const SHORTENED_TEXT_LENGTH = 200;

function shorten(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH
      ? `${value.slice(0, SHORTENED_TEXT_LENGTH).toWellFormed()}…（共 ${value.length} 字）`
      : value.toWellFormed();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? maskAndShorten(value as Values, secrets) : value;
}

/** Values as a reader of the log sees them: secrets masked, long texts cut. */
export function maskAndShorten(values: Values, secrets: readonly string[] = []): Values {
  const isSecret = (key: string) => secrets.includes(key) || DEFAULT_SECRET_KEYS.includes(key.split('.').at(-1) ?? '');
  // Also a mask tells whether there is a value.
  const mask = (value: unknown) => (value === '' || value === null ? value : MASK);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => !IGNORED_KEYS.includes(key) && value !== undefined)
      .map(([key, value]) => [key, isSecret(key) ? mask(value) : shorten(value, secrets)]),
  );
}

/** Only what differs, so that a reader sees the change and not the row. */
export function changedValues(before: Values, after: Values): { before: Values; after: Values } {
  const keys = Object.keys(after).filter(
    (key) => after[key] !== undefined && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (values: Values) => Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
