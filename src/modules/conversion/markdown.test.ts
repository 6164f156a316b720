import { expect, test } from 'vitest';
import { processCpuMs } from '#testing/processor-time.ts';
import { convertToFlowOutput, PIXEL_BASE64 } from './flow-output.fixture.ts';

const convert = (text: string | Buffer) => convertToFlowOutput('markdown', text);

test('a Markdown text shows headings, lists, tables, code and quotes, and lists its headings', async () => {
  const { html, meta } = await convert(
    '# 手册\n\n正文 **重点** ~~删去~~ `代码`\n\n## 安装\n\n- 一\n- 二\n\n> 引用\n\n```sh\nnpm start\n```\n\n| 名 | 值 |\n|---|--:|\n| 甲 | 1 |\n\n### 步骤\n',
  );
  expect(html).toContain('<h1>手册</h1>');
  expect(html).toContain('<strong>重点</strong> <s>删去</s> <code>代码</code>');
  expect(html).toMatch(/<ul>\s*<li>一<\/li>/);
  expect(html).toMatch(/<pre><code>npm start\n<\/code><\/pre>/);
  expect(html).toMatch(/<th>名<\/th>\s*<th>值<\/th>/);
  expect(meta).toMatchObject({
    title: '手册',
    outline: [
      { depth: 0, title: '手册', page: 1 },
      { depth: 1, title: '安装', page: 1 },
      { depth: 2, title: '步骤', page: 1 },
    ],
  });
});

test('the tasks of a Markdown list show their state', async () => {
  const { text } = await convert('- [ ] 未做\n- [x] 已做\n- [链接](https://example.com)\n');
  expect(text).toBe('☐ 未做 ☑ 已做 链接');
});

test('a link to a heading of a Markdown text leads to its section', async () => {
  const paragraphs = Array.from({ length: 40 }, () => `${'长'.repeat(200)}\n`).join('\n');
  const { html } = await convert(`[去安装](#安装-步骤)\n\n${paragraphs}\n## 安装 步骤\n\n完\n`);
  expect(html).toMatch(/<a href="#p=\d+" data-at="0\.\d{3}">去安装<\/a>/);
});

test('an image of a Markdown text is shown only when the text contains it', async () => {
  const { html, images, text } = await convert(
    `![内嵌](data:image/png;base64,${PIXEL_BASE64}) ![外部](https://example.com/a.png) ![本地](file:///etc/passwd)`,
  );
  expect(images).toHaveLength(1);
  expect(html).toContain(`<img src="${images[0]}" alt="内嵌">`);
  expect(html).not.toMatch(/example\.com|passwd/);
  expect(text).toBe('外部 本地');
});

test('the front matter of a Markdown text is left out and gives the title when there is no heading', async () => {
  const { text, meta } = await convert('---\ntitle: "随笔"\ntags:\n- 甲\n---\n\n正文\n');
  expect({ text, title: meta.title }).toEqual({ text: '正文', title: '随笔' });
  expect((await convert('---\n\n正文\n\n---\n')).text).toMatch(/^正文\s*$/);
});

test('HTML in a Markdown text passes the filters of web pages', async () => {
  const { html, text } = await convert(
    '<!-- 密 -->前<br>后 <script>alert(1)</script><b onclick="x()">粗</b>\n\n<div style="display:none">密</div>\n\n<style>p{color:red}</style>\n\n[按](javascript:alert(2)) <iframe src="https://example.com"></iframe>\n\n`<b>`\n',
  );
  expect(html).not.toMatch(/script|onclick|style|iframe|example|密/);
  expect(text).toContain('按');
  expect(html).toContain('前<br>后 <b>粗</b>');
  expect(text).toContain('<b>');
});

test('a Markdown text in GBK is decoded', async () => {
  const gbk = Buffer.from([0x23, 0x20, 0xd6, 0xd0, 0xce, 0xc4, 0xb1, 0xea, 0xcc, 0xe2, 0x0a]);
  expect((await convert(gbk)).meta.title).toBe('中文标题');
});

test.each([
  ['without text', '---\ntitle: 空\n---\n', 'empty'],
  ['with binary data', Buffer.from([0, 1, 2, 3, 0, 0xff, 0xfe, 0]), 'damaged'],
])('a Markdown file %s is rejected with that reason', async (_, content, reason) => {
  await expect(convert(content)).rejects.toMatchObject({ reason });
});

test('a Markdown text of more than 1 MB is shown as plain text', async () => {
  const { html } = await convert(`# 标题\n${'很长的一行。\n'.repeat(70_000)}`);
  expect(html).toContain('<p># 标题</p>');
});

test.each([
  ['quotes', '>'.repeat(200_000)],
  ['emphasis', '*a_ '.repeat(50_000)],
  ['brackets', '['.repeat(50_000)],
  ['lists', '- '.repeat(20_000)],
])(
  'a Markdown text with thousands of nested %s is read or rejected in less than ten seconds of processor time',
  async (_, text) => {
    const startedAt = processCpuMs();
    await convert(text).catch((error: { reason?: string }) => expect(error.reason).toMatch(/nested|empty/));
    expect(processCpuMs() - startedAt).toBeLessThan(10_000);
  },
);

test('a Markdown text with many indented lines and no end of its settings is converted', async () => {
  const lines = '    一行说明\n  \n'.repeat(40);
  const { text } = await convert(`---\ntitle: 手册\n${lines}"标签": 甲\n---\n\n正文\n`);
  expect(text).toContain('正文');
});
