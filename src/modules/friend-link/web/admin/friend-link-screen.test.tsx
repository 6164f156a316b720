import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AdminProviders } from '#app/web/admin/admin-providers.tsx';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { AppError } from '#platform/contract/errors.ts';
import { type ApiReply, replyTo } from '#testing/web/api-replies.ts';
import { permissionsFor } from '#testing/web/permissions.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type FriendLink, friendLinkApi, friendLinkErrors } from '../../friend-link.contract.ts';
import { FriendLinkScreen } from './friend-link-screen.tsx';

const time = '2026-11-17T08:00:00.000Z';
const link: FriendLink = {
  id: 1,
  title: '开放书库',
  link: 'https://books.example/',
  description: '',
  sort: 0,
  enable: true,
  created_at: time,
  updated_at: time,
};
const { list, create, update, remove } = friendLinkApi;
const noLinks = replyTo(list, { total: 0, friendlink: [] });
const open = (...replies: ApiReply[]) => openFor([create, update, remove], ...replies);
const openFor = (calls: Endpoint[], ...replies: ApiReply[]) =>
  renderPage(
    <AdminProviders>
      <FriendLinkScreen />
    </AdminProviders>,
    {
      path: '/admin/friendlink',
      user: testUser({ username: 'admin' }),
      permissions: permissionsFor(...calls),
      replies,
    },
  );
const drawer = () => screen.findByRole('dialog', { name: '新增友链' });

it('the list of friend links shows an empty text, and another one when a filter matches nothing', async () => {
  const { userInput } = open(noLinks);
  await screen.findByText('还没有友情链接');
  await userInput.type(screen.getByPlaceholderText(/关键/), '没有这样的{Enter}');
  await screen.findByText('没有符合条件的友链');
});

it('the list of friend links shows the error message and loads again on 重试', async () => {
  const { userInput, api } = open(replyTo(list, new AppError('link.down', 503, '友链正在维护')));
  await screen.findByText('列表加载失败');
  screen.getByText('友链正在维护');
  api.set(replyTo(list, { total: 1, friendlink: [link] }));
  await userInput.click(screen.getByRole('button', { name: '重试' }));
  await screen.findByText('开放书库');
  expect(screen.queryByText('列表加载失败')).toBeNull();
});

it('the friend link form shows invalid fields without sending, and shows the error of the server', async () => {
  const { userInput, fill, api } = open(noLinks, replyTo(create, friendLinkErrors.exists()));
  await userInput.click(screen.getByRole('button', { name: '新增友链' }));
  const form = within(await drawer());
  const save = () => userInput.click(form.getByRole('button', { name: '保存' }));
  await save();
  await form.findByText('请输入名称');
  await form.findByText('请输入友链地址，以 http:// 或 https:// 开头');
  await fill(form.getByLabelText('名称'), '开放书库');
  await fill(form.getByLabelText('地址'), 'books.example');
  await waitFor(() => expect(form.queryByText('请输入名称')).toBeNull());
  await save();
  await form.findByText('请输入友链地址，以 http:// 或 https:// 开头');
  expect(api.inputsOf(create)).toEqual([]);
  await fill(form.getByLabelText('地址'), 'https://books.example/');
  await save();
  await screen.findByText('友链地址已存在');
  expect(form.getByLabelText<HTMLInputElement>('名称').value).toBe('开放书库');
  api.set(replyTo(create, link), replyTo(list, { total: 1, friendlink: [link] }));
  await save();
  await screen.findByText('新增成功');
  await screen.findByRole('link', { name: 'https://books.example/' });
  expect(api.inputsOf(create)[1]).toEqual({
    title: '开放书库',
    link: 'https://books.example/',
    description: '',
    sort: 0,
    enable: true,
  });
});

it('the friend link form closes on Escape and asks for confirmation after input', async () => {
  const { userInput } = open(noLinks);
  const add = () => userInput.click(screen.getByRole('button', { name: '新增友链' }));
  await add();
  await drawer();
  await userInput.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '新增友链' })).toBeNull());
  await add();
  const name = within(await drawer()).getByLabelText<HTMLInputElement>('名称');
  await userInput.type(name, '写到一半的友链');
  await userInput.keyboard('{Escape}');
  await screen.findByText('填写的内容还没有保存。');
  await userInput.click(screen.getByRole('button', { name: '继续填写' }));
  expect(name.value).toBe('写到一半的友链');
  await userInput.click(within(await drawer()).getByRole('button', { name: '取消' }));
  await userInput.click(await screen.findByRole('button', { name: '放弃' }));
  await waitFor(() => expect(screen.queryByRole('dialog', { name: '新增友链' })).toBeNull());
});

it('the list of friend links has no checkboxes for a role that may not delete', async () => {
  openFor([list, update], replyTo(list, { total: 1, friendlink: [link] }));
  await screen.findByText('开放书库');
  expect(screen.queryAllByRole('checkbox')).toEqual([]);
});

it('the list of friend links has checkboxes for a role that may delete', async () => {
  openFor([list, remove], replyTo(list, { total: 1, friendlink: [link] }));
  await screen.findByText('开放书库');
  screen.getByRole('checkbox', { name: '选择第 1 条' });
});
