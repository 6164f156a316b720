import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AdminProviders } from '#app/web/admin/admin-providers.tsx';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { permissionsFor } from '#testing/web/permissions.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { commentApi } from '../../comment.contract.ts';
import { CommentScreen } from './comment-screen.tsx';

const { list, check, remove, update } = commentApi;
const time = '2026-11-17T08:00:00.000Z';
const comments = fillZeroValues(list.output, {
  total: 1,
  comment: [{ id: 1, content: '很有用', document_title: '线性代数', created_at: time, updated_at: time }],
});

it.each<[string, Endpoint[], number]>([
  ['no checkboxes for a role that may only list and edit comments', [list, update], 0],
  ['checkboxes for a role that may review comments', [list, check], 2],
  ['checkboxes for a role that may delete comments', [list, remove], 2],
])('the admin list of comments has %s', async (_case, calls, count) => {
  renderPage(
    <AdminProviders>
      <CommentScreen />
    </AdminProviders>,
    {
      path: '/admin/comment',
      user: testUser({ username: 'admin' }),
      permissions: permissionsFor(...calls),
      replies: [replyTo(list, comments)],
    },
  );
  await screen.findByText('很有用');
  expect(screen.queryAllByRole('checkbox')).toHaveLength(count);
});

it.each([
  ['还没有评论', '/admin/comment'],
  ['没有符合条件的评论', '/admin/comment?status=2'],
])('the empty admin list of comments says %s at %s', async (text, path) => {
  renderPage(
    <AdminProviders>
      <CommentScreen />
    </AdminProviders>,
    {
      path,
      user: testUser({ username: 'admin' }),
      permissions: permissionsFor(list),
      replies: [replyTo(list, fillZeroValues(list.output, {}))],
    },
  );
  await screen.findByText(text);
});
