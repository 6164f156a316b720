import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { replyTo } from '#testing/web/api-replies.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';
import { type User, userApi } from '../account.contract.ts';
import { ProfileDialog } from './profile-dialog.tsx';

function AccountWithDialog({ user }: { user: User }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        个人资料
      </button>
      <ProfileDialog user={user} open={open} onClose={() => setOpen(false)} onSaved={() => {}} avatar={null} />
    </>
  );
}
async function openTab(page: ReturnType<typeof renderPage>, tab: string) {
  await page.userInput.click(screen.getByRole('button', { name: '个人资料' }));
  const dialog = await screen.findByRole('dialog', { name: '个人资料' });
  await page.userInput.click(within(dialog).getByRole('tab', { name: tab }));
  return within(await within(dialog).findByRole('tabpanel', { name: tab }));
}

it('the profile dialog has three tabs, and the first shows - for empty values', async () => {
  const user = testUser({ mobile: '13800000000' });
  const page = renderPage(<AccountWithDialog user={user} />, { user });
  await openTab(page, '个人资料');
  expect(screen.getAllByRole('tab').map(({ textContent }) => textContent)).toEqual([
    '个人资料',
    '修改资料',
    '修改密码',
  ]);
  const value = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling;
  expect(value('联系邮箱')?.textContent).toBe('reader@mail.example');
  expect(value('联系电话')?.textContent).toBe('13800000000');
  expect(value('注册时间')?.textContent).toBe('2026-03-01 16:00:00');
  for (const label of ['真实姓名', '身份证号', '联系地址', '个性签名', '最后登录', '登录 IP'])
    expect([label, value(label)?.textContent]).toEqual([label, '-']);
});

it('the profile dialog keeps typed values when the user switches between tabs', async () => {
  const user = testUser();
  const page = renderPage(<AccountWithDialog user={user} />, { user });
  const panel = await openTab(page, '修改资料');
  await page.fill(panel.getByLabelText('个性签名'), '写到一半');
  await page.userInput.click(screen.getByRole('tab', { name: '修改密码' }));
  await page.userInput.click(screen.getByRole('tab', { name: '修改资料' }));
  expect(screen.getByLabelText<HTMLTextAreaElement>('个性签名').value).toBe('写到一半');
});

it('the tab 修改密码 of the profile dialog changes the password, closes the dialog and is empty afterwards', async () => {
  const user = testUser();
  const page = renderPage(<AccountWithDialog user={user} />, {
    user,
    replies: [replyTo(userApi.changePassword, {})],
  });
  const panel = await openTab(page, '修改密码');
  await page.fill(panel.getByLabelText('原密码'), 'old-password');
  await page.fill(panel.getByLabelText('新密码'), 'another-password');
  await page.fill(panel.getByLabelText('确认密码'), 'another-password');
  await page.userInput.click(panel.getByRole('button', { name: '修改密码' }));
  await screen.findByText('密码修改成功');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const reopenedPanel = await openTab(page, '修改密码');
  expect(reopenedPanel.getByLabelText<HTMLInputElement>('原密码').value).toBe('');
});
