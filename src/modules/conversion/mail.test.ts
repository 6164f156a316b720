import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectRoot } from '#platform/server/config.ts';
import { processCpuMs } from '#testing/processor-time.ts';
import { convertToFlowOutput, PIXEL_BASE64 } from './flow-output.fixture.ts';

const samples = path.join(projectRoot, '../shared/samples');
const convert = (text: string | Buffer) => convertToFlowOutput('eml', text);

const HEAD =
  'From: =?UTF-8?B?546L57u0?= <wang@example.com>\r\nTo: a@example.com, "Li" <li@example.com>\r\nCc: team@example.com\r\nBcc: secret@example.com\r\nDate: Wed, 21 Nov 2012 21:11:32 +0100\r\nSubject: =?UTF-8?B?5Lya6K6u?=\r\nMIME-Version: 1.0\r\n';

/** A mail with an HTML body, an image of the body, and an attachment. */
const htmlMail = (html: string) =>
  `${HEAD}Content-Type: multipart/mixed; boundary="m"\r\n\r\n--m\r\nContent-Type: multipart/related; boundary="r"\r\n\r\n--r\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}\r\n--r\r\nContent-Type: image/png\r\nContent-ID: <logo@x>\r\nContent-Disposition: inline; filename="logo.png"\r\nContent-Transfer-Encoding: base64\r\n\r\n${PIXEL_BASE64}\r\n--r--\r\n--m\r\nContent-Type: application/pdf; name="a.pdf"\r\nContent-Disposition: attachment; filename*=UTF-8''%E6%8A%A5%E5%91%8A.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.alloc(2048).toString('base64')}\r\n--m--\r\n`;

test('a mail shows its head, body, images and the names of its attachments', async () => {
  const { html, text, meta, images } = await convert(htmlMail('<p>各位好</p><img src="cid:logo@x" alt="标志">'));
  expect(html).toContain('<tr><th>发件人</th><td>王维 &lt;wang@example.com&gt;</td></tr>');
  expect(html).toContain('<td>a@example.com、Li &lt;li@example.com&gt;</td>');
  expect(html).toContain('<tr><th>抄送</th><td>team@example.com</td></tr>');
  expect(html).toContain('<tr><th>时间</th><td>2012年11月22日 04:11（北京时间）</td></tr>');
  expect(html).toContain(`<img src="${images[0]}" alt="标志">`);
  expect(html).toContain('<li>报告.pdf（2.00 KB）</li>');
  expect(text).not.toMatch(/secret|logo\.png/);
  expect(meta).toMatchObject({ title: '会议', author: '王维' });
});

test('a malicious mail shows neither scripts nor hidden text and refers to nothing outside of it', async () => {
  const { html, images } = await convert(
    htmlMail(
      '<style>.x{display:none}</style><p class="x">密</p><script>alert(1)</script><p onclick="a()">文</p><img src="https://example.com/track.gif"><img src="cid:other"><a href="javascript:alert(2)">按</a><iframe src="https://example.com"></iframe><form action="https://example.com"><input name="p"></form>',
    ),
  );
  expect(html).not.toMatch(/script|onclick|密|example\.com\/track|iframe|form|<img/);
  // The image that the body does not show is an attachment.
  expect(html).toContain('<li>logo.png（');
  expect(images).toEqual([]);
});

test('a mail in plain text and in GBK shows its lines', async () => {
  const body = Buffer.from([0xc4, 0xfa, 0xba, 0xc3, 0x0d, 0x0a, 0x3c, 0x62, 0x3e]);
  const head = `${HEAD}Content-Type: text/plain; charset=gb2312\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`;
  const { html } = await convert(Buffer.concat([Buffer.from(head), body]));
  expect(html).toContain('<p>您好</p><p>&lt;b&gt;</p>');
});

test('a mail in a mail is an attachment that is not opened', async () => {
  const inner = 'From: x@example.com\r\nSubject: inner\r\n\r\ninner body';
  const { text } = await convert(
    `${HEAD}Content-Type: multipart/mixed; boundary="m"\r\n\r\n--m\r\nContent-Type: text/plain\r\n\r\nouter\r\n--m\r\nContent-Type: message/rfc822\r\n\r\n${inner}\r\n--m--\r\n`,
  );
  expect(text).toContain('outer');
  expect(text).toMatch(/附件（1 个，请下载原文件查看） ?\n?.*\.eml（/s);
  expect(text).not.toContain('inner body');
});

test('a mail with thousands of nested parts is read or rejected in less than ten seconds of processor time', async () => {
  const parts = Array.from(
    { length: 5_000 },
    (_, at) => `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`,
  );
  const startedAt = processCpuMs();
  await convert(`${HEAD}${parts.join('')}`).catch((error: { reason?: string }) => expect(error.reason).toBe('damaged'));
  expect(processCpuMs() - startedAt).toBeLessThan(10_000);
});

test('a damaged mail of Outlook is rejected with that reason', async () => {
  await expect(convertToFlowOutput('msg', Buffer.alloc(2048, 1))).rejects.toMatchObject({ reason: 'damaged' });
});

/** Skipped where the folder of samples beside the checkout is missing. */
describe.runIf(existsSync(samples))('the mail of the samples', () => {
  test.each([
    ['eml/testRFC822_multipart_attachments.eml', 'EML 1', /html body of the main msg.*Test TxtA\.txt（33\.00 B）/s],
    ['eml/testThunderbirdEml.eml', 'JUnit test message', /Dear Vladimir/],
  ])('%s is read', async (name, title, words) => {
    const { meta, text } = await convert(await readFile(path.join(samples, name)));
    expect(meta.title).toBe(title);
    expect(text).toMatch(words);
  });

  test('of Outlook (.msg) is read, and a truncated one is rejected as damaged', async () => {
    const bytes = await readFile(path.join(samples, 'msg/test-outlook.msg'));
    const { meta, html } = await convertToFlowOutput('msg', bytes);
    expect(html).toContain('<th>发件人</th>');
    expect(meta.title).not.toBe('');
    await expect(convertToFlowOutput('msg', bytes.subarray(0, 3_000))).rejects.toMatchObject({ reason: 'damaged' });
  });
});
