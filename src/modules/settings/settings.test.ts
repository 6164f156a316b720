import { describe, expect, test } from 'vitest';
import { errorBody } from '#platform/contract/errors.ts';
import { fileTypeExtensions } from '#platform/contract/file-type.ts';
import { VERSION } from '#platform/server/version.ts';
import { ADMIN_PASSWORD } from '#testing/template-database.ts';
import { testApp } from '#testing/test-app.ts';
import { allSettings } from './settings.catalogue.ts';
import { settingsErrors } from './settings.contract.ts';
import { settingsTestClient } from './settings.fixture.ts';
import { readSetting, setSetting } from './settings.ts';

const { app, ctx, as } = await testApp();
const root = await as.root();

const { readPublicSettings, list, put, set, displayedValue } = settingsTestClient(app, root);
const lastAudit = async () => (await app.inject({ url: '/api/v1/audit/list?size=1', headers: root })).json().audit[0];

describe('the public settings', () => {
  test('contain the selected extensions, and all supported ones when none is selected', async () => {
    const allowedExtensions = async () => (await readPublicSettings()).security.document_allowed_ext;
    expect(await allowedExtensions()).toEqual(fileTypeExtensions.map((extension) => `.${extension}`));
    await setSetting(ctx, 'security.document_allowed_ext', '.pdf,.docx');
    expect(await allowedExtensions()).toEqual(['.pdf', '.docx']);
    await setSetting(ctx, 'security.document_allowed_ext', '');
  });

  test('have the defaults of 豆库 on a new site', async () => {
    const { system, footer, security, display } = await readPublicSettings();
    expect(system).toMatchObject({
      sitename: '豆库',
      title: '豆库 · 让知识流动起来',
      credit_name: '豆',
      timezone: 'Asia/Shanghai',
      analytics: '',
      recommend_words: [],
      version: VERSION,
    });
    expect(footer).toEqual({
      about: '/article/about',
      help: '/article/help',
      contact: '/article/contact',
      feedback: '/article/feedback',
      copyright: '/article/copyright',
      agreement: '/article/agreement',
    });
    expect(security).toMatchObject({
      max_document_size: 50,
      is_close: false,
      enable_register: true,
    });
    expect(display).toMatchObject({ pages_per_read: 5, index_document_style: 'card' });
  });

  test('GET /settings returns the groups system, footer and security with the fields of the specification', async () => {
    const settings = await readPublicSettings();
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(['system', 'footer', 'security']));
    expect(Object.keys(settings.system)).toEqual(
      expect.arrayContaining([
        ...['title', 'sitename', 'keywords', 'description', 'favicon', 'logo'],
        ...['domain', 'copyright_start_year', 'icp', 'analytics'],
      ]),
    );
    expect(Object.keys(settings.footer)).toEqual(expect.arrayContaining(['about', 'contact', 'feedback', 'copyright']));
  });

  test('contain no mail settings, credit amounts and internal limits', async () => {
    await set('email.password', 'hunter2-secret');
    await set('email.host', 'inner.mail.example');
    const text = JSON.stringify(await readPublicSettings());
    for (const secretText of ['hunter2', 'smtp', 'inner.mail', 'virtual_register_count', 'score'])
      expect(text).not.toContain(secretText);
  });

  test('contain of the mail settings only whether the site sends mails', async () => {
    expect((await readPublicSettings()).email).toEqual({ enable: false });
    await set('email.enable', 'true');
    expect((await readPublicSettings()).email).toEqual({ enable: true });
    await set('email.enable', 'false');
  });
});

describe('the permissions of the settings', () => {
  test('are separate for reading and changing', async () => {
    const reader = await as.userWith(['ConfigAPI/ListConfig']);
    const refusal = await put({ config: [] }, reader);
    expect([refusal.statusCode, refusal.json().message]).toEqual([403, '您没有权限访问【更新系统配置】']);
    expect((await list('', reader)).length).toBe(allSettings.length);
    const visitor = await app.inject('/api/v1/config/list');
    expect(visitor.statusCode).toBe(401);
    const writer = await as.userWith(['ConfigAPI/UpdateConfig']);
    const refusedList = await app.inject({ url: '/api/v1/config/list', headers: writer });
    expect(refusedList.json().message).toBe('您没有权限访问【获取系统配置列表】');
  });
});

