import * as z from 'zod/mini';
import { captchaFields } from '#modules/captcha/captcha.contract.ts';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import {
  count,
  emptyObject,
  id,
  nullableTime,
  readOnlyKeys,
  requiredText,
  text,
  time,
} from '#platform/contract/shapes.ts';

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
const privateFields = {
  realname: z.string(),
  identity: z.string(),
  email: z.string(),
  mobile: z.string(),
  address: z.string(),
  credit_count: count,
  login_at: nullableTime,
  last_login_ip: z.string(),
  /** Hides the user's favorites from other users; `hide_follow` hides the followed users. */
  hide_favorite: z.boolean(),
  hide_follow: z.boolean(),
};
export const user = z.extend(publicUser, privateFields);
export type User = z.infer<typeof user>;
/** The private fields are absent when a caller reads another user's account. */
const userOrPublicUser = z.extend(publicUser, z.partial(z.object(privateFields))._zod.def.shape);

export const MIN_PASSWORD_LENGTH = 8;
export const newPasswordField = (label: string) =>
  z
    .string(`请输入${label}`)
    .check(
      z.minLength(MIN_PASSWORD_LENGTH, `${label}至少 ${MIN_PASSWORD_LENGTH} 位`),
      z.maxLength(1024, `${label}过长`),
    );
const currentPasswordField = (message: string) =>
  z.string(message).check(z.minLength(1, message), z.maxLength(1024, '密码过长'));
export const emailField = z
  .string('请输入电子邮箱')
  .check(z.trim(), z.minLength(1, '请输入电子邮箱'), z.maxLength(254, '邮箱过长'), z.email('请输入正确的电子邮箱'));
const optionalEmail = z.string('请输入电子邮箱').check(
  z.trim(),
  z.maxLength(254, '邮箱过长'),
  z.refine((value) => value === '' || emailField.safeParse(value).success, '请输入正确的电子邮箱'),
);
const profileFields = {
  /** May stay empty for an account without an address, such as the first administrator. */
  email: optionalEmail,
  realname: z.optional(text(20, '真实姓名')),
  identity: z.optional(text(18, '身份证号')),
  mobile: z.optional(text(20, '联系电话')),
  address: z.optional(text(255, '联系地址')),
  signature: z.optional(text(255, '个性签名')),
};
/** Fields of the caller's account and of a row of the list of users. */
const ignoredProfileFields: string[] = [
  ...readOnlyKeys(user, ['id', ...Object.keys(profileFields)]),
  ...['group_id', 'register_ip', 'status', 'ban_reason', 'banned_until', 'updated_at'],
];
export const loginOutput = z.object({ user, token: z.string() });

export const userApi = {
  login: endpoint({
    method: 'POST',
    path: '/user/login',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '登录；username 也可以是邮箱，开启两步验证的账户还需 code',
    input: z.object({
      username: requiredText(255, '请输入用户名'),
      password: currentPasswordField('请输入密码'),
      /** Six digits of the authenticator, or a recovery code. */
      code: z.optional(text(32, '验证码')),
      ...captchaFields,
    }),
    output: loginOutput,
  }),
  logout: endpoint({
    method: 'DELETE',
    path: '/user/logout',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '退出登录',
    input: emptyObject,
    output: emptyObject,
  }),
  /** Without id and username: the account of the caller. */
  get: endpoint({
    method: 'GET',
    path: '/user',
    access: 'public',
    summary: '当前用户，或按 id、用户名查询的用户的公开资料',
    input: z.object({ id: z.optional(id), username: z.optional(text(64, '用户名')) }),
    output: userOrPublicUser,
  }),
  updateProfile: endpoint({
    method: 'PUT',
    path: '/user/profile',
    access: 'user',
    accessToOthers: 'permission:UserAPI/UpdateUserProfile',
    summary: '修改资料；修改自己的邮箱需要寄到新邮箱的验证码；有权限者可修改他人',
    input: z.object({
      id: z.optional(id),
      ...profileFields,
      /** Required when callers change their own address: the code that was mailed to the new one. */
      code: z.optional(text(16, '邮箱验证码')),
    }),
    output: emptyObject,
    ignored: ignoredProfileFields,
  }),
  updatePrivacy: endpoint({
    method: 'PUT',
    path: '/user/privacy',
    access: 'user',
    summary: '对他人隐藏自己的收藏、关注；没有给出的不变',
    input: z.object({
      hide_favorite: z.optional(z.boolean()),
      hide_follow: z.optional(z.boolean()),
    }),
    output: emptyObject,
  }),
  beginEmailChange: endpoint({
    method: 'POST',
    path: '/user/email/change',
    access: 'user',
    summary: '修改邮箱：核对密码，把验证码寄到新邮箱；无论邮箱是否已被使用，回答都一样',
    input: z.object({ email: emailField, password: currentPasswordField('请输入您的登录密码') }),
    output: emptyObject,
  }),
  changePassword: endpoint({
    method: 'PUT',
    path: '/user/password',
    access: 'user',
    summary: '修改密码；其它设备上的登录随之失效。有权限者可直接设置他人的密码',
    input: z.object({
      id: z.optional(count),
      old_password: z.optional(text(1024, '原密码')),
      new_password: newPasswordField('新密码'),
    }),
    output: emptyObject,
  }),
  requestPasswordReset: endpoint({
    method: 'POST',
    path: '/user/findpassword/stepone',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '找回密码第一步：寄出重置链接；无论邮箱是否存在，回答都一样',
    input: z.object({ email: emailField, ...captchaFields }),
    output: emptyObject,
  }),
  resetPassword: endpoint({
    method: 'PUT',
    path: '/user/findpassword/steptwo',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '找回密码第二步：用链接中的 token 设置新密码，全部登录随之失效',
    input: z.object({
      email: emailField,
      token: requiredText(200, '重置链接无效或已过期，请重新申请'),
      password: newPasswordField('新密码'),
      ...captchaFields,
    }),
    output: emptyObject,
  }),
};

export const userErrors = defineErrors('user', {
  wrongCredentials: [400, '用户名或密码错误'],
  wrongOldPassword: [400, '原密码不正确'],
  wrongPassword: [400, '密码错误'],
  codeNeeded: [400, '请输入两步验证码'],
  wrongCode: [400, '两步验证码错误'],
  totpOn: [409, '两步验证已经开启'],
  totpOff: [409, '两步验证没有开启'],
  totpNotBegun: [409, '请先获取二维码'],
  banned: [403, '账户已被禁用'],
  registerClosed: [403, '系统未开放注册'],
  siteClosed: [403, '网站已关闭，暂时不允许注册'],
  emailNeeded: [400, '请输入电子邮箱'],
  emailCodeNeeded: [400, '请输入邮箱验证码'],
  wrongEmailCode: [400, '邮箱验证码错误或已过期'],
  notYours: [403, '您没有权限更改他人信息'],
  notFound: [404, '用户不存在'],
  exists: [409, '用户名已存在'],
  emailExists: [409, '邮箱已存在'],
  badUsername: [400, '用户名为 3 到 32 个字符，可用中文、字母、数字和 _ - .'],
  privateUsername: [400, '出于隐私保护，用户名不能是邮箱或手机号码'],
  badToken: [400, '重置链接无效或已过期，请重新申请'],
});
