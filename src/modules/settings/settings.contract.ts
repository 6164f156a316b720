import * as z from 'zod/mini';
import { endpoint } from '#platform/contract/endpoint.ts';
import { defineErrors } from '#platform/contract/errors.ts';
import { count, emptyObject, requiredText, text } from '#platform/contract/shapes.ts';

/** Settings that every visitor may read, with typed values, without secrets and internal limits. */
export const publicSettings = z.object({
  system: z.object({
    sitename: z.string(),
    title: z.string(),
    keywords: z.string(),
    description: z.string(),
    domain: z.string(),
    /** Configured address of the site; empty when none is configured. */
    address: z.string(),
    favicon: z.string(),
    logo: z.string(),
    icp: z.string(),
    sec_icp: z.string(),
    copyright_start_year: z.string(),
    analytics: z.string(),
    recommend_words: z.array(z.string()),
    register_background: z.string(),
    login_background: z.string(),
    credit_name: z.string(),
    timezone: z.string(),
    version: z.string(),
  }),
  footer: z.object({
    about: z.string(),
    help: z.string(),
    contact: z.string(),
    feedback: z.string(),
    copyright: z.string(),
    agreement: z.string(),
  }),
  security: z.object({
    max_document_size: count,
    document_allowed_ext: z.array(z.string()),
    is_close: z.boolean(),
    close_statement: z.string(),
    enable_register: z.boolean(),
    login_required: z.boolean(),
    enable_captcha_login: z.boolean(),
    enable_captcha_register: z.boolean(),
    enable_captcha_comment: z.boolean(),
    enable_captcha_find_password: z.boolean(),
    enable_verify_register_email: z.boolean(),
  }),
  email: z.object({
    /** Whether the site sends mails; otherwise they stay in the outbox. */
    enable: z.boolean(),
  }),
  display: z.object({
    show_document_count: z.boolean(),
    show_document_download_count: z.boolean(),
    show_document_view_count: z.boolean(),
    show_document_favorite_count: z.boolean(),
    show_register_user_count: z.boolean(),
    show_document_descriptions: z.boolean(),
    show_index_categories: z.boolean(),
    index_document_style: z.string(),
    home_version: z.string(),
    pages_per_read: count,
    copyright_statement: z.string(),
    hide_keywords_on_lists: z.boolean(),
    hide_category_without_document: z.boolean(),
    wechat_tip: z.string(),
    wechat_qrcode: z.string(),
    contact_tip: z.string(),
    contact_link: z.string(),
  }),
});
export type PublicSettings = z.infer<typeof publicSettings>;

/** Titles of the groups, in the order of their tabs. */
export const settingGroups = {
  system: '系统配置',
  footer: '底链配置',
  security: '安全配置',
  captcha: '验证码配置',
  converter: '转换配置',
  download: '下载配置',
  score: '积分配置',
  email: '邮箱配置',
  display: '展示配置',
} as const;

export const inputTypes = [
  'text',
  'textarea',
  'number',
  'switch',
  'select',
  'select-multi',
  'image',
  'password',
] as const;

/** One setting as the back-office edits it. Every value is a string, as in the API of moredoc. */
const configItem = z.object({
  id: count,
  category: z.string(),
  name: z.string(),
  label: z.string(),
  value: z.string(),
  placeholder: z.string(),
  input_type: z.enum(inputTypes),
  /** Lines `value:label` for select and select-multi. */
  options: z.string(),
  /** Allowed range of a number; null for other types. */
  min: z.nullable(z.int()),
  max: z.nullable(z.int()),
  sort: count,
  is_secret: z.boolean(),
});
export type ConfigItem = z.infer<typeof configItem>;

/** Returned instead of a stored secret. A client that sends it back keeps the secret. */
export const SECRET_MASK = '******';

export const settingsApi = {
  settings: endpoint({
    method: 'GET',
    path: '/settings',
    access: 'public',
    bypassesSiteAccess: true,
    summary: '网站设置（公开部分）',
    input: emptyObject,
    output: publicSettings,
  }),
  list: endpoint({
    method: 'GET',
    path: '/config/list',
    access: 'permission:ConfigAPI/ListConfig',
    summary: '系统配置列表',
    input: z.object({ category: z.optional(z.array(text(32))) }),
    output: z.object({ config: z.array(configItem) }),
  }),
  update: endpoint({
    method: 'PUT',
    path: '/config',
    access: 'permission:ConfigAPI/UpdateConfig',
    summary: '更新系统配置',
    input: z.object({
      config: z.array(
        z.strictObject({
          category: requiredText(32, '缺少配置分组'),
          name: requiredText(64, '缺少配置名称'),
          value: text(100_000, '配置值'),
          // Clients send whole rows back; these fields are accepted and ignored.
          id: z.optional(z.unknown()),
          label: z.optional(z.unknown()),
          placeholder: z.optional(z.unknown()),
          input_type: z.optional(z.unknown()),
          options: z.optional(z.unknown()),
          min: z.optional(z.unknown()),
          max: z.optional(z.unknown()),
          sort: z.optional(z.unknown()),
          is_secret: z.optional(z.unknown()),
        }),
      ),
      /** Password of the caller; required when the analytics script changes. */
      password: z.optional(text(1024, '密码')),
    }),
    output: emptyObject,
  }),
};

export const settingsErrors = defineErrors('settings', {
  unknown: [400, '没有这项配置'],
  invalid: [400, '配置值不正确'],
  passwordNeeded: [403, '修改统计代码需要输入您的登录密码'],
  wrongPassword: [403, '密码不正确'],
});
