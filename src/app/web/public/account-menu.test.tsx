import { fireEvent, screen, waitFor } from '@testing-library/react';
import { Link } from 'react-router';
import { afterAll, expect, it, vi } from 'vitest';
import { myPermissionsApi } from '#modules/account/permission.contract.ts';
import { UserMenu } from '#modules/account/web/user-menu.tsx';
import { attachmentApi } from '#modules/attachment/manage-attachments.contract.ts';
import { replyTo } from '#testing/web/api-replies.ts';
import { permissionsFor } from '#testing/web/permissions.ts';
import { renderPage, testUser } from '#testing/web/render-page.tsx';

const { mine } = myPermissionsApi;
const member = testUser();
const MINUTE_MS = 60_000;
const MAX_DELAY_MS = 2 ** 31 - 1;
const staffPermissions = permissionsFor(attachmentApi.list);

// The permissions are also fetched every minute, which must not make these tests pass.
const { setInterval: startInterval } = globalThis;
const intervals = vi
  .spyOn(globalThis, 'setInterval')
  .mockImplementation((callback, ms = 0) => startInterval(callback, ms < MINUTE_MS ? ms : MAX_DELAY_MS));
afterAll(() => intervals.mockRestore());

async function openMenu(permissions: typeof staffPermissions) {
  const page = renderPage(
    <>
      <Link to="/category">全部文档</Link>
      <Link to="/?page=2">下一页</Link>
      <UserMenu user={member} />
    </>,
    { user: member, permissions },
  );
  await waitFor(() => expect(page.api.inputsOf(mine)).toHaveLength(1));
  const toggleMenu = () => page.userInput.click(screen.getByRole('button', { name: /读者/ }));
  await toggleMenu();
  await screen.findByRole('menuitem', { name: '退出登录' });
  return page;
}
const hasAdminEntry = () => screen.queryByText('管理后台') !== null;
const follow = (name: string) => fireEvent.click(screen.getByText(name));

it('the account menu gets 管理后台 with the next navigation after the member became staff', async () => {
  const { api } = await openMenu([]);
  expect(hasAdminEntry()).toBe(false);
  api.set(replyTo(mine, { permission: staffPermissions }));
  follow('全部文档');
  await waitFor(() => expect(hasAdminEntry()).toBe(true));
  expect(api.inputsOf(mine)).toHaveLength(2);
});

it('the account menu loses 管理后台 when the window gets the focus after the permissions were revoked', async () => {
  const { api } = await openMenu(staffPermissions);
  expect(hasAdminEntry()).toBe(true);
  api.set(replyTo(mine, { permission: [] }));
  fireEvent.focus(window);
  await waitFor(() => expect(hasAdminEntry()).toBe(false));
  expect(api.inputsOf(mine)).toHaveLength(2);
});

it('a change of the query in the address does not fetch the permissions again', async () => {
  const { api, address } = await openMenu([]);
  follow('下一页');
  await waitFor(() => expect(address()).toBe('/?page=2'));
  follow('全部文档');
  await waitFor(() => expect(api.inputsOf(mine)).toHaveLength(2));
});
