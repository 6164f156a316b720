import { formatSize } from '#platform/contract/file-size.ts';
import { decodeDataUrlImage } from '../../web-page/read-web-page-file.ts';
import { removeHiddenHtml } from '../../web-page/remove-hidden-html.ts';
import { findImageSources, rewriteLink } from '../book-paths.ts';
import { escapeHtml, type FlowOutput, type FlowWriter } from '../flow-writer.ts';
import { splitHtmlIntoBlocks } from '../html-blocks.ts';
import { createImageStore } from '../image-store.ts';
import { addLine } from '../plain-text.ts';

export type MailPart = { name: string; size: number; contentId: string; bytes: Buffer | null };
type MailDocument = {
  subject: string;
  from: string;
  to: string;
  cc: string;
  date: Date | null;
  /** Empty for a mail in plain text. */
  html: string;
  text: string;
  parts: MailPart[];
};

export const MAX_MAIL_BYTES = 64 * 1024 * 1024;
const MAX_LISTED_PARTS = 500;
const BODY = 'body';

/** Writes the head of a mail as a table, its body, and the names of its attachments, which are not opened. */
export async function writeMail(mail: MailDocument, writer: FlowWriter, { folder, emit }: FlowOutput) {
  const { subject, html, parts } = mail;
  addHead(writer, mail);
  const images = createImageStore(folder, emit);
  const shownParts = new Set<MailPart>();
  const visibleHtml = html && removeHiddenHtml(html);
  for (const source of findImageSources(visibleHtml)) {
    const part = parts.find(({ contentId }) => contentId && source.toLowerCase() === `cid:${contentId.toLowerCase()}`);
    await images.add(source, part?.bytes ?? decodeDataUrlImage(source));
    if (part && images.nameOf(source)) shownParts.add(part);
  }
  const rewrite = {
    link: (href: string) => rewriteLink(BODY, href),
    picture: (source: string) => images.nameOf(source),
  };
  for (const block of splitHtmlIntoBlocks(visibleHtml, rewrite)) writer.add(block, BODY);
  if (!visibleHtml) for (const line of mail.text.split(/\r\n|[\n\r]/)) addLine(writer, line);
  addAttachmentList(
    writer,
    parts.filter((part) => !shownParts.has(part)),
  );
  return { title: subject, author: mail.from.replace(/\s*<[^<>]*>$/, '') };
}

function addHead(writer: FlowWriter, { subject, from, to, cc, date }: MailDocument): void {
  const rows = [
    ['发件人', from],
    ['收件人', to],
    ['抄送', cc],
    ['时间', date ? formatBeijingTime(date) : ''],
    ['主题', subject],
  ].filter(([, value]) => value);
  const cells = rows.map(([name = '', value = '']) => `<tr><th>${name}</th><td>${escapeHtml(value)}</td></tr>`);
  const text = rows.map((row) => row.join(' ')).join(' ');
  if (rows.length > 0) writer.add({ html: `<table><tbody>${cells.join('')}</tbody></table>`, text });
}

function addAttachmentList(writer: FlowWriter, parts: MailPart[]): void {
  if (parts.length === 0) return;
  const items = parts
    .slice(0, MAX_LISTED_PARTS)
    .map(({ name, size }) => `${name || '未命名'}${size > 0 ? `（${formatSize(size)}）` : ''}`);
  const title = `附件（${parts.length} 个，请下载原文件查看）`;
  writer.add({ html: `<h2>${title}</h2>`, text: title });
  writer.add({
    html: `<ul>${items.map((item) => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`,
    text: items.join(' '),
  });
}

const beijingTime = new Intl.DateTimeFormat('zh-CN', {
  timeZone: 'Asia/Shanghai',
  dateStyle: 'long',
  timeStyle: 'short',
});

const formatBeijingTime = (date: Date) => `${beijingTime.format(date)}（北京时间）`;

/** Null for a missing or invalid date. */
export function parseDate(text: string | undefined): Date | null {
  const date = new Date(text ?? '');
  return Number.isNaN(date.getTime()) ? null : date;
}

export const formatAddress = (name: string, address: string): string => {
  if (!name || name === address) return address;
  return address ? `${name} <${address}>` : name;
};
