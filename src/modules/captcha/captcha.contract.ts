import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { text } from '#platform/contract/shapes.ts';

/** A captcha is valid only for the purpose for which it was requested. */
const captchaPurposes = ['register', 'login', 'find_password', 'comment'] as const;
export type CaptchaPurpose = (typeof captchaPurposes)[number];

/** Input fields of endpoints that require a captcha when the setting is on. */
export const captchaFields = {
  captcha: z.optional(text(32, '验证码')),
  captcha_id: z.optional(text(64, '验证码')),
};

export const captchaApi = {
  get: endpoint({
    method: 'GET',
    path: '/user/captcha',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '获取验证码；enable 为 false 时不需要。form=work 得到一道由浏览器自动完成的计算题，供看不见图片的人使用',
    input: z.object({
      type: z.enum(captchaPurposes, '不支持的验证码类型'),
      form: z._default(z.enum(['picture', 'work'], '不支持的验证码形式'), 'picture'),
    }),
    output: z.object({
      enable: z.boolean(),
      id: z.string(),
      /** The image as a data URL; empty for a proof of work. */
      captcha: z.string(),
      /** Leading zero bits that the hash of the answer must have; 0 for an image. */
      work_bits: z.int(),
      /** digit, math or string; work for a proof of work. */
      type: z.string(),
    }),
  }),
};

export const captchaErrors = defineErrors('captcha', {
  missing: [400, '请输入验证码'],
  wrong: [400, '验证码错误'],
});
