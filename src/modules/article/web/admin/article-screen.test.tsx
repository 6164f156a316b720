import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AdminProviders } from '#app/web/admin/admin-providers.tsx';
import { replyTo } from '#testing/web/api-replies.ts';
import { permissionsFor } from '#testing/web/permissions.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type ArticleSummary, articleApi } from '../../article.contract.ts';
import { ArticleScreen } from './article-screen.tsx';

const time = '2026-11-17T08:00:00.000Z';
const about: ArticleSummary = {
  id: 3,
  identifier: 'about',
  title: '本站介绍',
  author: '',
  user: { id: 0, username: '', avatar: '' },
  keywords: '',
  description: '',
  view_count: 0,
  created_at: time,
  updated_at: time,
};
const { list, create, update, remove } = articleApi;
const open = (footerLink: string) =>
  renderPage(
    <AdminProviders>
      <ArticleScreen />
    </AdminProviders>,
    {
      path: '/admin/article',
      user: testUser({ username: 'admin' }),
      permissions: permissionsFor(create, update, remove),
      settings: { footer: { about: footerLink } },
      replies: [replyTo(list, { total: 1, article: [about] }), replyTo(remove, {})],
    },
  );
const question = '您确定要删除单页“本站介绍”吗？删除后不可恢复。';

it('deleting an article that the footer links to names the link and needs a confirmation', async () => {
  const { userInput, api } = open('/article/about');
  await screen.findByText('本站介绍');
  await userInput.click(screen.getByRole('button', { name: '删除' }));
  await screen.findByText(`${question}页脚的“关于我们”链接指向它，删除后打不开；请先在系统设置的底链配置里修改。`);
  expect(api.inputsOf(remove)).toEqual([]);
  await userInput.click(screen.getByRole('button', { name: '确定' }));
  await screen.findByText('删除成功');
  expect(api.inputsOf(remove)).toEqual([{ id: [3] }]);
});

it('deleting selected articles that the footer links to names the link, and 取消 deletes nothing', async () => {
  const { userInput, api } = open('/article/3');
  await screen.findByText('本站介绍');
  const [, row] = screen.getAllByRole('checkbox');
  if (!row) throw new Error('the row has no checkbox');
  await userInput.click(row);
  await userInput.click(screen.getByRole('button', { name: '批量删除' }));
  await screen.findByText(/选中的 1 个单页吗？.*页脚的“关于我们”链接指向它/);
  await userInput.click(screen.getByRole('button', { name: '取消' }));
  await waitFor(() => expect(screen.queryByText(/页脚的“关于我们”/)).toBeNull());
  expect(api.inputsOf(remove)).toEqual([]);
});

it('deleting an article that the footer does not link to warns that links will break', async () => {
  const { userInput } = open('/article/help');
  await screen.findByText('本站介绍');
  await userInput.click(screen.getByRole('button', { name: '删除' }));
  await screen.findByText(`${question}指向它的链接会失效。`);
});
