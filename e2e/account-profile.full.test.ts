import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { eventually, readStoredState, waitForHydration } from './page-helpers.ts';
import { waitForText } from './support/page.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { countRequests, newAccount } from './test-accounts.ts';

const site = await startTestSite();
const { visitAs, errors } = site;

async function openTab(page: Page, tab: string) {
  await waitForHydration(page);
  await page.getByRole('main').getByRole('button', { name: '个人资料' }).click();
  const dialog = page.getByRole('dialog', { name: '个人资料' });
  await dialog.getByRole('tab', { name: tab }).click();
  return { dialog, panel: dialog.getByRole('tabpanel', { name: tab }) };
}

test.each([
  ['1280 px', desktop, 520],
  ['390 px', phone, 390 * 0.95],
])(
  'at %s a user reads and changes the profile, and the dialog then shows the changes',
  async (viewportName, device, dialogWidth) => {
    const account = await newAccount(site, `reader${viewportName.slice(0, 3)}`);
    const page = await visitAs(await account.logIn(), `/user/${account.id}`, device);
    const { dialog, panel } = await openTab(page, '个人资料');
    await eventually(async () => (await dialog.boundingBox())?.width).toBeCloseTo(dialogWidth, 0);
    expect(await dialog.getByRole('tab').allTextContents()).toEqual(['个人资料', '修改资料', '修改密码']);
    const readValue = (label: string) =>
      panel.locator('dt', { hasText: label }).locator('xpath=following-sibling::dd').textContent();
    expect(await readValue('用户名')).toBe(account.username);
    expect(await readValue('联系邮箱')).toBe(account.email);
    const emptyLabels = ['真实姓名', '身份证号', '联系电话', '联系地址', '个性签名', '最后登录', '登录 IP'];
    for (const label of emptyLabels) expect([label, await readValue(label)]).toEqual([label, '-']);
    expect(await readValue('注册时间')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

    await dialog.getByRole('tab', { name: '修改资料' }).click();
    const editPanel = dialog.getByRole('tabpanel', { name: '修改资料' });
    expect(await editPanel.getByLabel('用户名').inputValue()).toBe(account.username);
    expect(await editPanel.getByLabel('用户名').isEditable()).toBe(false);
    for (const label of ['联系地址', '个性签名']) {
      expect(await editPanel.getByLabel(label).getAttribute('rows')).toBe('3');
    }
    const limits = { 真实姓名: '20', 身份证号: '18', 联系邮箱: '254', 联系电话: '20' };
    for (const [label, limit] of Object.entries({ ...limits, 联系地址: '255', 个性签名: '255' }))
      expect([label, await editPanel.getByLabel(label).getAttribute('maxlength')]).toEqual([label, limit]);
    const changes = {
      真实姓名: '豆豆',
      身份证号: '110101199001010011',
      联系电话: '13800000000',
      联系地址: '书院路 1 号\n二楼',
      个性签名: '读书不觉已春深',
    };
    for (const [label, text] of Object.entries(changes)) await editPanel.getByLabel(label).fill(text);
    await editPanel.getByRole('button', { name: '修改资料' }).click();
    await waitForText(page, '修改成功');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('main').getByText('读书不觉已春深').waitFor();
    await openTab(page, '个人资料');
    for (const [label, text] of Object.entries(changes)) await eventually(() => readValue(label)).toBe(text);
  },
);

test('a click on the avatar uploads a single image, and a refused or failed upload shows the reason', async () => {
  const account = await newAccount(site, 'avatar1');
  const page = await visitAs(await account.logIn(), `/user/${account.id}`);
  const { dialog } = await openTab(page, '个人资料');
  const uploadRequests = countRequests(page, 'POST /upload/avatar');
  const avatarButton = dialog.getByRole('button', { name: '点击上传图片' });
  await avatarButton.hover();
  await page.locator('[data-tooltip]').getByText('点击上传图片').waitFor();
  const [fileChooser] = await Promise.all([page.waitForEvent('filechooser'), avatarButton.click()]);
  expect(fileChooser.isMultiple()).toBe(false);
  expect(await fileChooser.element().getAttribute('accept')).toBe('image/*');
  const chooseFile = (name: string, mimeType: string, buffer: Buffer) =>
    fileChooser.setFiles({ name, mimeType, buffer });

  await chooseFile('notes.txt', 'text/plain', Buffer.from('words'));
  await waitForText(page, '请选择图片文件');
  expect(uploadRequests.count).toBe(0);
  await chooseFile('broken.png', 'image/png', Buffer.from('not a picture'));
  await waitForText(page, '只支持 jpg、jpeg、png、gif、webp 格式的图片');
  await page.route('**/api/v1/upload/avatar', (route) => route.fulfill({ status: 502, body: '<h1>Bad Gateway</h1>' }));
  const create = { width: 300, height: 200, channels: 3, background: '#23694a' } as const;
  const png = await sharp({ create }).png().toBuffer();
  await chooseFile('me.png', 'image/png', png);
  await waitForText(page, '502 http.failed');
  await page.unroute('**/api/v1/upload/avatar');
  await chooseFile('me.png', 'image/png', png);
  const avatarImage = avatarButton.locator('img');
  await eventually(() => avatarImage.getAttribute('src')).toMatch(/^\/uploads\/avatar\//);
  await eventually(() => avatarImage.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(256);
  const { user } = await readStoredState(page, 'douku:user');
  expect(user.avatar).toMatch(/^\/uploads\/avatar\//);
  expect(await page.locator('[data-top-bar] img').getAttribute('src')).toBe(user.avatar);
});

test('the profile form in the back-office can be saved by an administrator without an e-mail address', async () => {
  const page = await site.visitAsAdministrator('/admin/dashboard');
  await page.getByRole('button', { name: 'admin' }).click();
  await page.getByRole('menuitem', { name: '个人资料' }).click();
  const dialog = page.getByRole('dialog', { name: '个人资料' });
  await dialog.getByRole('tab', { name: '修改资料' }).click();
  await dialog.getByLabel('联系邮箱').fill('no address');
  await dialog.getByLabel('联系电话').focus();
  await waitForText(page, '请输入正确的电子邮箱');
  await dialog.getByLabel('联系邮箱').fill('');
  await dialog.getByLabel('个性签名').fill('管理员在此');
  await dialog.getByRole('button', { name: '修改资料' }).click();
  await waitForText(page, '修改成功');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
