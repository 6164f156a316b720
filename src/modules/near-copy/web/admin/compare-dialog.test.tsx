import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { AdminProviders } from '#app/web/admin/admin-providers.tsx';
import { documentRow } from '#modules/document/document.contract.ts';
import { plainTextApi } from '#modules/reading/plain-text.contract.ts';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { PermissionContext } from '#platform/web/admin/permission.tsx';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import type { NearCopyOfDocument } from '../../near-copy.contract.ts';
import { CompareDialog } from './compare-dialog.tsx';

const [DOCUMENT, COPY] = [3, 7];
const PAGES_PER_PART = 2;
const pagesOf = new Map([
  [DOCUMENT, 3],
  [COPY, 5],
]);
const created_at = '2026-11-01T00:00:00Z';
const document = fillZeroValues(documentRow, { id: DOCUMENT, title: '原文', created_at, updated_at: created_at });
const copy: NearCopyOfDocument = {
  id: COPY,
  kind: 'contains',
  share: 92,
  uuid: 'abc',
  title: '抄本',
  username: '作者',
  created_at,
};

function textOf(id: number, part: number) {
  const pages = pagesOf.get(id) ?? 0;
  const first = (part - 1) * PAGES_PER_PART + 1;
  const count = Math.max(0, Math.min(PAGES_PER_PART, pages - first + 1));
  return fillZeroValues(plainTextApi.text.output, {
    view: 'flow',
    pages,
    readable: pages,
    parts: Math.ceil(pages / PAGES_PER_PART),
    size: PAGES_PER_PART,
    page: Array.from({ length: count }, (_, index) => ({
      page: first + index,
      paragraphs: [`文档 ${id} 的第 ${first + index} 页`, '两份都有的一行'],
      recognized: false,
      rows: [],
    })),
  });
}

const open = () =>
  renderPage(
    <AdminProviders>
      <PermissionContext value={new Set(['DocumentAPI/DeleteDocument'])}>
        <CompareDialog document={document} copy={copy} onClose={() => {}} />
      </PermissionContext>
    </AdminProviders>,
    {
      path: '/admin/document',
      user: testUser({ username: 'admin' }),
      replies: [
        replyTo(readingApi.layout, ({ id }) =>
          fillZeroValues(readingApi.layout.output, { view: 'flow', pages: pagesOf.get(id) ?? 0 }),
        ),
        replyTo(readingApi.pages, fillZeroValues(readingApi.pages.output, { view: 'flow' })),
        replyTo(plainTextApi.text, ({ id, part }) => textOf(id, part)),
      ],
    },
  );

it('the comparison shows texts beyond the first part, up to the last page of the longer document', async () => {
  const { userInput, api } = open();
  await screen.findByText('文档 3 的第 1 页');
  await screen.findByText('文档 7 的第 1 页');
  expect(api.inputsOf(plainTextApi.text).map(({ part }) => part)).toEqual([1, 1]);
  const goForward = async (pages: number) => {
    for (let count = 0; count < pages; count += 1) await userInput.click(screen.getByTitle('下一页'));
  };
  await goForward(2);
  await screen.findByText('文档 3 的第 3 页');
  await screen.findByText('文档 7 的第 3 页');
  await goForward(2);
  await screen.findByText('文档 7 的第 5 页');
  await screen.findByText('没有第 5 页');
});

it('the comparison marks the lines that the other document does not have', async () => {
  open();
  await screen.findByText('文档 3 的第 1 页', { selector: 'mark' });
  await screen.findByText('文档 7 的第 1 页', { selector: 'mark' });
  expect(screen.getAllByText('两份都有的一行').map(({ tagName }) => tagName)).toEqual(['P', 'P']);
});

it('the page images are compared on demand, and the buttons say into which document the other is merged', async () => {
  const { userInput } = open();
  const mergeButtons = await screen.findAllByRole('button', { name: /^合并到/ });
  expect(mergeButtons.map(({ textContent }) => textContent)).toEqual(['合并到右侧文档', '合并到左侧文档']);
  await userInput.click(screen.getByText('页面'));
  await waitFor(() => expect(screen.getAllByText('第 1 页没有图片')).toHaveLength(2));
});
