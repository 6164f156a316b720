import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDocument, newUploader } from '#modules/document/document.fixture.ts';
import { newMember, newRole, roleIdOf } from '#modules/role/role.fixture.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, errors, address } = site;
await setSetting(ctx, 'security.enable_captcha_comment', 'false');
await setSetting(ctx, 'security.comment_interval', '0');
const author = await newAuthor(site);
const uploader = await newUploader(ctx, { enable_document_review: true });
const moderatedMember = await newMember(ctx, [await newRole(ctx, [], { enable_comment_approval: true })]);

const post = async (path: string, headers: Record<string, string>, body: object) => {
  const response = await fetch(`${address}/api/v1${path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  expect([path, response.status]).toEqual([path, 200]);
};
const rowOf = (page: Page, text: string) => page.getByRole('row', { name: new RegExp(text) });
const confirm = (page: Page) =>
  page
    .getByRole('dialog')
    .getByRole('button', { name: /确\s*定/ })
    .click();
const reject = async (page: Page, text: string, reason: string) => {
  await rowOf(page, text).getByRole('checkbox').check();
  await page.getByRole('button', { name: '批量审批' }).click();
  await page.getByRole('menuitem', { name: '审核拒绝' }).click();
  await page.getByLabel('原因').fill(reason);
  await confirm(page);
  await rowOf(page, text).waitFor({ state: 'detached' });
};

test.each([
  ['desktop', desktop, '桌前'],
  ['a phone', phone, '手机'],
])(
  'on %s a reviewer approves and rejects documents, rejects comments, answers reports and cannot open the settings',
  async (_, device, name) => {
    const { category_id } = author;
    const [approvedTitle, rejectedTitle] = [`${name}待审的讲义`, `${name}抄来的讲义`];
    for (const title of [approvedTitle, rejectedTitle]) {
      const bytes = Buffer.from(`${title}\n\n${'书中有正文，正文分段落。\n'.repeat(40)}`);
      const { id } = await addDocument(ctx, uploader, { title, category_id, bytes, ext: '.txt' });
      await waitForStatus(site, id, 6);
    }
    const discussedId = await author.addDocument(`${name}讨论的讲义`);
    await waitForStatus(site, discussedId, 2);
    const comment = `${name}来看看我的小店`;
    await post('/comment', moderatedMember.headers, { document_id: discussedId, content: comment });
    await post('/report', moderatedMember.headers, { document_id: discussedId, reason: 1, content: name });

    const reviewer = await newMember(ctx, [await roleIdOf(ctx, '内容审核员')]);
    const page = await visitAs(reviewer.headers, '/admin/config', device);
    // A page without permission redirects to the dashboard, which lists pending reviews.
    await page.waitForURL('**/admin/dashboard');
    await page.getByText('待审核的文档').click();
    await rowOf(page, approvedTitle).getByRole('checkbox').check();
    await page.getByRole('button', { name: '批量审批' }).click();
    await page.getByRole('menuitem', { name: '审核通过' }).click();
    await confirm(page);
    await rowOf(page, approvedTitle).waitFor({ state: 'detached' });
    await reject(page, rejectedTitle, '不是自己的文章');
    await page.goto('/admin/comment?status=0');
    await reject(page, comment, '广告');

    await page.goto('/admin/report?status=false');
    await rowOf(page, `${name}讨论的讲义`).getByRole('checkbox').check();
    await page.getByRole('button', { name: '批量处理' }).click();
    await page.getByLabel('答复').fill('没有发现问题');
    await confirm(page);
    await page.getByText('没有举报').waitFor();

    const visitorPage = await visit(`/user/${uploader.id}/document`, device);
    await visitorPage.getByRole('link', { name: approvedTitle }).first().waitFor();
    expect(await visitorPage.getByText(rejectedTitle).count()).toBe(0);
    const uploaderPage = await visitAs(uploader.headers, `/user/${uploader.id}/document`, device);
    await uploaderPage.getByText('原因：不是自己的文章').first().waitFor();
    await uploaderPage.goto(`/document/${discussedId}`);
    await uploaderPage.getByRole('heading', { name: `${name}讨论的讲义` }).waitFor();
    expect(await uploaderPage.getByText(comment).count()).toBe(0);
  },
);

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
