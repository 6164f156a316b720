import { expect, test } from 'vitest';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { rowsForTier } from '#testing/test-tier.ts';
import { createApiRequester } from './support/api-requester.ts';
import { findAxeProblems } from './support/axe.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { createReadableDocumentFactory, newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, errors, address } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const author = await newAuthor(site);
const memberRoleId = await roleIdOf(ctx, '普通用户');
const newDocument = createReadableDocumentFactory(site, author);
const secondDocumentId = await newDocument('第二本讲义');
const requestApi = createApiRequester(address);
/** Accessibility is checked on desktop only, which shows the most controls. */
const checkLayout = async (page: Awaited<ReturnType<typeof visit>>, device: typeof desktop) => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(device.viewport.width);
  if (device === desktop) expect(await findAxeProblems(page)).toEqual([]);
};

test.each(
  rowsForTier([
    ['desktop', desktop],
    ['a phone', phone],
  ]),
)(
  'on %s a reader favorites, rates and comments on a document, follows its author and shares a folder, and the author is notified',
  async (deviceName, device) => {
    const title = `讲义（${deviceName === 'desktop' ? '桌面' : '手机'}）`;
    const id = await newDocument(title);
    const reader = await newMember(ctx, [memberRoleId]);
    const page = await visitAs(reader.headers, `/document/${id}`, device);
    const favoriteButton = page.getByRole('button', { name: '收藏 0' });
    const favoritedButton = page.getByRole('button', { name: '已收藏 1' });
    await favoriteButton.click();
    await favoritedButton.click();
    await page.getByText('已取消收藏').waitFor();
    await page.getByRole('button', { name: '放入文辑' }).waitFor({ state: 'detached' });
    await favoriteButton.click();
    await favoritedButton.waitFor();
    await page.getByRole('button', { name: '放入文辑' }).click();
    await page.getByRole('button', { name: '新建文辑' }).click();
    await page.getByLabel('名称').fill('力学入门');
    await page.getByLabel('公开').check();
    await page.getByRole('button', { name: '保存' }).click();
    await page.getByText('已放入文辑').waitFor();

    await page.getByRole('radio', { name: '5 星，非常棒' }).check({ force: true });
    await page.getByText('1 人评分').waitFor();
    await page.getByPlaceholder('请输入评论内容').fill('讲得清楚。');
    await page.getByRole('button', { name: '发表评论' }).click();
    const comments = page.getByRole('list', { name: '评论' });
    await comments.getByRole('button', { name: '修改' }).click();
    await page.getByLabel('修改评论').fill('讲得很清楚。');
    await comments.getByRole('button', { name: '保存' }).click();
    await comments.getByText('已修改').waitFor();
    await comments.getByText('讲得很清楚。').waitFor();
    // The server-rendered page contains the comment, too.
    await expect.poll(async () => (await fetch(`${address}/document/${id}`)).text()).toContain('讲得很清楚。');
    await page.getByRole('button', { name: `回复 ${reader.username} 的评论` }).click();
    await page.getByPlaceholder(`回复 ${reader.username}`).fill(`补充一点，@${author.username} 请看`);
    await page.getByRole('button', { name: '回复', exact: true }).click();
    await comments.getByRole('link', { name: `@${author.username}` }).waitFor();
    await page.getByRole('heading', { name: '评论（2）' }).waitFor();
    await page.getByPlaceholder('请输入评论内容').fill('写错了地方');
    await page.getByRole('button', { name: '发表评论' }).click();
    await page.getByRole('heading', { name: '评论（3）' }).waitFor();
    const misplacedComment = comments.locator('> li', { hasText: '写错了地方' });
    await misplacedComment.getByRole('button', { name: `删除 ${reader.username} 的评论` }).click();
    await page.getByRole('button', { name: '确定删除' }).click();
    await misplacedComment.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: '评论（2）' }).waitFor();
    const followButton = page.getByRole('button', { name: `关注 ${author.username}`, exact: true });
    const followedButton = page.getByRole('button', { name: `已关注 ${author.username}` });
    await followButton.click();
    await followedButton.click();
    await page.getByText('已取消关注').waitFor();
    await followButton.click();
    await followedButton.waitFor();
    await checkLayout(page, device);

    const { folder } = await requestApi(reader.headers, 'GET', '/favorite/folder/list');
    const favorite = { document_id: secondDocumentId, folder_id: folder[0].id };
    await requestApi(reader.headers, 'POST', '/favorite', favorite);
    await page.goto(`/user/${reader.id}/favorite`);
    await page.getByRole('link', { name: /力学入门/ }).click();
    const readOrder = async () => {
      const list = page.getByRole('list', { name: '我的收藏' });
      return (await list.locator('> li').allTextContents()).map((text) => text.includes(title));
    };
    await expect.poll(readOrder).toEqual([false, true]);
    expect(await page.getByRole('button', { name: '上移《第二本讲义》' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: '下移《第二本讲义》' }).click();
    await expect.poll(readOrder).toEqual([true, false]);
    expect(await page.getByRole('button', { name: `上移《${title}》` }).isDisabled()).toBe(true);
    await checkLayout(page, device);
    await page.getByRole('heading', { name: '力学入门' }).getByRole('link').click();
    await page.waitForURL(/\/favorite\/\d+$/);
    const sharedFolderPage = await visit(new URL(page.url()).pathname, {
      ...device,
      javaScriptEnabled: false,
    });
    await sharedFolderPage.getByRole('link', { name: title }).first().waitFor();
    const linkTexts = await sharedFolderPage.getByRole('link', { name: /讲义/ }).allTextContents();
    expect([...new Set(linkTexts)]).toEqual([title, '第二本讲义']);

    const authorPage = await visitAs(author.headers, '/', device);
    // Comment, mention, two favorites, follow. Retracted actions are not counted, and repeated ones are counted once.
    await authorPage.getByRole('link', { name: '消息，5 条未读' }).first().click();
    await authorPage.getByText(`${reader.username} 关注了您`).waitFor();
    await authorPage.getByText(`${reader.username} 收藏了您的文档《${title}》`).waitFor();
    await checkLayout(authorPage, device);
    await authorPage.getByRole('link', { name: new RegExp(`评论了您的文档《${title}》.*讲得很清楚`) }).click();
    await authorPage.getByRole('list', { name: '评论' }).getByText('讲得很清楚。').waitFor();
    await authorPage.goto('/notification');
    await authorPage.getByRole('button', { name: '全部标为已读' }).click();
    await authorPage.getByRole('link', { name: '消息', exact: true }).first().waitFor();
  },
);

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
