import { act, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { Button } from './ui/button.tsx';
import { Field } from './ui/field.tsx';
import { useForm } from './use-form.ts';
import { useHydrated } from './use-hydrated.ts';

const send = vi.fn(async () => {});

function ServerRenderedForm() {
  const { bind, submit } = useForm({ initial: { username: '', city: '北京' }, send });
  return (
    <form onSubmit={submit}>
      <Field label="用户名" {...bind('username')} />
      <Field label="城市" {...bind('city')} />
      <Button type="submit" disabled={!useHydrated()}>
        发送
      </Button>
    </form>
  );
}

it('a form rendered by the server keeps and sends what was typed before hydration', async () => {
  const container = document.createElement('div');
  container.innerHTML = renderToString(<ServerRenderedForm />);
  document.body.append(container);
  screen.getByLabelText<HTMLInputElement>('用户名').value = '读者';

  const root = await act(async () => hydrateRoot(container, <ServerRenderedForm />));
  const button = screen.getByRole<HTMLButtonElement>('button', { name: '发送' });
  await waitFor(() => expect(button.disabled).toBe(false));
  expect(screen.getByLabelText<HTMLInputElement>('用户名').value).toBe('读者');
  await userEvent.click(button);
  expect(send).toHaveBeenCalledWith({ username: '读者', city: '北京' });
  act(() => root.unmount());
  container.remove();
});
