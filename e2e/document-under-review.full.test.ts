import type { BrowserContextOptions } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitForRendition } from '#modules/conversion/conversion.fixture.ts';
import { addDocument, newUploader } from '#modules/document/document.fixture.ts';
import { makeTextInLines } from '#modules/near-copy/near-copy.fixture.ts';
import { newMember, roleIdOf } from '#modules/role/role.fixture.ts';
import { saveScreenshot } from './support/screenshot.ts';
import { desktop, phone, startTestSite } from './support/site.ts';
import { newAuthor, waitForStatus } from './test-documents.ts';

const site = await startTestSite();
const { visit, visitAs, ctx, errors } = site;
const author = await newAuthor(site);
const uploader = await newUploader(ctx, { enable_document_review: true });
const reviewer = await newMember(ctx, [await roleIdOf(ctx, '内容审核员')]);

const themes: [string, BrowserContextOptions][] = [
  ['1280-light', desktop],
  ['1280-dark', { ...desktop, colorScheme: 'dark' }],
  ['390-light', phone],
  ['390-dark', { ...phone, colorScheme: 'dark' }],
];

test.each(themes)(
  'at %s a reviewer compares a document under review with the document that it copies, and its owner reads it',
  async (name, device) => {
    const [originalTitle, copyTitle] = [`${name} 的原书`, `${name} 的抄本`];
    const seed = themes.findIndex(([each]) => each === name) + 1;
    const fields = { category_id: author.category_id, ext: '.txt' };
    const original = await addDocument(ctx, author, {
      ...fields,
      title: originalTitle,
      bytes: makeTextInLines(seed, 40),
    });
    await waitForStatus(site, original.id, 2);
    const copy = await addDocument(ctx, uploader, { ...fields, title: copyTitle, bytes: makeTextInLines(seed, 29) });
    await waitForRendition(ctx, copy.rendition_id ?? 0);

    const page = await visitAs(reviewer.headers, '/admin/document/list?status=6', device);
    const row = page.getByRole('row', { name: new RegExp(copyTitle) });
    const nearCopy = row.getByRole('button', { name: `几乎相同 100%：${originalTitle}` });
    await nearCopy.waitFor();
    await saveScreenshot(page, `review-list-${name}`);
    await nearCopy.click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('link', { name: originalTitle }).waitFor();
    const firstLine = makeTextInLines(seed, 29).toString().slice(0, 10);
    await expect.poll(() => dialog.getByText(firstLine).count()).toBe(2);
    await saveScreenshot(page, `review-comparison-${name}`);

    const ownerPage = await visitAs(uploader.headers, `/document/${copy.id}`, device);
    await ownerPage.getByText('文档正在等待审核，通过后大家就能看到').waitFor();
    await ownerPage.getByText(firstLine).first().waitFor();
    await ownerPage.getByRole('region', { name: '相近的文档' }).getByRole('link', { name: originalTitle }).waitFor();
    await saveScreenshot(ownerPage, `review-owner-${name}`);

    const visitorPage = await visit(`/document/${copy.id}`, device);
    await visitorPage.getByText('文档不存在').first().waitFor();
    expect(await visitorPage.getByText(copyTitle).count()).toBe(0);
  },
);

test('no page visited in this file threw an uncaught error', () => {
  expect(errors).toEqual([]);
});
