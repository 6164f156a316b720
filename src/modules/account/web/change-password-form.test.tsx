import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { userApi, userErrors } from '../account.contract.ts';
import { ChangePasswordForm } from './change-password-form.tsx';

const onDone = vi.fn();
const open = () => {
  onDone.mockReset();
  return renderPage(<ChangePasswordForm userId={7} onDone={onDone} />, { user: testUser() });
};
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const MISMATCH = '新密码和确认密码不一致';
const submit = () => screen.getByRole('button', { name: '修改密码' });

it('the password form names the missing value of a field when it is left, and a mismatch sends nothing', async () => {
  const { userInput, api } = open();
  await userInput.click(field('原密码'));
  await userInput.tab();
  await screen.findByText('请输入您的原密码');
  await userInput.tab();
  await screen.findByText('请输入您的新密码');
  await userInput.click(field('原密码'));
  await screen.findByText('请再次输入您的新密码');
  await userInput.type(field('原密码'), 'old-password');
  await userInput.type(field('新密码'), 'another-password');
  await userInput.type(field('确认密码'), 'something-else');
  await userInput.click(field('原密码'));
  await screen.findByText(MISMATCH);
  await userInput.click(submit());
  await screen.findByText(MISMATCH);
  expect(api.inputsOf(userApi.changePassword)).toEqual([]);
});

it.each(['新密码', '确认密码'])(
  'the password form hides the message of a mismatch as soon as the field %s is corrected',
  async (label) => {
    const { userInput, fill } = open();
    await fill(field('原密码'), 'old-password');
    await fill(field('新密码'), 'another-password');
    await fill(field('确认密码'), 'another-password');
    await fill(field(label), 'something-else');
    await userInput.click(submit());
    await screen.findByText(MISMATCH);
    await fill(field(label), 'another-password');
    expect(screen.queryByText(MISMATCH)).toBeNull();
    expect(field('确认密码').hasAttribute('aria-invalid')).toBe(false);
  },
);

it('the password form shows a wrong old password at its field, and resets when the change succeeds', async () => {
  const { userInput, fill, api } = open();
  api.set(replyTo(userApi.changePassword, userErrors.wrongOldPassword()));
  await userInput.type(field('原密码'), 'not-my-password');
  await userInput.type(field('新密码'), 'another-password');
  await userInput.type(field('确认密码'), 'another-password{Enter}');
  await waitFor(() => expect(field('原密码').getAttribute('aria-invalid')).toBe('true'));
  // Once at the field and once as a toast.
  expect(screen.getAllByText('原密码不正确')).toHaveLength(2);
  api.set(replyTo(userApi.changePassword, failureWithoutMessage()));
  await fill(field('原密码'), 'old-password');
  await userInput.click(submit());
  await screen.findByText('密码修改失败');
  expect(onDone).not.toHaveBeenCalled();
  api.set(replyTo(userApi.changePassword, {}));
  await userInput.click(submit());
  await screen.findByText('密码修改成功');
  expect(onDone).toHaveBeenCalledOnce();
  expect(['原密码', '新密码', '确认密码'].map((label) => field(label).value)).toEqual(['', '', '']);
  // `repeat_password` exists only in the form.
  expect(api.inputsOf(userApi.changePassword)[2]).toEqual({
    id: 7,
    old_password: 'old-password',
    new_password: 'another-password',
  });
});
