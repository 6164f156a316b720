import * as z from 'zod/mini';
import { emailField, loginOutput, newPasswordField } from '#modules/account/account.contract.ts';
import { captchaFields } from '#modules/captcha/captcha.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { emptyObject, requiredText, text } from '#platform/contract/shapes.ts';

export const registrationApi = {
  register: endpoint({
    method: 'POST',
    path: '/user/register',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '注册并登录；开启邮箱验证时需要 code，验证码图片则在索取 code 时填写',
    input: z.object({
      username: requiredText(64, '请输入您用于登录的用户名'),
      password: newPasswordField('登录密码'),
      email: emailField,
      /** The mailed code; required when the site verifies addresses. */
      code: z.optional(text(16, '邮箱验证码')),
      ...captchaFields,
    }),
    output: loginOutput,
  }),
  emailCode: endpoint({
    method: 'POST',
    path: '/user/email/code',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '把注册用的验证码寄到邮箱；无论邮箱是否已被使用，回答都一样',
    input: z.object({
      email: emailField,
      /** 0 means registration, the only supported purpose. */
      type: z._default(z.literal(0, '只支持注册时的邮箱验证'), 0),
      ...captchaFields,
    }),
    output: emptyObject,
  }),
};

export const registrationErrors = defineErrors('registration', {
  codeNotAsked: [400, '网站没有开启注册邮箱验证'],
});
