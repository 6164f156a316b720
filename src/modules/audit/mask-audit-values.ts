export type AuditValues = Record<string, unknown>;

/** Values of these keys are masked, also when they are the last part of a key: email.password. */
const DEFAULT_SECRET_KEYS = ['password', 'password_hash', 'new_password', 'old_password', 'secret', 'token'];
const MASK = '******';
/** Columns that change with every write and carry no information. */
const IGNORED_KEYS = ['created_at', 'updated_at'];
const MAX_TEXT_LENGTH = 500;
const SHORTENED_TEXT_LENGTH = 200;

function shortenLongText(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string')
    return value.length > MAX_TEXT_LENGTH
      ? `${value.slice(0, SHORTENED_TEXT_LENGTH).toWellFormed()}…（共 ${value.length} 字）`
      : value.toWellFormed();
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? maskAndShorten(value as AuditValues, secrets) : value;
}

export function maskAndShorten(values: AuditValues, secrets: readonly string[] = []): AuditValues {
  const isSecret = (key: string) => secrets.includes(key) || DEFAULT_SECRET_KEYS.includes(key.split('.').at(-1) ?? '');
  // Empty values are not masked, so that the log shows whether a value existed.
  const mask = (value: unknown) => (value === '' || value === null ? value : MASK);
  return Object.fromEntries(
    Object.entries(values)
      .filter(([key, value]) => !IGNORED_KEYS.includes(key) && value !== undefined)
      .map(([key, value]) => [key, isSecret(key) ? mask(value) : shortenLongText(value, secrets)]),
  );
}

export function changedValues(before: AuditValues, after: AuditValues): { before: AuditValues; after: AuditValues } {
  const keys = Object.keys(after).filter(
    (key) => after[key] !== undefined && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const pick = (values: AuditValues) => Object.fromEntries(keys.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
