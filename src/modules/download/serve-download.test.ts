import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { pdfOf } from '#modules/document/document.fixture.ts';
import { documents } from '#modules/document/document.table.ts';
import { attachmentHeader, fileName } from '#modules/document/file-name.ts';
import { setSetting } from '#modules/settings/settings.ts';
import { testApp } from '#testing/test-app.ts';
import { documentAt, readerWith } from './download.fixture.ts';

const { app, ctx, clock } = await testApp();
for (const name of ['times_every_day', 'times_every_ip']) await setSetting(ctx, `download.${name}`, '1000');

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({ method, url, headers });
async function linkTo(id: number): Promise<string> {
  const { headers } = await readerWith(ctx);
  return (await get(`/api/v1/document/download?id=${id}`, headers)).json().url;
}
const bytes = pdfOf('正文');

describe('the link of a download', () => {
  test('gives the original to keep, under its Chinese name, to whoever has it', async () => {
    const { id } = await documentAt(ctx, 0, { title: '线性代数（上）习题', bytes });
    const answer = await get(await linkTo(id));
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.equals(bytes)).toBe(true);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="document-${id}.pdf"; filename*=UTF-8''${encodeURIComponent('线性代数（上）习题.pdf')}`,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-store',
      'accept-ranges': 'bytes',
    });
  });

  test('serves any part of it, so that a broken download goes on', async () => {
    const { id } = await documentAt(ctx, 0, { bytes });
    const link = await linkTo(id);
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

  test('is good for as long as the site says, and for this file only', async () => {
    await setSetting(ctx, 'download.url_duration', '60');
    const [{ id }, other] = [await documentAt(ctx, 0), await documentAt(ctx, 9)];
    const link = await linkTo(id);
    const said = async (url: string) => {
      const { statusCode, json } = await get(url);
      return [statusCode, json().message];
    };
    const expired = [403, '下载链接已失效'];
    expect(await said(link.replace(`/${id}?`, `/${other.id}?`))).toEqual(expired);
    expect(await said(link.replace(/e=\d+/, 'e=99999999999'))).toEqual(expired);
    expect(await said(`${link.slice(0, -1)}${link.endsWith('A') ? 'B' : 'A'}`)).toEqual(expired);
    expect(await said(`/download/${id}`)).toEqual(expired);
    expect(await said('/download/123456789?e=99999999999&s=x')).toEqual(expired);
    const now = clock.now;
    clock.now = new Date(now.getTime() + 59_000);
    expect((await get(link)).statusCode).toBe(200);
    clock.now = new Date(now.getTime() + 60_000);
    expect(await said(link)).toEqual(expired);
    clock.now = now;
    await ctx.db.update(documents).set({ deleted_at: now.toISOString() }).where(eq(documents.id, id));
    expect(await said(link)).toEqual(expired);
  });
});

describe('the name of a saved file', () => {
  test.each([
    ['报告', '.pdf', '报告.pdf'],
    ['报告.PDF', '.pdf', '报告.pdf'],
    ['a/b\\c:"d"<e>|f?*', '.docx', 'a_b_c_d_e_f_.docx'],
    ['../../etc/passwd', '.txt', '_.._etc_passwd.txt'],
    ['...', '.txt', '文档.txt'],
    ['长'.repeat(255), '.epub', `${'长'.repeat(66)}.epub`],
  ])('%s', (title, ext, expected) => {
    expect(fileName(title, ext)).toBe(expected);
  });

  test('is written so that no letter of it ends the header', () => {
    expect(attachmentHeader(`O'Neil (2) 100%*!.pdf`, 7)).toBe(
      `attachment; filename="O'Neil (2) 100_*!.pdf"; filename*=UTF-8''O%27Neil%20%282%29%20100%25%2A%21.pdf`,
    );
    expect(attachmentHeader('年度报告 2026.docx', 7)).toContain('filename="_ 2026.docx"');
  });
});
