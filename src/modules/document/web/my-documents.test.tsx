import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { documentApi, documentStatus } from '../document.contract.ts';
import { MyDocuments } from './my-documents.tsx';

const REASON = '存储空间不足，有空间后自动继续转换';
const at = '2026-11-17T08:00:00.000Z';

it('my documents show the state and the reason of a document that waits for room', async () => {
  const waitingDocument = { id: 12, status: documentStatus.waiting, encryption: 'none' } as const;
  const progress = fillZeroValues(documentApi.progress.output, { document: [{ ...waitingDocument, reason: REASON }] });
  const list = fillZeroValues(documentApi.list.output, {
    total: 1,
    document: [{ ...waitingDocument, title: '年报', user_id: 7, created_at: at, updated_at: at }],
  });
  renderPage(<MyDocuments userId={7} page={1} href="/user/7" />, {
    user: testUser({ id: 7 }),
    replies: [replyTo(documentApi.list, list), replyTo(documentApi.progress, progress)],
  });
  const row = within(await screen.findByRole('list', { name: '我的文档' }));
  const reason = await row.findByText(REASON);
  // It is no failure.
  expect(reason.className).not.toContain('text-amber');
  expect(row.getByRole('status').textContent).toBe('待转换');
});
