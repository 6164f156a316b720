import { formatDateTime } from '#platform/contract/date-time.ts';
import { type AuditChange, type AuditEntry, EMPTY_VALUE } from './audit.contract.ts';

/** Labels of fields and values. `kind` is the kind of object of an entry: 分类, 用户. */
export type AuditLabels = {
  labelOf: (kind: string, field: string) => string | undefined;
  /** Text for a value that is a code; undefined for other values. */
  meaningOf: (kind: string, field: string, value: unknown) => string | undefined;
};

const ISO_TIME_PATTERN = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export function labelAuditChanges(
  { target, before, after }: Pick<AuditEntry, 'target' | 'before' | 'after'>,
  { labelOf, meaningOf }: AuditLabels,
): AuditChange[] {
  const [kind = ''] = target.split(' ');
  const nameOf = (field: string) => labelOf(kind, field) ?? field;
  const formatValue = (field: string, value: unknown): string => {
    const meaning = meaningOf(kind, field, value);
    if (meaning !== undefined) return meaning;
    if (value === null || value === '') return EMPTY_VALUE;
    if (typeof value === 'boolean') return value ? '是' : '否';
    if (typeof value === 'string') return ISO_TIME_PATTERN.test(value) ? formatDateTime(value) : value;
    if (Array.isArray(value)) return value.map((each) => formatValue(field, each)).join('、') || EMPTY_VALUE;
    if (isObject(value))
      return Object.entries(value)
        .map(([inner, each]) => `${nameOf(inner)}：${formatValue(inner, each)}`)
        .join('；');
    return String(value);
  };
  const side = (values: AuditEntry['before'], field: string) =>
    values && field in values ? formatValue(field, values[field]) : null;
  const fields = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  return [...fields].map((field) => ({
    field: nameOf(field),
    before: side(before, field),
    after: side(after, field),
  }));
}
