import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDocument, newUploader } from '#modules/document/document.fixture.ts';
import { newMember, newRole, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { desktop, phone, startSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startSite();
const { visit, visitAs, ctx, errors, address } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const author = await newAuthor(site);
const novice = await newUploader(ctx, { enable_document_review: true });
const watched = await newMember(ctx, [await newRole(ctx, [], { enable_comment_approval: true })]);

const post = async (path: string, headers: Record<string, string>, body: object) => {
  const answer = await fetch(`${address}/api/v1${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, answer.status]).toEqual([path, 200]);
};
const rowOf = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) });
const confirm = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定/ })
    .click();
const refuse = async (page: Page, text: string, reason: string) => {
  await rowOf(page, text).getByRole('checkbox').check();
  await page.getByRole('button', { name: '批量审批' }).click();
  await page.getByRole('menuitem', { name: '审核拒绝' }).click();
  await page.getByLabel('原因').fill(reason);
  await confirm(page);
  await rowOf(page, text).waitFor({ state: 'detached' });
};

test.each([
  ['a desk', desktop, '桌前'],
  ['a phone', phone, '手机'],
])('at %s a reviewer decides on documents, comments and reports, and on nothing else', async (_, device, name) => {
  const { category_id } = author;
  const [kept, refused] = [`${name}待审的讲义`, `${name}抄来的讲义`];
  for (const title of [kept, refused]) {
    const bytes = Buffer.from(`${title}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`);
    const { id } = await addDocument(ctx, novice, { title, category_id, bytes, ext: '.txt' });
    await waitForStatus(site, id, 6);
  }
  const talked = await author.addDocument(`${name}讨论的讲义`);
  await waitForStatus(site, talked, 2);
  const comment = `${name}来看看我的小店`;
  await post('/comment', watched.headers, { document_id: talked, content: comment });
  await post('/report', watched.headers, { document_id: talked, reason: 1, content: name });

  const reviewer = await newMember(ctx, [await roleIdOf(ctx, '内容审核员')]);
  const page = await visitAs(reviewer.headers, '/admin/config', device);
  // What is not for reviewers leads back to the panel, which names what waits.
  await page.waitForURL('**/admin/dashboard');
  await page.getByText('待审核的文档').click();
  await rowOf(page, kept).getByRole('checkbox').check();
  await page.getByRole('button', { name: '批量审批' }).click();
  await page.getByRole('menuitem', { name: '审核通过' }).click();
  await confirm(page);
  await rowOf(page, kept).waitFor({ state: 'detached' });
  await refuse(page, refused, '不是自己的文章');
  await page.goto('/admin/comment?status=0');
  await refuse(page, comment, '广告');

  await page.goto('/admin/report?status=false');
  await rowOf(page, `${name}讨论的讲义`).getByRole('checkbox').check();
  await page.getByRole('button', { name: '批量处理' }).click();
  await page.getByLabel('答复').fill('没有发现问题');
  await confirm(page);
  await page.getByText('没有举报').waitFor();

  const everybody = await visit(`/user/${novice.id}/document`, device);
  await everybody.getByRole('link', { name: kept }).first().waitFor();
  expect(await everybody.getByText(refused).count()).toBe(0);
  const told = await visitAs(novice.headers, `/user/${novice.id}/document`, device);
  await told.getByText('原因：不是自己的文章').first().waitFor();
  await told.goto(`/document/${talked}`);
  await told.getByRole('heading', { name: `${name}讨论的讲义` }).waitFor();
  expect(await told.getByText(comment).count()).toBe(0);
});

test('no page of the reviewer threw an error', () => {
  expect(errors).toEqual([]);
});
