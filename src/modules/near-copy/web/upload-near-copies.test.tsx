import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { nearCopyApi } from '../near-copy.contract.ts';
import { UploadNearCopies } from './upload-near-copies.tsx';

const created_at = '2026-11-17T08:00:00.000Z';
const reply = (rows: object[]) => fillZeroValues(nearCopyApi.listOfUploads.output, { upload: rows });
const renderRows = (ids: number[], rowsOf: (askedIds: number[]) => object[]) =>
  renderPage(
    <ul>
      {ids.map((id) => (
        <li key={id}>
          {`第 ${id} 行`}
          <UploadNearCopies
            attachmentId={id}
            sentUploads={ids.map((each) => ({ attachmentId: each, title: `文件 ${each}` }))}
          />
        </li>
      ))}
    </ul>,
    {
      user: testUser(),
      replies: [replyTo(nearCopyApi.listOfUploads, ({ id }) => reply(rowsOf(id)))],
    },
  );

it('rows of the upload page name similar documents, count hidden ones and show a failed conversion, with one request', async () => {
  const { api } = renderRows([1, 2, 3, 4, 5], () => [
    { id: 1, is_final: true, copy: [{ id: 9, title: '原文', kind: 'contained', share: 93, created_at }] },
    { id: 2, is_final: true, hidden_count: 2 },
    { id: 3, is_final: true, reason: '文档已加密' },
    { id: 4, is_final: true },
    // The page does not list file 99.
    { id: 5, is_final: true, upload: [4, 99].map((other) => ({ id: other, kind: 'identical', share: 100 })) },
  ]);
  const link = await screen.findByRole('link', { name: '原文' });
  expect(link.getAttribute('href')).toBe('/document/9');
  screen.getByText('包含于 93%：');
  const rows = screen.getAllByRole('listitem').filter(({ textContent }) => textContent?.startsWith('第'));
  expect(rows.map(({ textContent }) => textContent)).toMatchObject([
    expect.stringContaining('第 1 行站内有内容相近'),
    expect.stringContaining('第 2 行有 2 份未公开'),
    expect.stringContaining('第 3 行转换失败：'),
    '第 4 行',
    '第 5 行与列表中的《文件 4》文件相同',
  ]);
  expect(api.inputsOf(nearCopyApi.listOfUploads)).toEqual([{ id: [1, 2, 3, 4, 5] }]);
});

it('only files that are not compared yet are asked for again', async () => {
  let isConverted = false;
  const { api } = renderRows([1, 2], (ids) =>
    ids.map((id) => ({ id, is_final: id === 1 || isConverted, hidden_count: id === 1 || isConverted ? id : 0 })),
  );
  await screen.findByText('有 1 份未公开的文档内容相近。');
  isConverted = true;
  await screen.findByText('有 2 份未公开的文档内容相近。');
  await waitFor(() => expect(api.inputsOf(nearCopyApi.listOfUploads).at(-1)).toEqual({ id: [2] }));
});
