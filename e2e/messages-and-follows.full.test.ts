import { afterAll, expect, test } from 'vitest';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { eventually } from './page-helpers.ts';
import { createApiRequester } from './support/api-requester.ts';
import { findAxeProblems } from './support/axe.ts';
import { desktop, startTestSite } from './support/site.ts';
import { createReadableDocumentFactory, newAuthor } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, errors, address, pool } = site;
const author = await newAuthor(site);
const memberRoleId = await roleIdOf(ctx, '普通用户');
const newDocument = createReadableDocumentFactory(site, author);
const send = createApiRequester(address);

afterAll(() => {
  expect(errors, 'errors thrown by pages').toEqual([]);
});

test('a link to a reply far down an old comment thread opens the thread and scrolls to the reply', async () => {
  const id = await newDocument('讨论很多的讲义');
  const { rows } = await pool.query(
    `insert into comments (document_id, user_id, content, status, published_at, created_at)
     select $1, $2, '第 ' || n || ' 个话题', 1, now(), now() from generate_series(1, 15) as n
     returning id`,
    [id, author.id],
  );
  const replies = await pool.query(
    `insert into comments
       (document_id, user_id, parent_id, root_id, content, status, published_at, created_at)
     select $1, $2, $3, $3, '第 ' || n || ' 个回答', 1, now(), now() from generate_series(1, 130) as n
     returning id`,
    [id, author.id, rows[0].id],
  );
  const page = await visit(`/document/${id}?comment=${replies.rows[119].id}`);
  const threads = page.getByRole('list', { name: '评论' });
  await threads.getByText('第 120 个回答', { exact: true }).waitFor();
  expect(await threads.locator('> li').first().textContent()).toContain('第 1 个话题');
  await expect
    .poll(() =>
      threads
        .getByText('第 120 个回答', { exact: true })
        .evaluate((element) => Math.round(element.getBoundingClientRect().top)),
    )
    .toBeGreaterThan(0);
  expect(await threads.getByText('第 1 个话题', { exact: true }).count()).toBe(1);
  expect(await findAxeProblems(page)).toEqual([]);
});

test('deleting the only message of the last page opens the page before, and disabled notification kinds stay disabled', async () => {
  await setSetting(ctx, 'email.host', 'mail.example');
  await setSetting(ctx, 'email.enable', 'true');
  const reader = await newMember(ctx, [memberRoleId]);
  await pool.query(
    `insert into notifications (user_id, kind, key, actor_id, created_at)
     select $1, 'follow', 'follow:' || n, $2, now() from generate_series(1, 21) as n`,
    [reader.id, author.id],
  );
  const page = await visitAs(reader.headers, '/notification?page=2');
  const list = page.getByRole('list', { name: '消息', exact: true });
  await expect.poll(() => list.getByRole('listitem').count()).toBe(1);
  await list.getByRole('button', { name: '删除这条消息' }).click();
  await expect.poll(() => list.getByRole('listitem').count()).toBe(20);
  expect(page.url()).not.toContain('page=2');

  await page.getByRole('link', { name: '消息设置' }).click();
  const follows = page.getByLabel('有人关注我：站内');
  const commentMails = page.getByLabel('我的文档收到评论：邮件');
  for (const checkbox of [follows, commentMails]) {
    await checkbox.click();
    await expect.poll(() => checkbox.isChecked()).toBe(false);
  }
  await page.reload();
  await expect.poll(() => page.getByLabel('有人提到我：邮件').isChecked()).toBe(true);
  expect([await follows.isChecked(), await commentMails.isChecked()]).toEqual([false, false]);
  expect(await page.getByLabel('我的文档收到评论：站内').isChecked()).toBe(true);
  expect(await page.getByLabel('有人关注我：邮件').isDisabled()).toBe(true);
  const { unread } = await send(reader.headers, 'GET', '/notification/unread');
  await send(author.headers, 'POST', '/follow', { user_id: reader.id });
  expect(await send(reader.headers, 'GET', '/notification/unread')).toEqual({ unread });
  await setSetting(ctx, 'email.enable', 'false');
});

test('a member follows an author, reads the activity feed, and hides follows and favorites from other users', async () => {
  const [follower, otherMember] = [await newMember(ctx, [memberRoleId]), await newMember(ctx, [memberRoleId])];
  await author.addDocument('新的讲义');
  const page = await visitAs(follower.headers, `/user/${author.id}`);
  await page.getByRole('button', { name: `关注 ${author.username}`, exact: true }).click();
  await page.getByRole('button', { name: `已关注 ${author.username}` }).waitFor();
  await page.goto(`/user/${follower.id}/follow`);
  await page
    .getByRole('list', { name: '关注动态' })
    .getByText(/上传了文档/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: '关注的人' }).click();
  await page.getByRole('list', { name: '关注的人' }).getByRole('link', { name: author.username }).waitFor();
  expect(await findAxeProblems(page)).toEqual([]);
  const fansPage = await visit(`/user/${author.id}/fans`, { ...desktop, javaScriptEnabled: false });
  await fansPage.getByRole('link', { name: follower.username }).waitFor();
  await page.getByLabel('对他人隐藏我的关注').check();
  await page.getByText('已对他人隐藏').waitFor();
  await page.goto(`/user/${follower.id}/favorite`);
  await page.getByLabel('对他人隐藏我的收藏').check();
  await page.getByText('已对他人隐藏').waitFor();
  const otherMemberPage = await visitAs(otherMember.headers, `/user/${follower.id}/follow`);
  await otherMemberPage.getByText('这位用户没有公开关注的人').waitFor();
  await otherMemberPage.goto(`/user/${follower.id}/favorite`);
  await otherMemberPage.getByText('这位用户没有公开收藏').waitFor();
  await eventually(async () => (await fetch(`${address}/user/${follower.id}/favorite`)).status).toBe(200);
  await fansPage.reload();
  expect(await fansPage.getByRole('link', { name: follower.username }).count()).toBe(0);
});
