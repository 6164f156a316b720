import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, maybeTime, nothing, required, text, time } from '#platform/contract/shapes.ts';

/** What others may see of a user. */
export const publicUser = z.object({
  id: count,
  username: z.string(),
  avatar: z.string(),
  signature: z.string(),
  doc_count: count,
  follow_count: count,
  fans_count: count,
  favorite_count: count,
  comment_count: count,
  created_at: time,
});
/** The own account, and what administrators see. */
export const user = z.extend(publicUser, {
  realname: z.string(),
  identity: z.string(),
  email: z.string(),
  mobile: z.string(),
  address: z.string(),
  credit_count: count,
  login_at: maybeTime,
  last_login_ip: z.string(),
});
export type User = z.infer<typeof user>;

const session = z.object({ user, token: z.string() });

export const userApi = {
  login: endpoint({
    method: 'POST',
    path: '/user/login',
    access: 'public',
    summary: '登录',
    input: z.object({
      username: required(255, '请输入用户名'),
      password: z.string('请输入密码').check(z.minLength(1, '请输入密码'), z.maxLength(1024)),
      captcha: z.optional(text(32, '验证码')),
      captcha_id: z.optional(text(64, '验证码')),
    }),
    output: session,
  }),
  logout: endpoint({
    method: 'DELETE',
    path: '/user/logout',
    access: 'public',
    summary: '退出登录',
    input: nothing,
    output: nothing,
  }),
  /** The own account. */
  me: endpoint({
    method: 'GET',
    path: '/user',
    access: 'user',
    summary: '当前用户',
    input: nothing,
    output: user,
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/user/password',
    access: 'user',
    summary: '修改密码；成功后其它设备上的登录全部失效',
    input: z.object({
      id: z.optional(count),
      old_password: z
        .string('请输入您的原密码')
        .check(z.minLength(1, '请输入您的原密码'), z.maxLength(1024)),
      new_password: z
        .string('请输入您的新密码')
        .check(z.minLength(8, '新密码至少 8 位'), z.maxLength(1024, '新密码过长')),
    }),
    output: nothing,
  }),
};

export const userErrors = defineErrors('user', {
  wrongCredentials: [400, '用户名或密码错误'],
  wrongOldPassword: [400, '原密码不正确'],
  notYours: [403, '您没有权限更改他人信息'],
  notFound: [404, '用户不存在'],
  exists: [409, '用户名已存在'],
  emailExists: [409, '邮箱已存在'],
  badUsername: [400, '用户名为 3 到 32 个字符，可用中文、字母、数字和 _ - .'],
  tooManyTries: [429, '尝试次数过多，请稍后再试'],
});
