import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { users } from '#modules/account/account.table.ts';
import { pdfOf } from '#modules/document/document.fixture.ts';
import { type DocumentRow, documents } from '#modules/document/document.table.ts';
import { buildDownloadFileName, contentDispositionHeader } from '#modules/document/download-file-name.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { addPricedDocument, newReaderWithCredit } from './download-document.fixture.ts';

const { app, ctx, clock } = await testApp();
for (const name of ['times_every_day', 'times_every_ip']) await setSetting(ctx, `download.${name}`, '1000');

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });
async function createLink(id: number): Promise<string> {
  const { headers } = await newReaderWithCredit(ctx);
  return (await get(`/api/v1/document/download?id=${id}`, headers)).json().url;
}
const bytes = pdfOf('正文');

describe('a download link', () => {
  test('serves the original file as an attachment with its Chinese name without a login', async () => {
    const { id } = await addPricedDocument(ctx, 0, { title: '线性代数（上）习题', bytes });
    const response = await get(await createLink(id));
    expect(response.statusCode).toBe(200);
    expect(response.rawPayload.equals(bytes)).toBe(true);
    expect(response.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="document-${id}.pdf"; filename*=UTF-8''${encodeURIComponent('线性代数（上）习题.pdf')}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    });
  });

  test('serves byte ranges, so that an interrupted download can be resumed', async () => {
    const { id } = await addPricedDocument(ctx, 0, { bytes });
    const link = await createLink(id);
    const part = await get(link, { range: 'bytes=5-9' });
    expect([part.statusCode, part.headers['content-range']]).toEqual([206, `bytes 5-9/${bytes.length}`]);
    expect(part.rawPayload.equals(bytes.subarray(5, 10))).toBe(true);
    const rest = await get(link, { range: 'bytes=-4', 'if-range': String(part.headers.etag) });
    expect(rest.rawPayload.equals(bytes.subarray(-4))).toBe(true);
    expect((await get(link, { range: 'bytes=5-9', 'if-range': '"another"' })).statusCode).toBe(200);
    expect((await get(link, { range: 'bytes=99999-' })).statusCode).toBe(416);
    const head = await get(link, {}, 'HEAD');
    expect([head.statusCode, Number(head.headers['content-length'])]).toEqual([200, bytes.length]);
    expect(head.rawPayload).toHaveLength(0);
  });

  test('expires after the configured time and is valid for its file only', async () => {
    await setSetting(ctx, 'download.url_duration', '60');
    const [{ id }, otherDocument] = [await addPricedDocument(ctx, 0), await addPricedDocument(ctx, 9)];
    const link = await createLink(id);
    const statusAndMessage = async (url: string) => {
      const { statusCode, json } = await get(url);
      return [statusCode, json().message];
    };
    const expiredResponse = [403, '下载链接已失效'];
    expect(await statusAndMessage(link.replace(`/${id}?`, `/${otherDocument.id}?`))).toEqual(expiredResponse);
    expect(await statusAndMessage(link.replace(/e=\d+/, 'e=99999999999'))).toEqual(expiredResponse);
    expect(await statusAndMessage(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)).toEqual(expiredResponse);
    expect(await statusAndMessage(`/download/${id}`)).toEqual(expiredResponse);
    expect(await statusAndMessage('/download/123456789?e=99999999999&s=x')).toEqual(expiredResponse);
    const now = clock.now;
    clock.now = new Date(now.getTime() + 59_000);
    expect((await get(link)).statusCode).toBe(200);
    clock.now = new Date(now.getTime() + 60_000);
    expect(await statusAndMessage(link)).toEqual(expiredResponse);
    clock.now = now;
    await ctx.db.update(documents).set({ deleted_at: now.toISOString() }).where(eq(documents.id, id));
    expect(await statusAndMessage(link)).toEqual(expiredResponse);
  });
});

