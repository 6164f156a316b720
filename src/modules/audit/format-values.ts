export type Values = Record<string, unknown>;

/** Written as changed, never with their value; also as the last part of a key: email.password. */
const usualSecrets = ['password', 'password_hash', 'new_password', 'old_password', 'secret', 'token'];
const MASK = '******';
/** Columns that change with every write and tell nothing. */
const dull = ['created_at', 'updated_at'];
const MAX_TEXT = 500;
const KEPT_TEXT = 200;

function shorten(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT
      ? `${value.slice(0, KEPT_TEXT).toWellFormed()}…（共 ${value.length} 字）`
      : value.toWellFormed();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? shown(value as Values, secrets) : value;
}

/** Values as a reader of the log sees them: secrets masked, long texts cut. */
export function shown(values: Values, secrets: readonly string[] = []): Values {
  const isSecret = (key: string) => secrets.includes(key) || usualSecrets.includes(key.split('.').at(-1) ?? '');
  // Also a mask tells whether there is a value.
  const mask = (value: unknown) => (value === '' || value === null ? value : MASK);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => !dull.includes(key) && value !== undefined)
      .map(([key, value]) => [key, isSecret(key) ? mask(value) : shorten(value, secrets)]),
  );
}

/** Only what differs, so that a reader sees the change and not the row. */
export function differenceOf(before: Values, after: Values): { before: Values; after: Values } {
  const keys = Object.keys(after).filter(
    (key) => after[key] !== undefined && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (values: Values) => Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
