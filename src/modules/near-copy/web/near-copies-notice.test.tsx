import { cleanup, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type NearCopyOfDocument, nearCopyApi } from '../near-copy.contract.ts';
import { NearCopiesNotice } from './near-copies-notice.tsx';

const copyOf = (id: number, kind: NearCopyOfDocument['kind'], share: number): NearCopyOfDocument => ({
  id,
  kind,
  share,
  uuid: 'abc',
  title: `文档 ${id}`,
  username: '作者',
  created_at: '2026-11-01T00:00:00Z',
});

const open = (copy: NearCopyOfDocument[]) =>
  renderPage(<NearCopiesNotice documentId={3} />, {
    user: testUser(),
    replies: [replyTo(nearCopyApi.list, { document: [{ id: 3, copy }] })],
  });

it('the notice links each similar document and says how similar it is', async () => {
  open([copyOf(7, 'equal', 99), copyOf(8, 'contained', 92), copyOf(9, 'identical', 100)]);
  const link = await screen.findByRole('link', { name: '文档 7' });
  expect(link.getAttribute('href')).toBe('/document/7');
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    '文档 7（几乎相同 99%，作者 2026-11-01 上传）',
    '文档 8（包含于 92%，作者 2026-11-01 上传）',
    '文档 9（文件相同，作者 2026-11-01 上传）',
  ]);
});

it('only the notice of a later upload says that copies earn nothing', async () => {
  open([copyOf(7, 'equal', 99)]);
  await screen.findByText('站内有内容相近的文档：');
  cleanup();
  open([copyOf(2, 'equal', 99)]);
  await screen.findByText(/不发上传奖励/);
});

it('a notice that the owner has closed is shown again with a new copy', async () => {
  const { userInput } = open([copyOf(7, 'equal', 99)]);
  await userInput.click(await screen.findByRole('button', { name: '知道了' }));
  expect(screen.queryByRole('region')).toBeNull();
  cleanup();
  const { api } = open([copyOf(7, 'equal', 99)]);
  await waitFor(() => expect(api.inputsOf(nearCopyApi.list)).toHaveLength(1));
  expect(screen.queryByRole('region')).toBeNull();
  cleanup();
  open([copyOf(7, 'equal', 99), copyOf(8, 'equal', 90)]);
  await screen.findByRole('link', { name: '文档 8' });
});

it('the notice is not shown for a document without similar ones', async () => {
  const { api } = open([]);
  await waitFor(() => expect(api.inputsOf(nearCopyApi.list)).toEqual([{ id: [3] }]));
  expect(screen.queryByRole('region')).toBeNull();
});
