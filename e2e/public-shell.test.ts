import { expect, test } from 'vitest';
import { eventually, keeperOf, login, ready, stored } from './public-site.ts';
import { desk, phone, startSite, tablet } from './support/site.ts';

const site = await startSite();
const { visit, visitAsAdministrator, address, errors } = site;
const keeper = keeperOf(site);

test('the home page shows the logo, 首页 and the first six enabled top-level categories', async () => {
  const page = await visit('/');
  const bar = page.getByRole('banner');
  const links = await bar.getByRole('navigation').getByRole('link').allTextContents();
  expect(links).toEqual([
    '首页',
    '教育考试',
    '学术论文',
    '计算机',
    '经济管理',
    '办公文书',
    '工程技术',
  ]);
  expect(await bar.getByRole('link', { name: '豆库' }).getAttribute('href')).toBe(
    '/redirect/admin',
  );
  expect(await bar.getByText('频道分类').count()).toBe(0);
  expect(await bar.getByPlaceholder('搜索文档...').count()).toBe(0);
});

test('the bar is 64 px high, lies open over the hero, and becomes solid when the page scrolls', async () => {
  const page = await visit('/');
  const bar = page.getByRole('banner');
  expect((await bar.boundingBox())?.height).toBe(64);
  expect(await bar.getAttribute('data-top-bar')).toBe('floating');
  await page.mouse.wheel(0, 400);
  await eventually(() => bar.getAttribute('data-top-bar')).toBe('solid');
  expect((await bar.boundingBox())?.y).toBe(0);
});

