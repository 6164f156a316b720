import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  addDocument,
  createCategoryChain,
  newUploader,
  setConversionState,
} from '#modules/document/document.fixture.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { newRole, newStaff } from '#modules/role/role.fixture.ts';
import { grantRole } from '#modules/role/user-roles.ts';
import { permissionForOthers } from '#platform/contract/endpoint.ts';
import { inTransaction } from '#platform/server/context.ts';
import { apiRoutes } from '../src/app/server/routes.ts';
import { createAdminApi } from './admin-api.ts';
import { eventually, submitLoginForm, waitForHydration } from './page-helpers.ts';
import { administrator, startTestSite } from './support/site.ts';
import { newAccount } from './test-accounts.ts';

const site = await startTestSite();
const { ctx, visitAs } = site;

const adminApi = createAdminApi(site);
/** Each list gets a row, so that the tests see the row actions. */
const owner = await newUploader(ctx);
const category_id = await createCategoryChain(ctx);
const { id: document_id } = await addDocument(ctx, owner, { category_id });
await setConversionState(ctx, document_id);
const { id: deletedId } = await addDocument(ctx, owner, { category_id });
await adminApi.send('DELETE', `/document?id=${deletedId}`, {});
const { id: failedId } = await addDocument(ctx, owner, { category_id });
await setConversionState(ctx, failedId, 'failed');
await adminApi.setSettings({ 'security.enable_captcha_comment': 'false' });
await adminApi.send('POST', '/comment', { document_id, content: '一条评论' });
await adminApi.send('POST', '/report', { document_id, reason: 1 });
await adminApi.send('POST', '/friendlink', { title: '友链', link: 'https://friend.example' });

/** The page that each List permission opens. */
const screens: [permission: string, path: string][] = [
  ['DocumentAPI/ListDocument', '/admin/document/list'],
  ['DocumentAPI/ListDocument', '/admin/document/queue'],
  ['RecycleAPI/ListRecycleDocument', '/admin/document/recycle'],
  ['CategoryAPI/ListCategory', '/admin/document/category'],
  ['SearchRecordAPI/ListSearchRecord', '/admin/document/searchrecord'],
  ['UserAPI/ListUser', '/admin/user/list'],
  ['GroupAPI/ListGroup', '/admin/user/group'],
  ['PermissionAPI/ListPermission', '/admin/user/permission'],
  ['FriendlinkAPI/ListFriendlink', '/admin/friendlink'],
  ['AttachmentAPI/ListAttachment', '/admin/attachment'],
  ['ReportAPI/ListReport', '/admin/report'],
  ['BannerAPI/ListBanner', '/admin/banner'],
  ['ConfigAPI/ListConfig', '/admin/config'],
  ['ArticleAPI/ListArticle', '/admin/article'],
  ['CommentAPI/ListComment', '/admin/comment'],
  ['AuditAPI/ListAudit', '/admin/audit'],
  ['MailAPI/ListMail', '/admin/mail'],
];

test('the screens of this file cover every permission that opens a page of the back-office', () => {
  const listPermissions = permissionCatalogue.map(({ name }) => name).filter((name) => /\/List(?!Synonym)/.test(name));
  expect([...new Set(screens.map(([permission]) => permission))].sort()).toEqual(listPermissions.sort());
});

