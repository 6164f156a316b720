import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AdminProviders } from '#app/web/admin/admin-providers.tsx';
import type { Permission } from '#modules/account/permission.contract.ts';
import { imageUploadApi } from '#modules/attachment/attachment.contract.ts';
import { AppError } from '#platform/contract/errors.ts';
import { type ApiReply, replyTo } from '#testing/web/api-replies.ts';
import { permissionsFor } from '#testing/web/permissions.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type ConfigItem, settingsApi, settingsErrors } from '../../settings.contract.ts';
import { SettingsScreen } from './settings-screen.tsx';

const setting = (values: Partial<ConfigItem>): ConfigItem => ({
  id: 1,
  category: 'system',
  name: '',
  label: '',
  value: '',
  placeholder: '',
  input_type: 'text',
  options: '',
  min: null,
  max: null,
  sort: 0,
  is_secret: false,
  ...values,
});
const config = [
  setting({ name: 'sitename', label: '网站名称', value: '豆库' }),
  setting({ id: 2, name: 'title', label: '首页标题', value: '一座文库' }),
  setting({
    id: 3,
    category: 'security',
    name: 'max_document_size',
    label: '最大文档大小',
    input_type: 'number',
    value: '50',
    placeholder: '单位 MB',
    min: 1,
    max: 10_240,
  }),
];
const settingsReply = replyTo(settingsApi.list, { config });
const openAs = (permissions: Permission[], path: string, ...replies: ApiReply[]) =>
  renderPage(
    <AdminProviders>
      <SettingsScreen pictures={imageUploadApi.uploadConfig} />
    </AdminProviders>,
    { path, user: testUser(), permissions, replies },
  );
const open = (path: string, ...replies: ApiReply[]) => openAs(permissionsFor(settingsApi.update), path, ...replies);
const field = (label: string) => screen.findByLabelText<HTMLInputElement>(label);
const submit = () => screen.getByRole('button', { name: '提交' });

it('the settings form is read-only for a role that may only list settings', async () => {
  openAs(permissionsFor(settingsApi.list), '/admin/config', settingsReply);
  expect((await field('网站名称')).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: '提交' })).toBeNull();
});

it('the settings form keeps a number outside its range, shows a message and does not submit it', async () => {
  const { userInput, fill, api } = open('/admin/config?tab=security', settingsReply);
  await screen.findByText('单位 MB，可填 1 到 10240');
  const number = await field('最大文档大小');
  await fill(number, '-5');
  await screen.findByText('请输入 1 到 10240 之间的整数');
  await userInput.click(submit());
  await waitFor(() => expect(document.activeElement).toBe(number));
  expect(number.value).toBe('-5');
  expect(api.inputsOf(settingsApi.update)).toEqual([]);
});

it('the settings form keeps typed values when the user switches between groups', async () => {
  const { userInput, fill } = open('/admin/config', settingsReply);
  await fill(await field('网站名称'), '豆库之友');
  await userInput.click(screen.getByRole('link', { name: '安全配置' }));
  await field('最大文档大小');
  await userInput.click(screen.getByRole('link', { name: '系统配置' }));
  expect((await field('网站名称')).value).toBe('豆库之友');
});

it('the settings form sends only changed settings and shows a message when nothing was changed', async () => {
  const { userInput, fill, api } = open('/admin/config', settingsReply, replyTo(settingsApi.update, {}));
  await field('网站名称');
  await userInput.click(submit());
  await screen.findByText('没有要保存的修改');
  await fill(await field('首页标题'), '一座新的文库');
  await userInput.click(submit());
  await screen.findByText('配置更新成功');
  expect(api.inputsOf(settingsApi.update)).toEqual([
    { config: [{ category: 'system', name: 'title', value: '一座新的文库' }] },
  ]);
});

it('the settings form asks for the password when the server requires it and sends it', async () => {
  const { userInput, fill, api } = open('/admin/config', settingsReply);
  api.set(
    replyTo(settingsApi.update, ({ password }) =>
      password === 'a-long-password' ? {} : settingsErrors.passwordNeeded(),
    ),
  );
  await fill(await field('网站名称'), '豆库之友');
  await userInput.click(submit());
  await screen.findByText('修改统计代码需要输入您的登录密码');
  await fill(await field('登录密码'), 'a-long-password');
  await userInput.click(screen.getByRole('button', { name: '确定' }));
  await screen.findByText('配置更新成功');
});

it('the settings screen shows why loading failed and loads again when 重试 is pressed', async () => {
  const failedReply = replyTo(settingsApi.list, new AppError('settings.down', 503, '设置正在维护'));
  const { userInput, api } = open('/admin/config', failedReply);
  await screen.findByText('设置加载失败');
  screen.getByText('设置正在维护');
  api.set(settingsReply);
  await userInput.click(screen.getByRole('button', { name: '重试' }));
  expect((await field('网站名称')).value).toBe('豆库');
});
