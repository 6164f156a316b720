import type { Page, Response } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDocument, convert, newBranch, newUploader } from '#modules/document/document.fixture.ts';
import { permissionCatalogue } from '#modules/role/permission-catalogue.ts';
import { newRole, newStaff } from '#modules/role/role.fixture.ts';
import { grantRole } from '#modules/role/user-roles.ts';
import { permissionForOthers } from '#platform/contract/endpoint.ts';
import { inTransaction } from '#platform/server/context.ts';
import { apiRoutes } from '../src/app/server/routes.ts';
import { eventually, keeperOf, login, ready } from './public-site.ts';
import { administrator, startSite } from './support/site.ts';
import { newAccount } from './test-accounts.ts';

const site = await startSite();
const { ctx, visitAs } = site;

/** A row in each list, so that the actions of rows are there to be checked. */
const keeper = keeperOf(site);
const owner = await newUploader(ctx);
const category_id = await newBranch(ctx);
const { id: document_id } = await addDocument(ctx, owner, { category_id });
await convert(ctx, document_id);
const { id: deletedId } = await addDocument(ctx, owner, { category_id });
await keeper.send('DELETE', `/document?id=${deletedId}`, {});
const { id: failedId } = await addDocument(ctx, owner, { category_id });
await convert(ctx, failedId, 'failed');
await keeper.set({ 'security.enable_captcha_comment': 'false' });
await keeper.send('POST', '/comment', { document_id, content: '一条评论' });
await keeper.send('POST', '/report', { document_id, reason: 1 });
await keeper.send('POST', '/friendlink', { title: '友链', link: 'https://friend.example' });

/** What each List permission opens, and the dashboard. */
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

test('the screens of this test cover every permission that opens a page of the back-office', () => {
  const listing = permissionCatalogue.map(({ name }) => name).filter((name) => /\/List(?!Synonym)/.test(name));
  expect([...new Set(screens.map(([permission]) => permission))].sort()).toEqual(listing.sort());
});

const endpoints = new Map(apiRoutes.map(({ endpoint }) => [`${endpoint.method} ${endpoint.path}`, endpoint]));

/** Endpoints that the visible controls declare. */
const declaredCalls = async (page: Page) => {
  const values = await page
    .locator('[data-calls]:visible')
    .evaluateAll((controls) => controls.map((each) => (each as HTMLElement).dataset.calls ?? ''));
  return values.flatMap((value) => value.split(', ')).filter(Boolean);
};

/** Buttons that call nothing which needs a permission. */
const HARMLESS = /^(查询|导出 CSV|收起菜单|展开菜单|重试|复制|跳到正文|)$/;
const undeclaredButtons = (page: Page) =>
  page.locator('.admin-content button:visible:not([data-calls])').evaluateAll((buttons) =>
    buttons
      .filter((button) => !button.closest('.ant-pagination, .ant-table-thead, .ant-select'))
      .filter((button) => !button.matches('.ant-table-row-expand-icon, [disabled]'))
      .map((button) => button.textContent?.trim() ?? ''),
  );

