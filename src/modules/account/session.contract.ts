import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { count, emptyObject, ids, text, time } from '#platform/contract/shapes.ts';

const device = z.object({
  id: count,
  ip: z.string(),
  user_agent: z.string(),
  current: z.boolean(),
  created_at: time,
  last_seen_at: time,
});
export type Device = z.infer<typeof device>;

const password = z.string('请输入密码').check(z.minLength(1, '请输入密码'), z.maxLength(1024));

export const sessionApi = {
  list: endpoint({
    method: 'GET',
    path: '/user/session/list',
    access: 'user',
    summary: '已登录的设备',
    input: emptyObject,
    output: z.object({ session: z.array(device) }),
  }),
  end: endpoint({
    method: 'DELETE',
    path: '/user/session',
    access: 'user',
    summary: '让某些设备退出登录',
    input: z.object({ id: ids }),
    output: emptyObject,
  }),
  endAll: endpoint({
    method: 'DELETE',
    path: '/user/session/all',
    access: 'user',
    summary: '让全部设备退出登录，包括当前设备',
    input: emptyObject,
    output: emptyObject,
  }),
};

export const totpApi = {
  status: endpoint({
    method: 'GET',
    path: '/user/totp',
    access: 'user',
    summary: '两步验证的状态',
    input: emptyObject,
    output: z.object({ enabled: z.boolean(), recovery_left: count }),
  }),
  begin: endpoint({
    method: 'POST',
    path: '/user/totp',
    access: 'user',
    summary: '开始设置两步验证：得到密钥与二维码',
    input: z.object({ password }),
    output: z.object({ secret: z.string(), uri: z.string(), qr: z.string() }),
  }),
  confirm: endpoint({
    method: 'PUT',
    path: '/user/totp',
    access: 'user',
    summary: '用验证器上的数字确认，得到恢复码（只显示一次）',
    input: z.object({ code: text(16, '验证码') }),
    output: z.object({ recovery_code: z.array(z.string()) }),
  }),
  renewCodes: endpoint({
    method: 'POST',
    path: '/user/totp/recovery',
    access: 'user',
    summary: '换一批恢复码（只显示一次），旧的随之失效',
    input: z.object({ password, code: text(32, '验证码') }),
    output: z.object({ recovery_code: z.array(z.string()) }),
  }),
  disable: endpoint({
    method: 'POST',
    path: '/user/totp/disable',
    access: 'user',
    summary: '关闭两步验证',
    input: z.object({ password, code: text(32, '验证码') }),
    output: emptyObject,
  }),
};
