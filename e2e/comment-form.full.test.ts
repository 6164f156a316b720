import { expect, test } from 'vitest';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { findAxeProblems } from './support/axe.ts';
import { startTestSite } from './support/site.ts';
import { captureCaptchaId, solveCaptcha } from './test-accounts.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visitAs, ctx, errors, pool } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');

test('the comment form keeps its draft after a reload, suggests users after @, and asks for a captcha when the site requires it', async () => {
  const author = await newAuthor(site);
  const id = await author.addDocument('写到一半的评论');
  await waitForStatus(site, id, 2);
  const reader = await newMember(ctx, [await roleIdOf(ctx, '普通用户')]);
  const { rows } = await pool.query(
    `insert into comments (document_id, user_id, content, status, published_at, created_at)
     values ($1, $2, '欢迎讨论', 1, now(), now()) returning id`,
    [id, author.id],
  );
  // The page loads the comments only near the viewport or when the URL names a comment.
  const page = await visitAs(reader.headers, `/document/${id}?comment=${rows[0].id}`);
  const commentInput = page.getByPlaceholder('请输入评论内容');
  await commentInput.fill('请教，');
  await page.reload();
  await expect.poll(() => commentInput.inputValue()).toBe('请教，');
  await commentInput.press('End');
  await commentInput.pressSequentially(`@${author.username.slice(0, 2)}`);
  await page.getByRole('button', { name: `@${author.username}` }).click();
  await commentInput.pressSequentially('第二节怎么理解？');
  expect(await commentInput.inputValue()).toBe(`请教，@${author.username} 第二节怎么理解？`);
  await page.getByRole('button', { name: '发表评论' }).click();
  const commentList = page.getByRole('list', { name: '评论' });
  await commentList.getByRole('link', { name: `@${author.username}` }).waitFor();
  await setSetting(ctx, 'security.enable_captcha_comment', 'true');
  await page.reload();
  await commentList.getByText('第二节怎么理解？').waitFor();
  expect(await commentInput.inputValue()).toBe('');
  const captchaId = await captureCaptchaId(page, () => commentInput.fill('又及'));
  await page.getByRole('button', { name: '点击可刷新验证码' }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  await page.getByRole('button', { name: '发表评论' }).click();
  await page.getByText('请输入验证码').waitFor();
  expect(await commentList.getByText('又及').count()).toBe(0);
  await page.getByLabel('验证码', { exact: true }).fill(await solveCaptcha(site, captchaId));
  await page.getByRole('button', { name: '发表评论' }).click();
  await commentList.getByText('又及').waitFor();
  await setSetting(ctx, 'security.enable_captcha_comment', 'false');
});

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
