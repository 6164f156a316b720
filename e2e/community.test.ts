import { expect, test } from 'vitest';
import { newMember, roleIdOf } from '#modules/access/access.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { firstOrAll } from '#testing/tier.ts';
import { inStatus, newAuthor } from './document-site.ts';
import { eventually } from './public-site.ts';
import { problems } from './support/axe.ts';
import { desk, phone, startSite } from './support/site.ts';

const site = await startSite();
const { visit, visitAs, ctx, errors, address, pool } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const author = await newAuthor(site);
const usual = await roleIdOf(ctx, '普通用户');
const newDocument = async (title: string) => {
  const id = await author.add(title);
  await inStatus(site, id, 2);
  return id;
};
const second = await newDocument('第二本讲义');
/** What somebody asks of the API. */
const send = async (headers: object, method: string, path: string, body?: object) => {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.json();
};
/** Nothing sticks out; on the desk, where there is most to see, everybody can use it. */
const isSound = async (page: Awaited<ReturnType<typeof visit>>, device: typeof desk) => {
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(device.viewport.width);
  if (device === desk) expect(await problems(page)).toEqual([]);
};

test.each(
  firstOrAll([
    ['a desk', desk],
    ['a phone', phone],
  ]),
)(
  'on %s a reader favors, rates, comments and follows, shares a folder, and the author hears of it',
  async (where, device) => {
    const title = `讲义（${where === 'a desk' ? '桌面' : '手机'}）`;
    const id = await newDocument(title);
    const reader = await newMember(ctx, [usual]);
    const page = await visitAs(reader.headers, `/document/${id}`, device);
    const favorite = page.getByRole('button', { name: '收藏 0' });
    const favored = page.getByRole('button', { name: '已收藏 1' });
    await favorite.click();
    await favored.click();
    await page.getByText('已取消收藏').waitFor();
    await page.getByRole('button', { name: '放入文辑' }).waitFor({ state: 'detached' });
    await favorite.click();
    await favored.waitFor();
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
    // It stands in the page as it is sent, too.
    await expect
      .poll(async () => (await fetch(`${address}/document/${id}`)).text())
      .toContain('讲得很清楚。');
    await page.getByRole('button', { name: `回复 ${reader.username} 的评论` }).click();
    await page
      .getByPlaceholder(`回复 ${reader.username}`)
      .fill(`补充一点，@${author.username} 请看`);
    await page.getByRole('button', { name: '回复', exact: true }).click();
    await comments.getByRole('link', { name: `@${author.username}` }).waitFor();
    await page.getByRole('heading', { name: '评论（2）' }).waitFor();
    await page.getByPlaceholder('请输入评论内容').fill('写错了地方');
    await page.getByRole('button', { name: '发表评论' }).click();
    await page.getByRole('heading', { name: '评论（3）' }).waitFor();
    const wrong = comments.locator('> li', { hasText: '写错了地方' });
    await wrong.getByRole('button', { name: `删除 ${reader.username} 的评论` }).click();
    await page.getByRole('button', { name: '确定删除' }).click();
    await wrong.waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: '评论（2）' }).waitFor();
    const follow = page.getByRole('button', { name: `关注 ${author.username}`, exact: true });
    const followed = page.getByRole('button', { name: `已关注 ${author.username}` });
    await follow.click();
    await followed.click();
    await page.getByText('已取消关注').waitFor();
    await follow.click();
    await followed.waitFor();
    await isSound(page, device);

    const { folder } = await send(reader.headers, 'GET', '/favorite/folder/list');
    const put = { document_id: second, folder_id: folder[0].id };
    await send(reader.headers, 'POST', '/favorite', put);
    await page.goto(`/user/${reader.id}/favorite`);
    await page.getByRole('link', { name: /力学入门/ }).click();
    const order = async () => {
      const list = page.getByRole('list', { name: '我的收藏' });
      return (await list.locator('> li').allTextContents()).map((text) => text.includes(title));
    };
    await expect.poll(order).toEqual([false, true]);
    expect(await page.getByRole('button', { name: '上移《第二本讲义》' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: '下移《第二本讲义》' }).click();
    await expect.poll(order).toEqual([true, false]);
    expect(await page.getByRole('button', { name: `上移《${title}》` }).isDisabled()).toBe(true);
    await isSound(page, device);
    await page.getByRole('heading', { name: '力学入门' }).getByRole('link').click();
    await page.waitForURL(/\/favorite\/\d+$/);
    const shared = await visit(new URL(page.url()).pathname, {
      ...device,
      javaScriptEnabled: false,
    });
    await shared.getByRole('link', { name: title }).first().waitFor();
    const inOrder = await shared.getByRole('link', { name: /讲义/ }).allTextContents();
    expect([...new Set(inOrder)]).toEqual([title, '第二本讲义']);

    const other = await visitAs(author.headers, '/', device);
    // Comment, mention, two favorites, follow: what was taken back is not told, nor told twice.
    await other.getByRole('link', { name: '消息，5 条未读' }).first().click();
    await other.getByText(`${reader.username} 关注了您`).waitFor();
    await other.getByText(`${reader.username} 收藏了您的文档《${title}》`).waitFor();
    await isSound(other, device);
    await other
      .getByRole('link', { name: new RegExp(`评论了您的文档《${title}》.*讲得很清楚`) })
      .click();
    await other.getByRole('list', { name: '评论' }).getByText('讲得很清楚。').waitFor();
    await other.goto('/notification');
    await other.getByRole('button', { name: '全部标为已读' }).click();
    await other.getByRole('link', { name: '消息', exact: true }).first().waitFor();
  },
);

