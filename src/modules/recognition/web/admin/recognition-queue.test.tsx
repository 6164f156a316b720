import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AdminProviders } from '#app/web/admin/admin-providers.tsx';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { permissionsFor } from '#testing/web/permissions.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type RecognitionQueueItem, recognitionApi } from '../../recognition.contract.ts';
import { RecognitionQueue } from './recognition-queue.tsx';

const { queue, retry } = recognitionApi;
const item: RecognitionQueueItem = {
  id: 5,
  format: 'pdf',
  pages: 300,
  recognized: 12,
  reason: '',
  is_running: true,
  updated_at: '2026-11-17T08:00:00.000Z',
  document: [{ id: 9, title: '县志', username: 'mei' }],
};
const emptyQueue: OutputOf<typeof queue> = {
  is_enabled: true,
  obstacle: '',
  pages_today: 0,
  pages_per_day: 0,
  totals: { waiting: 0, failed: 0, pages_left: 0 },
  waiting: [],
  failed: [],
};
const open = (reply: Partial<OutputOf<typeof queue>>) =>
  renderPage(
    <AdminProviders>
      <RecognitionQueue />
    </AdminProviders>,
    {
      path: '/admin/document/queue',
      user: testUser({ username: 'admin' }),
      permissions: permissionsFor(retry),
      replies: [replyTo(queue, { ...emptyQueue, ...reply }), replyTo(retry, {})],
    },
  );

it('the recognition queue shows the progress of a document and the pages of today', async () => {
  open({ pages_today: 40, pages_per_day: 100, totals: { waiting: 1, failed: 0, pages_left: 288 }, waiting: [item] });
  await screen.findByText('12/300 页');
  screen.getByRole('link', { name: '县志' });
  screen.getByText('40 / 100');
  screen.getByText('288');
});

it('the recognition queue says why nothing is recognized although files wait', async () => {
  open({ obstacle: '文字识别已关闭', totals: { waiting: 1, failed: 0, pages_left: 288 }, waiting: [item] });
  await screen.findByText('暂时没有识别：文字识别已关闭');
});

it('the recognition queue hides the obstacle while no file waits', async () => {
  open({ obstacle: '文字识别已关闭' });
  await screen.findByText('没有等待识别的文件');
  expect(screen.queryByText(/暂时没有识别/)).toBeNull();
});

it('a failed recognition is started again for its file', async () => {
  const failedItem = { ...item, reason: '识别程序出错', is_running: false };
  const { userInput, api } = open({ totals: { waiting: 0, failed: 1, pages_left: 0 }, failed: [failedItem] });
  await screen.findByText('识别程序出错');
  await userInput.click(screen.getByRole('button', { name: /重新识别/ }));
  await screen.findByText('已加入识别队列');
  expect(api.inputsOf(retry)).toEqual([{ id: [5] }]);
});
