import { screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { expect, it } from 'vitest';
import { ProfileDialog } from '#modules/account/web/profile-dialog.tsx';
import { useAnalytics } from '#modules/settings/web/use-analytics.ts';
import { FailedFilePanel } from '#modules/upload/web/failed-file-panel.tsx';
import { renderPage, testUser } from '#testing/web/render-page.tsx';

const user = testUser();
const settings = { email: { enable: true } };
const profileDialog = <ProfileDialog user={user} open={true} onClose={() => {}} onSaved={() => {}} avatar={null} />;
const encryptedFilePanel = <FailedFilePanel document={{ id: 12 }} encryption="unlockable" />;

function PageWithAnalytics({ children, isInitiallyOpen = false }: { children: ReactNode; isInitiallyOpen?: boolean }) {
  const [isOpen, setOpen] = useState(isInitiallyOpen);
  useAnalytics('<script></script>', '/document/12');
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        打开
      </button>
      {isOpen ? children : null}
    </>
  );
}
const countFrames = () => document.querySelectorAll('iframe').length;
const expectFrames = (count: number) => waitFor(() => expect(countFrames()).toBe(count));

async function openWithFrame(content: ReactNode) {
  const page = renderPage(<PageWithAnalytics>{content}</PageWithAnalytics>, { user, settings });
  await expectFrames(1);
  await page.userInput.click(screen.getByRole('button', { name: '打开' }));
  return page;
}

async function openProfileTab(tab: string) {
  const page = await openWithFrame(profileDialog);
  const dialog = await screen.findByRole('dialog', { name: '个人资料' });
  await page.userInput.click(within(dialog).getByRole('tab', { name: tab }));
  return page;
}

it('the analytics frame is closed when the password form of the profile dialog opens', async () => {
  await openProfileTab('修改密码');
  await screen.findByLabelText('原密码');
  await expectFrames(0);
});

it('the analytics frame is closed when a changed e-mail address shows the field 登录密码', async () => {
  const { fill } = await openProfileTab('修改资料');
  expect(countFrames()).toBe(1);
  await fill(await screen.findByLabelText('联系邮箱'), 'other@mail.example');
  await screen.findByLabelText('登录密码');
  await expectFrames(0);
});

it('the analytics frame is closed when the field 文档密码 of an encrypted document appears', async () => {
  await openWithFrame(encryptedFilePanel);
  screen.getByLabelText('文档密码');
  await expectFrames(0);
});

it('a page that opens with the field 文档密码 creates no analytics frame', async () => {
  renderPage(<PageWithAnalytics isInitiallyOpen>{encryptedFilePanel}</PageWithAnalytics>, { user, settings });
  await screen.findByLabelText('文档密码');
  expect(countFrames()).toBe(0);
});
