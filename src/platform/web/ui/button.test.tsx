import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { Button } from './button.tsx';

it('a pending button keeps the focus, is announced as disabled and does not repeat its action', async () => {
  const user = userEvent.setup({ delay: null });
  let clicks = 0;
  const form = (isPending: boolean) => (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        clicks += 1;
      }}
    >
      <input aria-label="名称" />
      <Button type="submit" pending={isPending}>
        保存
      </Button>
      <Button pending={isPending} onClick={() => (clicks += 10)}>
        下载
      </Button>
    </form>
  );
  const { rerender } = render(form(false));
  const download = screen.getByRole('button', { name: '下载' });
  await user.click(download);
  expect(clicks).toBe(10);

  rerender(form(true));
  expect(document.activeElement).toBe(download);
  expect(download.hasAttribute('disabled')).toBe(false);
  expect(download.getAttribute('aria-disabled')).toBe('true');
  await user.keyboard('{Enter}');
  await user.click(screen.getByRole('button', { name: '保存' }));
  await user.type(screen.getByLabelText('名称'), '豆{Enter}');
  expect(clicks).toBe(10);

  rerender(form(false));
  await user.type(screen.getByLabelText('名称'), '{Enter}');
  expect(clicks).toBe(11);
});
