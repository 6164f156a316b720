import * as z from 'zod/mini';

/** Chinese names of input fields, by the key that clients send. */
export type FieldLabels = Readonly<Record<string, string>>;

const kindOf: Record<string, string> = {
  string: '应为文字',
  number: '应为数字',
  int: '应为整数',
  boolean: '只能是“是”或“否”',
  array: '应为列表',
};
const unitOf: Record<string, string> = { string: ' 个字符', array: ' 项' };

/** What is wrong with a value, said of a field whose name comes before. */
function predicateOf(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return kindOf[String(issue.expected)] ?? '的格式不正确';
    case 'too_big': {
      const unit = unitOf[String(issue.origin)];
      return unit ? `不能超过 ${issue.maximum}${unit}` : `不能大于 ${issue.maximum}`;
    }
    case 'too_small': {
      const unit = unitOf[String(issue.origin)];
      return unit ? `不能少于 ${issue.minimum}${unit}` : `不能小于 ${issue.minimum}`;
    }
    case 'invalid_value':
      return '不在可选范围内';
    default:
      return '的格式不正确';
  }
}

// For contracts that give no message of their own. It must never reach people in the words of the library.
z.config({ localeError: predicateOf });

/** Contract messages without a subject, such as those of shapes shared by many fields. */
const hasNoSubject = (message: string) => /^(不能|数值|请输入整数)/.test(message);

const valueAt = (input: unknown, path: PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input);

/** A sentence for the person who filled in a form, naming the field. */
export function describeIssue(issue: z.core.$ZodIssue, input: unknown, labels: FieldLabels): string {
  if (issue.code === 'unrecognized_keys') return `不支持的参数：${issue.keys.join('、').slice(0, 200)}`;
  const key = issue.path.findLast((part) => typeof part === 'string') ?? '';
  const label = Object.hasOwn(labels, key) ? labels[key] : `参数 ${key} `;
  const { message } = issue;
  if (message === predicateOf(issue))
    return valueAt(input, issue.path) === undefined ? `请填写${label}`.trim() : `${label}${message}`;
  if (!hasNoSubject(message)) return message;
  return message.startsWith('请') ? `${label}：${message}` : `${label}${message}`;
}