test.each(screens)(
  'with %s alone, %s calls nothing forbidden and shows no forbidden button',
  async (permission, path) => {
    const staff = await newStaff(ctx, [permission]);
    const page = await visitAs(staff.headers, 'about:blank');
    const forbidden: string[] = [];
    page.on('response', (response: Response) => {
      if (response.status() === 403) forbidden.push(response.url());
    });
    for (const each of ['/admin/dashboard', path]) {
      await page.goto(each, { waitUntil: 'networkidle' });
      await page.locator('.admin-content').waitFor();
      const calls = await declaredCalls(page);
      const refused = calls.filter((call) => {
        const endpoint = endpoints.get(call);
        if (!endpoint) throw new Error(`no such endpoint: ${call}`);
        const needed = permissionForOthers(endpoint);
        return needed !== null && needed !== permission;
      });
      expect([each, refused]).toEqual([each, []]);
      const undeclared = (await undeclaredButtons(page)).filter((label) => !HARMLESS.test(label));
      expect([each, undeclared]).toEqual([each, []]);
      const download = page.getByRole('button', { name: '导出 CSV' });
      if ((await download.count()) > 0) {
        const [answer] = await Promise.all([
          page.waitForResponse((response) => response.url().includes('.csv')),
          download.click(),
        ]);
        expect([each, answer.status()]).toEqual([each, 200]);
      }
    }
    expect(forbidden).toEqual([]);
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

/** Opens the menu of the user and looks whether it leads to the back-office. */
async function hasBackOfficeEntry(page: Page, username: string): Promise<boolean> {
  await page.getByRole('banner').getByRole('button', { name: username }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).waitFor();
  const count = await page.getByRole('menuitem', { name: '管理后台' }).count();
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  return count > 0;
}

test('new staff see 管理后台 within 60 seconds on an open page without logging in again, and revoked staff no longer', async () => {
  const person = await newAccount(site, 'refreshed');
  const page = await visitAs(await person.logIn(), 'about:blank');
  await page.clock.install();
  await page.goto('/');
  await ready(page);
  const hasEntry = () => hasBackOfficeEntry(page, 'refreshed');
  const passMinute = async () => {
    const answer = page.waitForResponse('**/api/v1/user/permission');
    await page.clock.runFor(60_000);
    await answer;
  };
  const roleId = await newRole(ctx, ['BannerAPI/ListBanner']);
  await inTransaction(ctx, (ctx) => grantRole(ctx, person.id, roleId));
  expect(await hasEntry()).toBe(false);
  await passMinute();
  await eventually(hasEntry).toBe(true);
  await site.pool.query('delete from user_roles where user_id = $1', [person.id]);
  await passMinute();
  await eventually(hasEntry).toBe(false);
});

test('a granted permission shows 管理后台 when the page is seen again, and its loss hides it', async () => {
  const person = await newAccount(site, 'promoted');
  const page = await visitAs(await person.logIn(), '/');
  await ready(page);
  const seeAgain = () => page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  const hasEntry = async () => {
    await seeAgain();
    return hasBackOfficeEntry(page, 'promoted');
  };
  expect(await hasEntry()).toBe(false);
  const roleId = await newRole(ctx, ['BannerAPI/ListBanner']);
  await inTransaction(ctx, (ctx) => grantRole(ctx, person.id, roleId));
  await eventually(hasEntry).toBe(true);
  await site.pool.query('delete from user_roles where user_id = $1', [person.id]);
  await eventually(hasEntry).toBe(false);
});

const loginDialog = (page: Page) => page.getByRole('dialog', { name: '登录已失效，请重新登录' });

async function typeFriendLink(page: Page, name: string) {
  await page.getByRole('button', { name: '新增友链' }).click();
  const drawer = page.getByRole('dialog', { name: /友链/ });
  await drawer.getByLabel('名称').fill(name);
  await drawer.getByLabel('地址').fill(`https://${crypto.randomUUID()}.example`);
  return {
    save: () => drawer.getByRole('button', { name: '保存' }).click(),
    /** The typed text is still there, and saving it works. */
    saveTyped: async () => {
      expect(await drawer.getByLabel('名称').inputValue()).toBe(name);
      await drawer.getByRole('button', { name: '保存' }).click();
      await page.getByText('新增成功').waitFor();
      await page.getByRole('cell', { name }).waitFor();
    },
  };
}

test('a session that ends while a form is open keeps the text, and the login opens over it with one notice', async () => {
  const page = await visitAs(await site.as.root(), '/admin/friendlink');
  const form = await typeFriendLink(page, '写到一半的友链');
  await site.pool.query('delete from sessions');
  await form.save();
  const dialog = loginDialog(page);
  await dialog.waitFor();
  expect(await page.getByText('登录已失效').count()).toBe(1);
  expect(await page.locator('.ant-message-notice').count()).toBe(0);
  expect(new URL(page.url()).pathname).toBe('/admin/friendlink');
  await login(page);
  await dialog.waitFor({ state: 'detached' });
  await form.saveTyped();
});

test('a login in one back-office tab closes the login dialog of another tab, which keeps its text and goes on', async () => {
  const first = await visitAs(await site.as.root(), '/admin/friendlink');
  const second = await first.context().newPage();
  await second.goto('/admin/friendlink');
  const form = await typeFriendLink(second, '另一个标签页的友链');
  await site.pool.query('delete from sessions');
  await (await typeFriendLink(first, '第一个标签页的友链')).save();
  await loginDialog(first).waitFor();
  // The second tab has sent nothing since; it follows the first.
  await loginDialog(second).waitFor();
  await login(first);
  await loginDialog(first).waitFor({ state: 'detached' });
  await loginDialog(second).waitFor({ state: 'detached' });
  await form.saveTyped();
  expect(new URL(second.url()).pathname).toBe('/admin/friendlink');
});

test('a back-office page opened or reloaded with an ended session shows one notice and the login page, which returns to the page', async () => {
  const page = await visitAs(await site.as.root(), 'about:blank');
  const leadsToLogin = async () => {
    await page.waitForURL('**/login?redirect=%2Fadmin%2Fuser%2Flist%3Fwd%3Dadmin');
    const notices = page.locator('[data-toast]');
    await notices.first().waitFor();
    await page.getByLabel('用户名').waitFor();
    expect(await notices.allInnerTexts()).toEqual(['登录已失效，请重新登录']);
    await login(page);
    await page.waitForURL('**/admin/user/list?wd=admin');
    await page.getByRole('cell', { name: administrator.username, exact: true }).first().waitFor();
  };
  await site.pool.query('delete from sessions');
  await page.goto('/admin/user/list?wd=admin');
  await leadsToLogin();
  await site.pool.query('delete from sessions');
  await page.reload();
  await leadsToLogin();
});

test('a search in an open back-office list whose session has ended opens the login and never shows the list for a visitor', async () => {
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
  const answer = page.waitForResponse('**/api/v1/user/list?**');
  await page.getByLabel('关键字').fill(administrator.username);
  await page.getByRole('button', { name: '查询' }).click();
  expect((await answer).status()).toBe(200);
  const dialog = loginDialog(page);
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
