import { isPictureUploadPath } from '#platform/server/storage/picture-upload-path.ts';
import type { inputTypes } from './settings.contract.ts';

/** How one setting is edited, validated and stored. Rows and the API contain its value as a string. */
export type Setting<T = unknown> = {
  label: string;
  /** Short explanation shown beside the label. */
  hint: string;
  input: (typeof inputTypes)[number];
  default: T;
  /** Value → label, for the select inputs. */
  options: Readonly<Record<string, string>>;
  secret: boolean;
  /** Allowed range of a number. */
  limits?: { min: number; max: number };
  /** Converts a string into the value, or throws an `InvalidSettingValue` that says what is expected. */
  parse: (text: string) => T;
  // A method, so that settings of all value types are assignable to `Setting`.
  format(value: T): string;
};

/** The message completes the label: "端口应为 1 到 65535 的整数". */
export class InvalidSettingValue extends Error {
  override name = 'InvalidSettingValue';
}

type TextOptions = {
  hint?: string;
  max?: number;
  /** Returns the error message for a value that is not empty; undefined when it is valid. */
  check?: (value: string) => string | undefined;
  required?: boolean;
};

const COMMON_FIELDS = { options: {}, secret: false };
const MAX_TEXT_LENGTH = 255;
const MAX_TEXT_AREA_LENGTH = 100_000;

function textSetting(
  input: Setting['input'],
  label: string,
  defaultValue: string,
  { hint = '', max = MAX_TEXT_LENGTH, check, required = false }: TextOptions = {},
): Setting<string> {
  const parse = (rawValue: string) => {
    const value = rawValue.trim();
    if (value === '') {
      if (required) throw new InvalidSettingValue('不能为空');
      return value;
    }
    if (value.length > max) throw new InvalidSettingValue(`不能超过 ${max} 个字符`);
    const problem = check?.(value);
    if (problem) throw new InvalidSettingValue(problem);
    return value;
  };
  return { ...COMMON_FIELDS, label, hint, input, default: defaultValue, parse, format: String };
}

export const textLineSetting = (label: string, defaultValue = '', options?: TextOptions) =>
  textSetting('text', label, defaultValue, options);

export const textAreaSetting = (label: string, defaultValue = '', options?: TextOptions) =>
  textSetting('textarea', label, defaultValue, { max: MAX_TEXT_AREA_LENGTH, ...options });

/** The API never returns the value; the back-office shows a mask. */
export const secretSetting = (label: string, options?: TextOptions): Setting<string> => ({
  ...textSetting('password', label, '', options),
  // Not trimmed: a password may begin or end with a space.
  parse: (value) => {
    if (value.length > MAX_TEXT_LENGTH) throw new InvalidSettingValue(`不能超过 ${MAX_TEXT_LENGTH} 个字符`);
    return value;
  },
  secret: true,
});

export const imageSetting = (label: string, hint = '') =>
  textSetting('image', label, '', {
    hint,
    check: (value) => (isPictureUploadPath(value) ? undefined : '需要先上传到本站'),
  });

export function numberSetting(
  label: string,
  defaultValue: number,
  { min = 0, max, hint = '' }: { min?: number; max: number; hint?: string },
): Setting<number> {
  const parse = (rawValue: string) => {
    const value = /^\s*\d{1,10}\s*$/.test(rawValue) ? Number(rawValue) : Number.NaN;
    if (!(value >= min && value <= max)) throw new InvalidSettingValue(`应为 ${min} 到 ${max} 的整数`);
    return value;
  };
  const limits = { min, max };
  return {
    ...COMMON_FIELDS,
    label,
    hint,
    input: 'number',
    default: defaultValue,
    limits,
    parse,
    format: String,
  };
}

export function toggleSetting(label: string, defaultValue: boolean, hint = ''): Setting<boolean> {
  const parse = (rawValue: string) => {
    if (rawValue !== 'true' && rawValue !== 'false') throw new InvalidSettingValue('应为 true 或 false');
    return rawValue === 'true';
  };
  return { ...COMMON_FIELDS, label, hint, input: 'switch', default: defaultValue, parse, format: String };
}

export function selectSetting<const O extends Record<string, string>>(
  label: string,
  defaultValue: keyof O & string,
  options: O,
  hint = '',
): Setting<keyof O & string> {
  const parse = (rawValue: string) => {
    if (!Object.hasOwn(options, rawValue))
      throw new InvalidSettingValue(`应为 ${Object.keys(options).join('、')} 之一`);
    return rawValue;
  };
  return {
    ...COMMON_FIELDS,
    label,
    hint,
    input: 'select',
    default: defaultValue,
    options,
    parse,
    format: String,
  };
}

/** Distinct parts between ASCII or full-width commas. */
const splitAtCommas = (input: string) => [
  ...new Set(
    input
      .split(/[,，]/)
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];
const joinWithCommas = (value: readonly string[]) => value.join(',');

export function multiSelectSetting(
  label: string,
  options: Readonly<Record<string, string>>,
  hint = '',
): Setting<readonly string[]> {
  const parse = (rawValue: string) => {
    const value = splitAtCommas(rawValue);
    const unknownOption = value.find((part) => !Object.hasOwn(options, part));
    if (unknownOption !== undefined) throw new InvalidSettingValue(`不支持 ${unknownOption.slice(0, 32)}`);
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

/** A long list of words, one per line or separated by commas. */
export function wordLinesSetting(label: string, hint = ''): Setting<readonly string[]> {
  const parse = (rawValue: string) => {
    const value = splitAtCommas(rawValue.replace(/[\r\n]+/g, ','));
    if (joinWithCommas(value).length > MAX_TEXT_AREA_LENGTH)
      throw new InvalidSettingValue(`不能超过 ${MAX_TEXT_AREA_LENGTH} 个字符`);
    return value;
  };
  const format = (value: readonly string[]) => value.join('\n');
  return { ...COMMON_FIELDS, label, hint, input: 'textarea', default: [], parse, format };
}

/** A short list of words, separated by commas. */
export function wordListSetting(label: string, hint = ''): Setting<readonly string[]> {
  const parse = (rawValue: string) => {
    const value = splitAtCommas(rawValue);
    if (joinWithCommas(value).length > MAX_TEXT_LENGTH)
      throw new InvalidSettingValue(`不能超过 ${MAX_TEXT_LENGTH} 个字符`);
    return value;
  };
  return { ...COMMON_FIELDS, label, hint, input: 'text', default: [], parse, format: joinWithCommas };
}
