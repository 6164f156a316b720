import { isUploadPath } from '#platform/server/storage/upload-path.ts';
import type { inputTypes } from './settings.contract.ts';

/** How one setting is edited, checked and kept. Rows and the API carry it as a string. */
export type Setting<T = unknown> = {
  label: string;
  /** Short explanation shown beside the label. */
  hint: string;
  input: (typeof inputTypes)[number];
  default: T;
  /** Value → label, for the select inputs. */
  options: Readonly<Record<string, string>>;
  secret: boolean;
  /** What a number has to be within. */
  limits?: { min: number; max: number };
  /** Turns a string into the value, or throws a `WrongValue` that says what is expected. */
  parse: (text: string) => T;
  // A method, so that settings of all types fit into one list.
  format(value: T): string;
};

/** The message continues the label: "端口应为 1 到 65535 的整数". */
export class InvalidSettingValue extends Error {
  override name = 'WrongValue';
}

type TextOptions = {
  hint?: string;
  max?: number;
  /** What is wrong with a value that is not empty; undefined when nothing is. */
  check?: (value: string) => string | undefined;
  /** Also empty is wrong. */
  needed?: boolean;
};

const COMMON_FIELDS = { options: {}, secret: false };
const MAX_TEXT_LENGTH = 255;
const MAX_TEXT_AREA_LENGTH = 100_000;

function textSetting(
  input: Setting['input'],
  label: string,
  initial: string,
  { hint = '', max = MAX_TEXT_LENGTH, check, needed = false }: TextOptions = {},
): Setting<string> {
  const parse = (sent: string) => {
    const value = sent.trim();
    if (value === '') {
      if (needed) throw new InvalidSettingValue('不能为空');
      return value;
    }
    if (value.length > max) throw new InvalidSettingValue(`不能超过 ${max} 个字符`);
    const wrong = check?.(value);
    if (wrong) throw new InvalidSettingValue(wrong);
    return value;
  };
  return { ...COMMON_FIELDS, label, hint, input, default: initial, parse, format: String };
}

export const text = (label: string, initial = '', options?: TextOptions) =>
  textSetting('text', label, initial, options);

export const textArea = (label: string, initial = '', options?: TextOptions) =>
  textSetting('textarea', label, initial, { max: MAX_TEXT_AREA_LENGTH, ...options });

/** Never given out again; the back-office shows a mask. */
export const secret = (label: string, options?: TextOptions): Setting<string> => ({
  ...textSetting('password', label, '', options),
  // A password may begin or end with a space.
  parse: (value) => {
    if (value.length > MAX_TEXT_LENGTH) throw new InvalidSettingValue(`不能超过 ${MAX_TEXT_LENGTH} 个字符`);
    return value;
  },
  secret: true,
});

export const image = (label: string, hint = '') =>
  textSetting('image', label, '', {
    hint,
    check: (value) => (isUploadPath(value) ? undefined : '需要先上传到本站'),
  });

export function number(
  label: string,
  initial: number,
  { min = 0, max, hint = '' }: { min?: number; max: number; hint?: string },
): Setting<number> {
  const parse = (sent: string) => {
    const value = /^\s*\d{1,10}\s*$/.test(sent) ? Number(sent) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidSettingValue(`应为 ${min} 到 ${max} 的整数`);
    return value;
  };
  const limits = { min, max };
  return {
    ...COMMON_FIELDS,
    label,
    hint,
    input: 'number',
    default: initial,
    limits,
    parse,
    format: String,
  };
}

export function toggle(label: string, initial: boolean, hint = ''): Setting<boolean> {
  const parse = (sent: string) => {
    if (sent !== 'true' && sent !== 'false') throw new InvalidSettingValue('应为 true 或 false');
    return sent === 'true';
  };
  return { ...COMMON_FIELDS, label, hint, input: 'switch', default: initial, parse, format: String };
}

export function select<const O extends Record<string, string>>(
  label: string,
  initial: keyof O & string,
  options: O,
  hint = '',
): Setting<keyof O & string> {
  const parse = (sent: string) => {
    if (!Object.hasOwn(options, sent)) throw new InvalidSettingValue(`应为 ${Object.keys(options).join('、')} 之一`);
    return sent;
  };
  return {
    ...COMMON_FIELDS,
    label,
    hint,
    input: 'select',
    default: initial,
    options,
    parse,
    format: String,
  };
}

/** Parts between commas, also full-width ones, each once. */
const splitAtCommas = (sent: string) => [
  ...new Set(
    sent
      .split(/[,，]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];
const joinWithCommas = (value: readonly string[]) => value.join(',');

export function multiSelect(
  label: string,
  options: Readonly<Record<string, string>>,
  hint = '',
): Setting<readonly string[]> {
  const parse = (sent: string) => {
    const value = splitAtCommas(sent);
    const unknown = value.find((part) => !Object.hasOwn(options, part));
    if (unknown !== undefined) throw new InvalidSettingValue(`不支持 ${unknown.slice(0, 32)}`);
    return value;
  };
  return {
    ...COMMON_FIELDS,
    label,
    hint,
    input: 'select-multi',
    default: [],
    options,
    parse,
    format: joinWithCommas,
  };
}

/** Many free words, one a line or between commas. */
export function wordLines(label: string, hint = ''): Setting<readonly string[]> {
  const parse = (sent: string) => {
    const value = splitAtCommas(sent.replace(/[\r\n]+/g, ','));
    if (joinWithCommas(value).length > MAX_TEXT_AREA_LENGTH)
      throw new InvalidSettingValue(`不能超过 ${MAX_TEXT_AREA_LENGTH} 个字符`);
    return value;
  };
  const format = (value: readonly string[]) => value.join('\n');
  return { ...COMMON_FIELDS, label, hint, input: 'textarea', default: [], parse, format };
}

/** Free words between commas. */
export function words(label: string, hint = ''): Setting<readonly string[]> {
  const parse = (sent: string) => {
    const value = splitAtCommas(sent);
    if (joinWithCommas(value).length > MAX_TEXT_LENGTH)
      throw new InvalidSettingValue(`不能超过 ${MAX_TEXT_LENGTH} 个字符`);
    return value;
  };
  return { ...COMMON_FIELDS, label, hint, input: 'text', default: [], parse, format: joinWithCommas };
}
