import * as z from 'zod/mini';

/** Chinese names of input fields, by the key that clients send. */
export type FieldLabels = Readonly<Record<string, string>>;

const TYPE_MESSAGES: Record<string, string> = {
  string: '应为文字',
  number: '应为数字',
  int: '应为整数',
  boolean: '只能是“是”或“否”',
  array: '应为列表',
};
const UNITS: Record<string, string> = { string: ' 个字符', array: ' 项' };

/** The predicate of an error sentence, which follows the name of the field. */
function issuePredicate(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_MESSAGES[String(issue.expected)] ?? '的格式不正确';
    case 'too_big': {
      const unit = UNITS[String(issue.origin)];
      return unit ? `不能超过 ${issue.maximum}${unit}` : `不能大于 ${issue.maximum}`;
    }
    case 'too_small': {
      const unit = UNITS[String(issue.origin)];
      return unit ? `不能少于 ${issue.minimum}${unit}` : `不能小于 ${issue.minimum}`;
    }
    case 'invalid_value':
      return '不在可选范围内';
    default:
      return '的格式不正确';
  }
}

// For contracts without an error message: users must not see the English messages of the library.
z.config({ localeError: issuePredicate });

/** Messages of shapes that many fields share do not name a field. */
const hasNoSubject = (message: string) => /^(不能|数值|请输入整数)/.test(message);

const valueAtPath = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** A sentence that names the field, for the user who filled in the form. */
export function validationMessage(issue: z.core.$ZodIssue, input: unknown, labels: FieldLabels): string {
  if (issue.code === 'unrecognized_keys') return `不支持的参数：${issue.keys.join('、').slice(0, 200)}`;
  const key = issue.path.findLast((part) => typeof part === 'string') ?? '';
  const label = Object.hasOwn(labels, key) ? labels[key] : `参数 ${key} `;
  const { message } = issue;
  if (message === issuePredicate(issue))
    return valueAtPath(input, issue.path) === undefined ? `请填写${label}`.trim() : `${label}${message}`;
  if (!hasNoSubject(message)) return message;
  return message.startsWith('请') ? `${label}：${message}` : `${label}${message}`;
}