test('other pages show the channel dropdown and a search box instead of the categories', async () => {
  const page = await visit('/article/about');
  const bar = page.getByRole('banner');
  expect(await bar.getByRole('link', { name: '教育考试' }).count()).toBe(0);
  expect(await bar.getByPlaceholder('搜索文档...').count()).toBe(1);
  await bar.getByRole('button', { name: '频道分类' }).click();
  const menu = page.getByRole('menu', { name: '频道分类' });
  await menu.getByRole('menuitem', { name: '医学健康' }).waitFor();
  // No hand is faster than the menu takes the focus.
  await eventually(() => menu.evaluate((all) => all.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await eventually(() => menu.count()).toBe(0);
  await bar.getByRole('button', { name: '频道分类' }).press('ArrowDown');
  await menu.getByRole('menuitem', { name: /计算机/ }).click();
  await page.getByRole('heading', { name: '计算机', level: 1 }).waitFor();
});

test('the search page hides the top bar on desktops, and only there', async () => {
  const wide = await visit('/search?wd=豆', desk);
  expect(await wide.locator('[data-top-bar]').isVisible()).toBe(false);
  await wide.getByPlaceholder('请输入关键词').filter({ visible: true }).waitFor();
  for (const device of [tablet, phone]) {
    const page = await visit('/search?wd=豆', device);
    expect(await page.locator('[data-top-bar]').isVisible()).toBe(true);
  }
});

test('the account menu leads home, to the profile, to the upload and to the back-office', async () => {
  const page = await visitAsAdministrator('/');
  const trigger = page.getByRole('banner').getByRole('button', { name: 'admin' });
  await trigger.click();
  const items = page.getByRole('menu', { name: '我的账户' }).getByRole('menuitem');
  await items.first().waitFor();
  expect(await items.allTextContents()).toEqual([
    '个人主页',
    '个人资料',
    '上传文档',
    '管理后台',
    '豆明细',
    '账户安全',
    '退出登录',
  ]);
  await items.filter({ hasText: '个人资料' }).click();
  const dialog = page.getByRole('dialog', { name: '个人资料' });
  await dialog.getByText('登录 IP').waitFor();
  await eventually(async () => (await dialog.boundingBox())?.width).toBe(520);
  expect(await dialog.locator('dt').allTextContents()).toEqual([
    '用户名',
    '真实姓名',
    '身份证号',
    '联系邮箱',
    '联系电话',
    '联系地址',
    '个性签名',
    '注册时间',
    '最后登录',
    '登录 IP',
  ]);
  expect(await dialog.locator('dd').nth(1).textContent()).toBe('-');
});

test('the account menu leads to the movements of beans and to the account security, and toasts leave it free', async () => {
  for (const [item, tab] of [
    ['豆明细', 'credit'],
    ['账户安全', 'security'],
  ]) {
    const page = await site.visitAs(await site.as.user(), '/');
    const { id, username } = (await stored(page, 'douku:user')).user;
    await ready(page);
    // A toast stands where the menu opens, and stays however slow the machine is.
    await page.evaluate(() => {
      const set = window.setTimeout.bind(window);
      window.setTimeout = ((run: () => void, after = 0, ...rest: []) =>
        after < 4000 ? set(run, after, ...rest) : 0) as typeof window.setTimeout;
    });
    await page.getByRole('button', { name: '每日签到' }).click();
    const toast = page.locator('[data-toast]');
    await toast.waitFor();
    await page.getByRole('banner').getByRole('button', { name: username }).click();
    const menu = page.getByRole('menu', { name: '我的账户' });
    await menu.getByRole('menuitem').first().waitFor();
    await eventually(async () => {
      const [over, under] = [await toast.boundingBox(), await menu.boundingBox()];
      if (!over || !under) return 'gone';
      const apart =
        over.x >= under.x + under.width ||
        over.x + over.width <= under.x ||
        over.y >= under.y + under.height ||
        over.y + over.height <= under.y;
      return apart ? 'apart' : 'covered';
    }).toBe('apart');
    await menu.getByRole('menuitem', { name: item }).click();
    await page.waitForURL(`${address}/user/${id}/${tab}`);
  }
});

test('without an allowed page the account menu has no way into the back-office', async () => {
  const page = await site.visitAs(await site.as.user(), '/');
  await page.getByRole('banner').getByRole('button', { name: /^user/ }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).waitFor();
  expect(await page.getByRole('menuitem', { name: '管理后台' }).count()).toBe(0);
  await page.goto('/redirect/admin');
  await page.waitForURL(`${address}/`);
});

test('a phone opens a drawer of 60 % with search, login and the categories unfolded', async () => {
  const page = await visit('/', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  const drawer = page.getByRole('dialog');
  await eventually(async () => (await drawer.boundingBox())?.width).toBe(390 * 0.6);
  await drawer.getByPlaceholder('搜索文档...').waitFor();
  expect(await drawer.getByRole('link', { name: '登录注册' }).getAttribute('href')).toBe('/login');
  const channels = drawer.getByRole('button', { name: '频道分类' });
  expect(await channels.getAttribute('aria-expanded')).toBe('true');
  await drawer.getByRole('link', { name: '医学健康' }).waitFor();
  await channels.click();
  await drawer.getByRole('link', { name: '医学健康' }).waitFor({ state: 'hidden' });
  await drawer.getByPlaceholder('搜索文档...').fill('豆');
  await drawer.getByPlaceholder('搜索文档...').press('Enter');
  await page.waitForURL('**/search?wd=*');
  await eventually(() => drawer.count()).toBe(0);
});

test('the drawer of somebody logged in has the account, and the back-office for everybody', async () => {
  // A user without any allowed page.
  const page = await site.visitAs(await site.as.user(), '/', phone);
  await page.getByRole('button', { name: '菜单' }).click();
  const drawer = page.getByRole('dialog');
  await drawer.getByRole('button', { name: '每日签到' }).waitFor();
  const account = drawer.getByRole('navigation', { name: '我的账户' });
  await account.waitFor();
  expect(await account.locator('a, button').allTextContents()).toEqual([
    '个人主页',
    '个人资料',
    '上传文档',
    '管理后台',
    '豆明细',
    '账户安全',
    '退出登录',
  ]);
  await account.getByRole('button', { name: '个人资料' }).click();
  const profile = page.getByRole('dialog', { name: '个人资料' });
  await profile.getByText('联系邮箱').waitFor();
  await eventually(async () => (await profile.boundingBox())?.width).toBeCloseTo(390 * 0.95, 0);
});

test('the footer shows what is configured, and nothing else', async () => {
  await keeper.set({ 'footer.contact': '', 'system.icp': '', 'system.copyright_start_year': '' });
  const year = String(new Date().getFullYear());
  let footer = (await visit('/category')).getByRole('contentinfo');
  const text = (await footer.textContent()) ?? '';
  expect(text).toContain(`© ${year}`);
  expect(await footer.getByRole('link').allTextContents()).toEqual([
    '关于我们',
    '使用帮助',
    '文库协议',
    '意见反馈',
    '免责声明',
    '站点地图',
  ]);
  expect(await footer.getByRole('link', { name: '站点地图' }).getAttribute('href')).toBe(
    '/sitemap.xml',
  );
  await keeper.set({
    'footer.contact': '/article/contact',
    'system.icp': '京ICP备12345678号',
    'system.copyright_start_year': '2020',
    'system.domain': 'https://douku.example',
  });
  footer = (await visit('/category')).getByRole('contentinfo');
  expect(await footer.textContent()).toContain(`© 2020 - ${year}`);
  await footer.getByRole('link', { name: '联系我们' }).waitFor();
  expect(await footer.getByRole('link', { name: '豆库' }).getAttribute('href')).toBe(
    'https://douku.example',
  );
  expect(await footer.getByRole('link', { name: '京ICP备12345678号' }).getAttribute('href')).toBe(
    'https://beian.miit.gov.cn/',
  );
});

test('friend links stand on the home page alone and open in a new tab', async () => {
  await keeper.send('POST', '/friendlink', { title: '开放书库', link: 'https://books.example/' });
  await keeper.send('POST', '/friendlink', {
    title: '停用的',
    link: 'https://off.example/',
    enable: false,
  });
  const page = await visit('/');
  const card = page.getByRole('region', { name: '友情链接' });
  expect(await card.getByRole('link').allTextContents()).toEqual(['开放书库']);
  expect(await card.getByRole('link').getAttribute('target')).toBe('_blank');
  await page.goto('/category');
  expect(await card.count()).toBe(0);
});

test('a desktop page is 1200 px wide and never narrower than 1100; smaller windows do not scroll sideways', async () => {
  const page = await visit('/category', { viewport: { width: 1600, height: 900 } });
  const inner = page.locator('main .card').first();
  expect((await inner.boundingBox())?.width).toBe(1200);
  await page.setViewportSize({ width: 1000, height: 800 });
  expect(await page.evaluate(() => document.body.scrollWidth)).toBe(1100);
  for (const width of [991, 768, 390, 320]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});

test('the theme follows the system until chosen, the choice survives a reload, and a logout clears it', async () => {
  const page = await visit('/login', { ...desk, colorScheme: 'dark' });
  const theme = () => page.evaluate(() => document.documentElement.dataset.theme);
  expect(await theme()).toBe('dark');
  await ready(page);
  await page.getByRole('button', { name: /外观：跟随系统/ }).click();
  await eventually(theme).toBe('light');
  await page.reload();
  expect(await theme()).toBe('light');
  await login(page);
  await page.waitForURL(`${address}/`);
  await page.getByRole('banner').getByRole('button', { name: 'admin' }).click();
  await page.getByRole('menuitem', { name: '退出登录' }).click();
  await page.getByText('已退出登录').waitFor();
  await eventually(theme).toBe('dark');
  await page.reload();
  expect(await theme()).toBe('dark');
});

test('no page of the shell threw an error', () => {
  expect(errors).toEqual([]);
});
