import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { documentFileApi } from '../document-file.contract.ts';
import { ReplacedFontsNotice } from './replaced-fonts-notice.tsx';

const open = (font: { name: string; substitute: string }[]) =>
  renderPage(<ReplacedFontsNotice documentId={3} />, {
    user: testUser(),
    replies: [replyTo(documentFileApi.fonts, { font })],
  });

it('the notice counts the replaced fonts and lists each with its substitute', async () => {
  open([
    { name: '仿宋_GB2312', substitute: 'Noto Serif CJK SC' },
    { name: '楷体', substitute: 'AR PL UKai CN' },
  ]);
  await screen.findByText(/本站没有文档使用的 2 种字体/);
  expect(screen.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)).toEqual([
    '仿宋_GB2312 → Noto Serif CJK SC',
    '楷体 → AR PL UKai CN',
  ]);
});

it('the notice is not shown for a document whose fonts are installed', async () => {
  const { api } = open([]);
  await waitFor(() => expect(api.inputsOf(documentFileApi.fonts)).toEqual([{ id: 3 }]));
  expect(screen.queryByText(/种字体/)).toBeNull();
});