test('whoever is told of an answer deep in an old conversation is led to it', async () => {
  const id = await newDocument('讨论很多的讲义');
  const { rows } = await pool.query(
    `insert into comments (document_id, user_id, content, status, published_at, created_at)
     select $1, $2, '第 ' || n || ' 个话题', 1, now(), now() from generate_series(1, 15) as n
     returning id`,
    [id, author.id],
  );
  const answers = await pool.query(
    `insert into comments
       (document_id, user_id, parent_id, root_id, content, status, published_at, created_at)
     select $1, $2, $3, $3, '第 ' || n || ' 个回答', 1, now(), now() from generate_series(1, 130) as n
     returning id`,
    [id, author.id, rows[0].id],
  );
  const page = await visit(`/document/${id}?comment=${answers.rows[119].id}`);
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
  expect(await problems(page)).toEqual([]);
});

test('an emptied last page of messages leads to the page before, and each kind is switched off for good', async () => {
  await setSetting(ctx, 'email.host', 'mail.example');
  await setSetting(ctx, 'email.enable', 'true');
  const reader = await newMember(ctx, [usual]);
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
  const mails = page.getByLabel('我的文档收到评论：邮件');
  for (const box of [follows, mails]) {
    await box.click();
    await expect.poll(() => box.isChecked()).toBe(false);
  }
  await page.reload();
  await expect.poll(() => page.getByLabel('有人提到我：邮件').isChecked()).toBe(true);
  expect([await follows.isChecked(), await mails.isChecked()]).toEqual([false, false]);
  expect(await page.getByLabel('我的文档收到评论：站内').isChecked()).toBe(true);
  expect(await page.getByLabel('有人关注我：邮件').isDisabled()).toBe(true);
  const { unread } = await send(reader.headers, 'GET', '/notification/unread');
  await send(author.headers, 'POST', '/follow', { user_id: reader.id });
  expect(await send(reader.headers, 'GET', '/notification/unread')).toEqual({ unread });
  await setSetting(ctx, 'email.enable', 'false');
});

test('people follow each other, read what the others did, and hide what they want to', async () => {
  const [one, other] = [await newMember(ctx, [usual]), await newMember(ctx, [usual])];
  await author.add('新的讲义');
  const page = await visitAs(one.headers, `/user/${author.id}`);
  await page.getByRole('button', { name: `关注 ${author.username}`, exact: true }).click();
  await page.getByRole('button', { name: `已关注 ${author.username}` }).waitFor();
  await page.goto(`/user/${one.id}/follow`);
  await page
    .getByRole('list', { name: '关注动态' })
    .getByText(/上传了文档/)
    .first()
    .waitFor();
  await page.getByRole('link', { name: '关注的人' }).click();
  await page
    .getByRole('list', { name: '关注的人' })
    .getByRole('link', { name: author.username })
    .waitFor();
  expect(await problems(page)).toEqual([]);
  const fans = await visit(`/user/${author.id}/fans`, { ...desk, javaScriptEnabled: false });
  await fans.getByRole('link', { name: one.username }).waitFor();
  await page.getByLabel('对他人隐藏我的关注').check();
  await page.getByText('已对他人隐藏').waitFor();
  await page.goto(`/user/${one.id}/favorite`);
  await page.getByLabel('对他人隐藏我的收藏').check();
  await page.getByText('已对他人隐藏').waitFor();
  const stranger = await visitAs(other.headers, `/user/${one.id}/follow`);
  await stranger.getByText('这位用户没有公开关注的人').waitFor();
  await stranger.goto(`/user/${one.id}/favorite`);
  await stranger.getByText('这位用户没有公开收藏').waitFor();
  await eventually(async () => (await fetch(`${address}/user/${one.id}/favorite`)).status).toBe(
    200,
  );
  await fans.reload();
  expect(await fans.getByRole('link', { name: one.username }).count()).toBe(0);
});

test('no page of the community threw an error', () => {
  expect(errors).toEqual([]);
});
