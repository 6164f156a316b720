import { expect, it } from 'vitest';
import { htmlToText } from './html-to-text.ts';

it.each([
  ['网站正在维护，请稍后再来。', '网站正在维护，请稍后再来。'],
  ['第一行\n第二行', '第一行\n第二行'],
  ['<p>第一段</p><p>第二段<br>下一行</p>', '第一段\n第二段\n下一行'],
  ['<b onclick="x()">今晚</b> 1 < 2 &amp; 3<script>alert(1)</script>', '今晚 1 < 2 & 3'],
  ['<img src=x onerror=alert(1)>', ''],
])('htmlToText converts %j to %j', (html, text) => {
  expect(htmlToText(html)).toBe(text);
});
