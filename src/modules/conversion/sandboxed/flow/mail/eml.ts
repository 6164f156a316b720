import { readFileSync, statSync } from 'node:fs';
import PostalMime, { type Address } from 'postal-mime';
import { RejectedFileError } from '../../rejection-reasons.ts';
import type { FlowOutput, FlowWriter } from '../flow-writer.ts';
import { formatAddress, MAX_MAIL_BYTES, parseDate, writeMail } from './write-mail.ts';

const MAX_NESTING = 30;

/** Reads a mail in the format of the internet (RFC 5322). A mail inside of it is an attachment. */
export async function readEml(file: string, writer: FlowWriter, output: FlowOutput) {
  if (statSync(file).size > MAX_MAIL_BYTES) throw new RejectedFileError('tooLarge');
  const mail = await PostalMime.parse(readFileSync(file), {
    forceRfc822Attachments: true,
    maxNestingDepth: MAX_NESTING,
  }).catch((error: unknown) => {
    throw new RejectedFileError('damaged', String(error));
  });
  const parts = mail.attachments.map(({ filename, mimeType, contentId, content }) => {
    const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(new Uint8Array(content).buffer);
    const name = filename || (mimeType === 'message/rfc822' ? '邮件.eml' : '');
    return { name, size: bytes.length, contentId: (contentId ?? '').replace(/^<|>$/g, ''), bytes };
  });
  return writeMail(
    {
      subject: mail.subject ?? '',
      from: formatAddresses(mail.from ? [mail.from] : []),
      to: formatAddresses(mail.to ?? []),
      cc: formatAddresses(mail.cc ?? []),
      date: parseDate(mail.date),
      html: mail.html ?? '',
      text: mail.text ?? '',
      parts,
    },
    writer,
    output,
  );
}

const formatAddresses = (addresses: Address[]): string =>
  addresses
    .flatMap((entry) => (entry.group ? entry.group : [entry]))
    .map(({ name, address }) => formatAddress(name, address ?? ''))
    .filter(Boolean)
    .join('、');
