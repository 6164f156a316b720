import { detectEncoding } from './text-encoding.ts';

const HEAD_CHARACTERS = 32 * 1024;
const FIRST_LINE = /^\s*(?:From |[\w-]+:)/;
const MAIL_HEADER = /^(?:From|To|Subject|Date|Received|Return-Path|Message-ID):/im;

/** Whether a text begins with the headers of a mail. */
export function isMail(head: Buffer): boolean {
  const hasByteOrderMark = head[0] === 0xef && head[1] === 0xbb;
  const text = head.toString('latin1', hasByteOrderMark ? 3 : 0, HEAD_CHARACTERS);
  const [headers = ''] = text.split(/\r?\n\r?\n/, 1);
  return FIRST_LINE.test(text) && MAIL_HEADER.test(headers) && detectEncoding(head) !== null;
}