const endpoints = new Map(apiRoutes.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

const readDeclaredCalls = async (page: Page) => {
  const values = await page
    .locator('[data-calls]:visible')
    .evaluateAll((controls) => controls.map((control) => (control as HTMLElement).dataset.calls ?? ''));
  return values.flatMap((value) => value.split(', ')).filter(Boolean);
};

/** Labels of buttons that need no permission. */
const LABELS_WITHOUT_PERMISSION = /^(查询|导出 CSV|收起菜单|展开菜单|重试|复制|跳到正文|)$/;
const readUndeclaredButtons = (page: Page) =>
  page.locator('.admin-content button:visible:not([data-calls])').evaluateAll((buttons) =>
    buttons
      .filter((button) => !button.closest('.ant-pagination, .ant-table-thead, .ant-select'))
      .filter((button) => !button.matches('.ant-table-row-expand-icon, [disabled]'))
      .map((button) => button.textContent?.trim() ?? ''),
  );

test.each(screens)(
  'for a user with only %s, %s sends no forbidden request and shows no forbidden button',
  async (permission, path) => {
    const staff = await newStaff(ctx, [permission]);
    const page = await visitAs(staff.headers, 'about:blank');
    const forbiddenUrls: string[] = [];
    page.on('response', (response: Response) => {
      if (response.status() === 403) forbiddenUrls.push(response.url());
    });
    for (const openedPath of ['/admin/dashboard', path]) {
      await page.goto(openedPath, { waitUntil: 'networkidle' });
      await page.locator('.admin-content').waitFor();
      const calls = await readDeclaredCalls(page);
      const forbiddenCalls = calls.filter((call) => {
        const endpoint = endpoints.get(call);
        if (!endpoint) throw new Error(`no such endpoint: ${call}`);
        const requiredPermission = permissionForOthers(endpoint);
        return requiredPermission !== null && requiredPermission !== permission;
      });
      expect([openedPath, forbiddenCalls]).toEqual([openedPath, []]);
      const undeclaredLabels = (await readUndeclaredButtons(page)).filter(
        (label) => !LABELS_WITHOUT_PERMISSION.test(label),
      );
      expect([openedPath, undeclaredLabels]).toEqual([openedPath, []]);
      const download = page.getByRole('button', { name: '导出 CSV' });
      if ((await download.count()) > 0) {
        const [response] = await Promise.all([
          page.waitForResponse((response) => response.url().includes('.csv')),
          download.click(),
        ]);
        expect([openedPath, response.status()]).toEqual([openedPath, 200]);
      }
    }
    expect(forbiddenUrls).toEqual([]);
  },
);

test('a permission to change categories shows their buttons and enables the switch in each row', async () => {
  const staff = await newStaff(ctx, [
    'CategoryAPI/ListCategory',
    'CategoryAPI/CreateCategory',
    'CategoryAPI/UpdateCategory',
    'CategoryAPI/DeleteCategory',
  ]);
  const page = await visitAs(staff.headers, '/admin/document/category');
  await page.getByRole('button', { name: '新增分类' }).waitFor();
  await page.getByRole('button', { name: '编辑' }).first().waitFor();
  expect(await page.getByRole('switch').first().isEnabled()).toBe(true);
});

async function hasBackOfficeEntry(page: Page, username: string): Promise<boolean> {
  await page.getByRole('banner').getByRole('button', { name: username }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).waitFor();
  const count = await page.getByRole('menuitem', { name: '管理后台' }).count();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return count > 0;
}

test('an open page shows 管理后台 within 60 seconds after a permission is granted and hides it after the permission is revoked, without another login', async () => {
  const account = await newAccount(site, 'refreshed');
  const page = await visitAs(await account.logIn(), 'about:blank');
  await page.clock.install();
  await page.goto('/');
  await waitForHydration(page);
  const hasEntry = () => hasBackOfficeEntry(page, 'refreshed');
  const advanceOneMinute = async () => {
    const permissionResponse = page.waitForResponse('**/api/v1/user/permission');
    await page.clock.runFor(60_000);
    await permissionResponse;
  };
  const roleId = await newRole(ctx, ['BannerAPI/ListBanner']);
  await inTransaction(ctx, (ctx) => grantRole(ctx, account.id, roleId));
  expect(await hasEntry()).toBe(false);
  await advanceOneMinute();
  await eventually(hasEntry).toBe(true);
  await site.pool.query('delete from user_roles where user_id = $1', [account.id]);
  await advanceOneMinute();
  await eventually(hasEntry).toBe(false);
});

test('a page that becomes visible again shows 管理后台 after a permission is granted and hides it after the permission is revoked', async () => {
  const account = await newAccount(site, 'promoted');
  const page = await visitAs(await account.logIn(), '/');
  await waitForHydration(page);
  const dispatchVisibilityChange = () =>
    page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  const hasEntry = async () => {
    await dispatchVisibilityChange();
    return hasBackOfficeEntry(page, 'promoted');
  };
  expect(await hasEntry()).toBe(false);
  const roleId = await newRole(ctx, ['BannerAPI/ListBanner']);
  await inTransaction(ctx, (ctx) => grantRole(ctx, account.id, roleId));
  await eventually(hasEntry).toBe(true);
  await site.pool.query('delete from user_roles where user_id = $1', [account.id]);
  await eventually(hasEntry).toBe(false);
});

const findLoginDialog = (page: Page) => page.getByRole('dialog', { name: '登录已失效，请重新登录' });

async function fillFriendLinkForm(page: Page, name: string) {
  await page.getByRole('button', { name: '新增友链' }).click();
  const drawer = page.getByRole('dialog', { name: /友链/ });
  await drawer.getByLabel('名称').fill(name);
  await drawer.getByLabel('地址').fill(`https://${crypto.randomUUID()}.example`);
  return {
    save: () => drawer.getByRole('button', { name: '保存' }).click(),
    expectTextAndSave: async () => {
      expect(await drawer.getByLabel('名称').inputValue()).toBe(name);
      await drawer.getByRole('button', { name: '保存' }).click();
      await page.getByText('新增成功').waitFor();
      await page.getByRole('cell', { name }).waitFor();
    },
  };
}

test('an open form keeps its text when the session ends, and the login dialog opens over it with one notice', async () => {
  const page = await visitAs(await site.as.root(), '/admin/friendlink');
  const form = await fillFriendLinkForm(page, '写到一半的友链');
  await site.pool.query('delete from sessions');
  await form.save();
  const dialog = findLoginDialog(page);
  await dialog.waitFor();
  expect(await page.getByText('登录已失效').count()).toBe(1);
  expect(await page.locator('.ant-message-notice').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/admin/friendlink');
  await submitLoginForm(page);
  await dialog.waitFor({ state: 'detached' });
  await form.expectTextAndSave();
});

test('a login in one back-office tab closes the login dialog of another tab, whose form keeps its text and can be saved', async () => {
  const firstTab = await visitAs(await site.as.root(), '/admin/friendlink');
  const secondTab = await firstTab.context().newPage();
  await secondTab.goto('/admin/friendlink');
  const form = await fillFriendLinkForm(secondTab, '另一个标签页的友链');
  await site.pool.query('delete from sessions');
  await (await fillFriendLinkForm(firstTab, '第一个标签页的友链')).save();
  await findLoginDialog(firstTab).waitFor();
  // The second tab has sent no request; the first tab notifies it.
  await findLoginDialog(secondTab).waitFor();
  await submitLoginForm(firstTab);
  await findLoginDialog(firstTab).waitFor({ state: 'detached' });
  await findLoginDialog(secondTab).waitFor({ state: 'detached' });
  await form.expectTextAndSave();
  expect(new URL(secondTab.url()).pathname).toBe('/admin/friendlink');
});

test('a back-office page opened or reloaded with an ended session shows one notice and the login page, which returns to the page', async () => {
  const page = await visitAs(await site.as.root(), 'about:blank');
  const logInAndReturn = async () => {
    await page.waitForURL('**/login?redirect=%2Fadmin%2Fuser%2Flist%3Fwd%3Dadmin');
    const notices = page.locator('[data-toast]');
    await notices.first().waitFor();
    await page.getByLabel('用户名').waitFor();
    expect(await notices.allInnerTexts()).toEqual(['登录已失效，请重新登录']);
    await submitLoginForm(page);
    await page.waitForURL('**/admin/user/list?wd=admin');
    await page.getByRole('cell', { name: administrator.username, exact: true }).first().waitFor();
  };
  await site.pool.query('delete from sessions');
  await page.goto('/admin/user/list?wd=admin');
  await logInAndReturn();
  await site.pool.query('delete from sessions');
  await page.reload();
  await logInAndReturn();
});

test('a search in an open back-office list whose session has ended opens the login dialog and never shows the list for a visitor', async () => {
  await site.pool.query(`update users set email = 'root@mail.example' where id = 1`);
  const page = await visitAs(await site.as.root(), '/admin/user/list?size=100');
  await page.waitForLoadState('networkidle');
  const row = page.getByRole('row').filter({ hasText: administrator.username });
  const email = row.getByRole('cell', { name: 'root@mail.example' });
  await email.waitFor();
  const visitorRequests: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/user/list') && !request.headers().authorization) visitorRequests.push(request.url());
  });
  await site.pool.query('delete from sessions');
  const listResponse = page.waitForResponse('**/api/v1/user/list?**');
  await page.getByLabel('关键字').fill(administrator.username);
  await page.getByRole('button', { name: '查询' }).click();
  expect((await listResponse).status()).toBe(200);
  const dialog = findLoginDialog(page);
  await dialog.waitFor();
  expect(await page.locator('[data-toast], .ant-message-notice').count()).toBe(0);
  const rows = await page.locator('.ant-table-row').allInnerTexts();
  expect(rows.filter((text) => text.includes(administrator.username))).toEqual(
    rows.filter((text) => text.includes('root@mail.example')),
  );
  await dialog.getByLabel('用户名').fill(administrator.username);
  await dialog.getByLabel('密码', { exact: true }).fill(administrator.password);
  await dialog.getByRole('button', { name: '登录' }).click();
  await dialog.waitFor({ state: 'detached' });
  await email.waitFor();
  expect(await page.getByLabel('关键字').inputValue()).toBe(administrator.username);
  expect(new URL(page.url()).pathname).toBe('/admin/user/list');
  expect(visitorRequests).toEqual([]);
});
