import type { ConfigItem } from '../../settings.contract.ts';

type LimitedSetting = Pick<ConfigItem, 'min' | 'max' | 'placeholder'>;

const limitsOf = ({ min, max }: LimitedSetting) => (min === null || max === null ? null : { min, max });

/** The text below a field: the hint of the setting and, for a number, its range. */
export function settingHint(item: LimitedSetting): string {
  const limits = limitsOf(item);
  const range = limits ? `可填 ${limits.min} 到 ${limits.max}` : '';
  return [item.placeholder, range].filter(Boolean).join('，');
}

/** The error message for a typed number; '' when it is valid. */
export function validateNumber(item: LimitedSetting, typedText: string): string {
  const limits = limitsOf(item);
  if (!limits) return '';
  const { min, max } = limits;
  const value = /^\s*\d{1,10}\s*$/.test(typedText) ? Number(typedText) : Number.NaN;
  return value >= min && value <= max ? '' : `请输入 ${min} 到 ${max} 之间的整数`;
}
