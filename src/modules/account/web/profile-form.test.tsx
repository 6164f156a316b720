import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { AppError } from '#platform/contract/errors.ts';
import { failureWithoutMessage, replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type User, userApi, userErrors } from '../account.contract.ts';
import { ProfileForm } from './profile-form.tsx';

const onSaved = vi.fn();
function open(values: Partial<User> = {}) {
  onSaved.mockReset();
  const user = testUser(values);
  const settings = { email: { enable: true } };
  return renderPage(<ProfileForm user={user} onSaved={onSaved} />, { user, settings });
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const submit = () => screen.getByRole('button', { name: '修改资料' });

it('the profile form shows the user name read-only and limits the length of the other fields', () => {
  open();
  expect([field('用户名').value, field('用户名').readOnly]).toEqual(['读者', true]);
  for (const label of ['联系地址', '个性签名']) expect(screen.getByLabelText(label).getAttribute('rows')).toBe('3');
  const limits = { 真实姓名: '20', 身份证号: '18', 联系邮箱: '254', 联系电话: '20' };
  for (const [label, limit] of Object.entries({ ...limits, 联系地址: '255', 个性签名: '255' }))
    expect([label, field(label).getAttribute('maxlength')]).toEqual([label, limit]);
});

it('the profile form validates the e-mail address on blur and does not submit an invalid one', async () => {
  const { userInput, fill, api } = open();
  await userInput.clear(field('联系邮箱'));
  await userInput.tab();
  await screen.findByText('请输入电子邮箱');
  await fill(field('联系邮箱'), 'no address');
  await userInput.tab();
  await screen.findByText('请输入正确的电子邮箱');
  await userInput.click(submit());
  expect(document.activeElement).toBe(field('联系邮箱'));
  expect(api.inputsOf(userApi.updateProfile)).toEqual([]);
});

it('the profile form shows the message of a refusal, or 修改失败 without one, keeps the typed values and saves them on retry', async () => {
  const { userInput, api } = open();
  const changes = {
    真实姓名: '豆豆',
    身份证号: '110101199001010011',
    联系电话: '13800000000',
    联系地址: '书院路 1 号',
    个性签名: '读书不觉已春深',
  };
  for (const [label, text] of Object.entries(changes)) await userInput.type(field(label), text);
  api.set(replyTo(userApi.updateProfile, new AppError('user.moving', 503, '资料正在迁移')));
  await userInput.click(submit());
  await screen.findByText('资料正在迁移');
  api.set(replyTo(userApi.updateProfile, failureWithoutMessage()));
  await userInput.click(submit());
  await screen.findByText('修改失败');
  expect(field('个性签名').value).toBe('读书不觉已春深');
  expect(onSaved).not.toHaveBeenCalled();
  api.set(replyTo(userApi.updateProfile, {}));
  await userInput.click(submit());
  await screen.findByText('修改成功');
  expect(onSaved).toHaveBeenCalledOnce();
  expect(api.inputsOf(userApi.updateProfile)[2]).toEqual({
    email: 'reader@mail.example',
    realname: '豆豆',
    identity: '110101199001010011',
    mobile: '13800000000',
    address: '书院路 1 号',
    signature: '读书不觉已春深',
  });
});

it('the profile form saves an account without an e-mail address and validates a typed one', async () => {
  const { userInput, api } = open({ email: '' });
  await userInput.type(field('联系邮箱'), 'no address');
  await userInput.tab();
  await screen.findByText('请输入正确的电子邮箱');
  await userInput.clear(field('联系邮箱'));
  api.set(replyTo(userApi.updateProfile, {}));
  await userInput.type(field('个性签名'), '管理员在此');
  await userInput.click(submit());
  await screen.findByText('修改成功');
  expect(api.inputsOf(userApi.updateProfile)).toMatchObject([{ email: '', signature: '管理员在此' }]);
});

it('a new e-mail address in the profile form requires the password and the mailed code', async () => {
  const { userInput, fill, api } = open();
  expect(screen.queryByLabelText('邮箱验证码')).toBeNull();
  await fill(field('联系邮箱'), 'next@mail.example');
  await userInput.click(submit());
  await screen.findByText('请输入邮箱验证码');
  const requestCode = () => userInput.click(screen.getByRole('button', { name: '获取验证码' }));
  await requestCode();
  await screen.findByText('请输入您的登录密码');
  api.set(replyTo(userApi.beginEmailChange, userErrors.wrongPassword()));
  await userInput.type(field('登录密码'), 'not-my-password');
  await requestCode();
  await waitFor(() => expect(field('登录密码').getAttribute('aria-invalid')).toBe('true'));
  api.set(replyTo(userApi.beginEmailChange, {}));
  await fill(field('登录密码'), 'a-long-password');
  await requestCode();
  await screen.findByText('验证码已寄出，请查看新邮箱');
  expect(api.inputsOf(userApi.beginEmailChange)[1]).toEqual({
    email: 'next@mail.example',
    password: 'a-long-password',
  });
  api.set(replyTo(userApi.updateProfile, {}));
  await userInput.type(field('邮箱验证码'), '123456');
  await userInput.click(submit());
  await screen.findByText('修改成功');
  expect(api.inputsOf(userApi.updateProfile)).toMatchObject([{ email: 'next@mail.example', code: '123456' }]);
});

it('the profile form requires no code after the old e-mail address is restored, also in capitals', async () => {
  const { userInput, fill, api } = open();
  await fill(field('联系邮箱'), 'other@mail.example');
  await screen.findByLabelText('邮箱验证码');
  await fill(field('联系邮箱'), 'READER@MAIL.EXAMPLE');
  await waitFor(() => expect(screen.queryByLabelText('邮箱验证码')).toBeNull());
  api.set(replyTo(userApi.updateProfile, {}));
  await userInput.click(submit());
  await screen.findByText('修改成功');
  expect(api.inputsOf(userApi.updateProfile)[0]).not.toHaveProperty('code');
});
