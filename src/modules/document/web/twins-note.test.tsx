import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { fillZeroValues } from '#platform/web/fill-zero-values.ts';
import { renderPage } from '#testing/web/render-page.tsx';
import { documentRow } from '../document.contract.ts';
import { DocumentList } from './document-list.tsx';

const created_at = '2026-11-01T00:00:00Z';
const rowWith = (total: number, listedCount: number) =>
  fillZeroValues(documentRow, {
    id: 1,
    title: '原文',
    ext: '.pdf',
    created_at,
    updated_at: created_at,
    twins: {
      total,
      document: Array.from({ length: listedCount }, (_, at) => ({
        id: at + 2,
        title: `抄本 ${at + 2}`,
        ext: '.pdf',
        username: '读者',
        created_at,
      })),
    },
  });

it.each(['row', 'cover'] as const)(
  'an entry in the %s view says how many twins it has and links them',
  async (density) => {
    renderPage(<DocumentList label="文档" density={density} documents={[rowWith(2, 2)]} />);
    const note = await screen.findByText('另有 2 份相近文档');
    expect(note.tagName).toBe('SUMMARY');
    const link = screen.getByText('抄本 3').closest('a');
    expect(link?.getAttribute('href')).toBe('/document/3');
  },
);

it('an entry with more twins than are listed says how many there are', async () => {
  renderPage(<DocumentList label="文档" density="row" documents={[rowWith(12, 10)]} />);
  await screen.findByText('另有 12 份相近文档');
  screen.getByText('等 12 份');
});

it('an entry without twins has no note', async () => {
  const { twins: _, ...row } = rowWith(1, 1);
  renderPage(<DocumentList label="文档" density="row" documents={[row]} />);
  await screen.findAllByText('原文');
  expect(screen.queryByText(/相同文档/)).toBeNull();
});
