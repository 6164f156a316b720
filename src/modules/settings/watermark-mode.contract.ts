import * as z from 'zod/mini';

/** Whether pages show who reads them. */
export const watermarkModes = {
  off: '不显示',
  overlay: '叠加在页面上',
  drawn: '画进页面图片',
} as const;
export type WatermarkMode = keyof typeof watermarkModes;
export const watermarkMode = z.enum(['off', 'overlay', 'drawn']);

/** The mode of a category or document; `inherit`: that of the parent category, in the end that of the site. */
export const inheritableWatermarkModes = { inherit: '按上级设置', ...watermarkModes } as const;
export type InheritableWatermarkMode = keyof typeof inheritableWatermarkModes;
export const inheritableWatermarkMode = z.enum(['inherit', 'off', 'overlay', 'drawn'], '阅读水印不正确');
