import * as z from 'zod/mini';
import { captchaFields } from '#modules/captcha/captcha.contract.ts';
import { emailField, newPassword, openedSession } from '#modules/user/user.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { required } from '#platform/contract/shapes.ts';

export const registrationApi = {
  register: endpoint({
    method: 'POST',
    path: '/user/register',
    access: 'public',
    summary: '注册并登录',
    input: z.object({
      username: required(64, '请输入您用于登录的用户名'),
      password: newPassword('登录密码'),
      email: emailField,
      ...captchaFields,
    }),
    output: openedSession,
    // The ancestor's clients send an e-mail code that we do not use.
    ignored: ['code'],
  }),
};
