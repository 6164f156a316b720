import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, useSearchParams } from 'react-router';
import { expect, it } from 'vitest';
import { Pagination, paginationItems } from './pagination.tsx';

function Pages({ total }: { total: number }) {
  const page = Number(useSearchParams()[0].get('page') ?? 1);
  return <Pagination page={page} total={total} size={10} hrefOf={(to) => `/?page=${to}`} />;
}
const show = (total: number, page = 1) =>
  render(
    <MemoryRouter initialEntries={[`/?page=${page}`]}>
      <Pages total={total} />
    </MemoryRouter>,
  );
const current = () => document.querySelector('[aria-current=page]')?.textContent;

it.each([
  [1, 1, [1]],
  [1, 3, [1, 2, 3]],
  [3, 5, [1, 2, 3, 4, 5]],
  [1, 10, [1, 2, 'after', 10]],
  [5, 10, [1, 'before', 4, 5, 6, 'after', 10]],
  [4, 10, [1, 2, 3, 4, 5, 'after', 10]],
  [10, 10, [1, 'before', 9, 10]],
])('pagination of page %i of %i shows the first and last page and the neighbours', (page, last, items) => {
  expect(paginationItems(page, last)).toEqual(items);
});

it('pagination of a list with one page shows nothing', () => {
  show(10);
  expect(screen.queryByRole('navigation')).toBeNull();
});

it('pagination moves by click and by keyboard and offers no link beyond the first and last page', async () => {
  const user = userEvent.setup({ delay: null });
  show(25);
  expect(screen.queryByRole('link', { name: '上一页' })).toBeNull();
  await user.click(screen.getByRole('link', { name: '下一页' }));
  expect(current()).toBe('2');
  await user.click(screen.getByRole('link', { name: '3' }));
  expect(current()).toBe('3');
  expect(screen.queryByRole('link', { name: '下一页' })).toBeNull();
  screen.getByRole('link', { name: '上一页' }).focus();
  await user.keyboard('{Enter}');
  expect(current()).toBe('2');
});