describe('the list of settings', () => {
  test('describes input type, options and range of each setting', async () => {
    const [row] = await list('?category=captcha&category=nothing');
    expect(row).toMatchObject({
      category: 'captcha',
      name: 'height',
      label: '验证码高度',
      value: '60',
      min: 30,
      max: 200,
    });
    const types = (await list('?category=captcha')).map((each: { name: string }) => each.name);
    expect(types).toEqual(['height', 'width', 'length', 'type']);
    const type = (await list('?category=captcha')).at(-1);
    expect(type).toMatchObject({
      input_type: 'select',
      options: 'digit:数字\nmath:算术\nstring:字符串',
      min: null,
      is_secret: false,
    });
  });

  test('contains a mask for a stored secret and an empty value without one', async () => {
    await set('email.password', '');
    expect(await displayedValue('email.password')).toBe('');
    await set('email.password', 'hunter2-secret');
    expect(await displayedValue('email.password')).toBe('******');
  });
});

describe('the analytics script', () => {
  const script = '<script>track("x")</script>';
  test('cannot be changed without the password of the caller', async () => {
    const withoutPassword = await set('system.analytics', script);
    expect([withoutPassword.statusCode, withoutPassword.json()]).toEqual([
      403,
      errorBody(settingsErrors.passwordNeeded('修改统计代码需要输入您的登录密码')),
    ]);
    const rejectedResponse = await set('system.analytics', script, { password: 'wrong' });
    expect([rejectedResponse.statusCode, rejectedResponse.json().code]).toEqual([403, 'settings.wrongPassword']);
    expect((await readPublicSettings()).system.analytics).toBe('');
  });

  test('without a script element is rejected with a message that says what is accepted', async () => {
    const image = '<img src=x onerror=alert(1)>';
    const response = await set('system.analytics', image, { password: ADMIN_PASSWORD });
    expect([response.statusCode, response.json().message]).toEqual([
      400,
      '【网站统计代码】里没有可执行的脚本，请粘贴完整的 script 标签或 JavaScript 代码，其他标签和文字不会运行',
    ]);
    expect((await readPublicSettings()).system.analytics).toBe('');
  });

  test('is changed with the password, and the public settings contain it', async () => {
    expect((await set('system.analytics', script, { password: ADMIN_PASSWORD })).statusCode).toBe(200);
    expect((await readPublicSettings()).system.analytics).toBe(script);
    expect(await displayedValue('system.analytics')).toBe(script);
  });

  test('can be sent back unchanged without the password', async () => {
    expect((await put({ config: await list('?category=system') })).statusCode).toBe(200);
  });

  test('is recorded in the audit log with the actor and a hash, without the script', async () => {
    await set('system.analytics', 'other()', { password: ADMIN_PASSWORD });
    const entry = await lastAudit();
    expect(entry).toMatchObject({
      username: 'admin',
      action: '更新系统配置',
      target: '配置 网站统计代码',
    });
    expect(entry.after['system.analytics']).toMatch(/^7 字，SHA-256 [0-9a-f]{64}$/);
    expect(JSON.stringify(entry)).not.toContain('other()');
  });
});

describe('the audit log of settings', () => {
  test('contains old and new values, and masks for secrets', async () => {
    await set('email.password', 'first-secret');
    await put({
      config: [
        { category: 'email', name: 'password', value: 'second-secret' },
        { category: 'email', name: 'port', value: '2525' },
        { category: 'system', name: 'sitename', value: '豆库' },
      ],
    });
    const entry = await lastAudit();
    expect(entry.before).toEqual({ 'email.password': '******', 'email.port': expect.any(String) });
    expect(entry.after).toEqual({ 'email.password': '******', 'email.port': '2525' });
    expect(JSON.stringify(entry)).not.toContain('-secret');
  });

  test('names the command line as the actor of its changes', async () => {
    await setSetting(ctx, 'system.title', '命令行里的标题');
    expect(await lastAudit()).toMatchObject({ user_id: 0, username: '命令行' });
  });
});

describe('the command line', () => {
  test('reads and changes a setting by its key', async () => {
    await setSetting(ctx, 'score.credit_name', '金豆');
    expect(await readSetting(ctx, 'score.credit_name')).toBe('金豆');
    expect((await readPublicSettings()).system.credit_name).toBe('金豆');
    await setSetting(ctx, 'email.password', 'hunter2-secret');
    expect(await readSetting(ctx, 'email.password')).toBe('******');
  });
  test('rejects an unknown key and an invalid value with a message that names it', async () => {
    await expect(readSetting(ctx, 'system')).rejects.toThrow('没有这项配置：system');
    await expect(setSetting(ctx, 'a.b.c', '1')).rejects.toThrow('没有这项配置：a.b.c');
    await expect(setSetting(ctx, 'system.sitename', '')).rejects.toThrow('【网站名称】不能为空');
  });
});