describe('a download link after the right to download ended', () => {
  const statusAndMessage = async (url: string) => {
    const response = await get(url);
    return [response.statusCode, response.statusCode === 200 ? '' : response.json().message];
  };
  const refusal = [403, '下载链接已失效'];
  const update = (id: number, values: Partial<DocumentRow>) =>
    ctx.db.update(documents).set(values).where(eq(documents.id, id));
  const linkFor = async (id: number, headers: { authorization?: string }) =>
    (await app.inject({ url: `/api/v1/document/download?id=${id}`, headers })).json().url;

  test.each([
    ['disabled', { review_state: 'disabled' }],
    ['made private', { visibility: 2 }],
    ['deleted', { deleted_at: '2026-01-01T00:00:00Z' }],
  ] as const)('is refused immediately when the document is %s', async (_change, values) => {
    const { id } = await addPricedDocument(ctx, 0);
    const link = await createLink(id);
    expect(await statusAndMessage(link)).toEqual([200, '']);
    await update(id, values);
    expect(await statusAndMessage(link)).toEqual(refusal);
  });

  test('still serves the owner of a document that was disabled and made private', async () => {
    const { id, author } = await addPricedDocument(ctx, 0);
    const link = await linkFor(id, author.headers);
    await update(id, { review_state: 'disabled', visibility: 2 });
    expect(await statusAndMessage(link)).toEqual([200, '']);
  });

  test('is refused for a visitor, and serves a member, when the document becomes members-only', async () => {
    await setSetting(ctx, 'download.enable_guest_download', 'true');
    const { id } = await addPricedDocument(ctx, 0);
    const [visitorLink, memberLink] = [await linkFor(id, {}), await createLink(id)];
    expect(await statusAndMessage(visitorLink)).toEqual([200, '']);
    await update(id, { visibility: 1 });
    expect(await statusAndMessage(visitorLink)).toEqual(refusal);
    expect(await statusAndMessage(memberLink)).toEqual([200, '']);
  });

  test('still serves a member and a visitor after a price was set', async () => {
    await setSetting(ctx, 'download.enable_guest_download', 'true');
    const { id } = await addPricedDocument(ctx, 0);
    const [visitorLink, memberLink] = [await linkFor(id, {}), await createLink(id)];
    await update(id, { price: 9 });
    expect(await statusAndMessage(visitorLink)).toEqual([200, '']);
    expect(await statusAndMessage(memberLink)).toEqual([200, '']);
  });

  test('is refused when the account is banned or the link names another account', async () => {
    const { id, author } = await addPricedDocument(ctx, 0);
    const reader = await newReaderWithCredit(ctx);
    const link = await linkFor(id, reader.headers);
    expect(await statusAndMessage(link.replace(`u=${reader.id}`, `u=${author.id}`))).toEqual(refusal);
    expect(await statusAndMessage(link)).toEqual([200, '']);
    await ctx.db.update(users).set({ is_banned: true }).where(eq(users.id, reader.id));
    expect(await statusAndMessage(link)).toEqual(refusal);
  });
});

describe('the file name of a download', () => {
  test.each([
    ['报告', '.pdf', '报告.pdf'],
    ['报告.PDF', '.pdf', '报告.pdf'],
    ['a/b\\c:"d"<e>|f?*', '.docx', 'a_b_c_d_e_f_.docx'],
    ['../../etc/passwd', '.txt', '_.._etc_passwd.txt'],
    ['...', '.txt', '文档.txt'],
    ['长'.repeat(255), '.epub', `${'长'.repeat(66)}.epub`],
  ])('for the title %s is safe', (title, ext, expected) => {
    expect(buildDownloadFileName(title, ext)).toBe(expected);
  });

  test('is escaped in the Content-Disposition header', () => {
    expect(contentDispositionHeader(`O'Neil (2) 100%*!.pdf`, 7)).toBe(
      `attachment; filename="O'Neil (2) 100_*!.pdf"; filename*=UTF-8''O%27Neil%20%282%29%20100%25%2A%21.pdf`,
    );
    expect(contentDispositionHeader('年度报告 2026.docx', 7)).toContain('filename="_ 2026.docx"');
  });
});
