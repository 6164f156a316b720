import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FieldsData } from '@kenjiuno/msgreader';
import { decodeMarkup } from '../../../detect/markup-encoding.ts';
import { RejectedFileError } from '../../rejection-reasons.ts';
import type { FlowOutput, FlowWriter } from '../flow-writer.ts';
import { formatAddress, MAX_MAIL_BYTES, type MailPart, parseDate, writeMail } from './write-mail.ts';

/** A CommonJS package whose default export Node and Vite would name differently. */
const { default: MsgReader }: typeof import('@kenjiuno/msgreader') = createRequire(import.meta.url)(
  '@kenjiuno/msgreader',
);

/** Reads a mail that Outlook has saved. */
export async function readMsg(file: string, writer: FlowWriter, output: FlowOutput) {
  if (statSync(file).size > MAX_MAIL_BYTES) throw new RejectedFileError('tooLarge');
  const { fields, parts } = parseMsg(readFileSync(file));
  const recipients = fields.recipients ?? [];
  const listRecipients = (type: 'to' | 'cc') =>
    recipients
      .filter(({ recipType }) => recipType === type)
      .map(({ name, smtpAddress, email }) => formatAddress(name ?? '', smtpAddress ?? internetAddress(email)))
      .join('、');
  return writeMail(
    {
      subject: fields.subject ?? '',
      from: formatAddress(fields.senderName ?? '', fields.senderSmtpAddress ?? internetAddress(fields.senderEmail)),
      to: listRecipients('to'),
      cc: listRecipients('cc'),
      date: parseDate(fields.messageDeliveryTime ?? fields.clientSubmitTime ?? fields.creationTime),
      html: fields.bodyHtml ?? (fields.html ? decodeMarkup(Buffer.from(fields.html)) : ''),
      text: fields.body ?? '',
      parts,
    },
    writer,
    output,
  );
}

/** Exchange has addresses of its own, which say nothing outside of an organization. */
const internetAddress = (address = ''): string => (address.includes('@') ? address : '');

/** The library reads within the bytes of the file and throws various errors for damaged ones. */
function parseMsg(bytes: Buffer): { fields: FieldsData; parts: MailPart[] } {
  try {
    const reader = new MsgReader(new DataView(bytes.buffer, bytes.byteOffset, bytes.length));
    const fields = reader.getFileData();
    if (fields.error) throw new RejectedFileError('damaged', fields.error);
    return { fields, parts: (fields.attachments ?? []).map((attachment) => readPart(reader, attachment)) };
  } catch (error) {
    throw error instanceof RejectedFileError ? error : new RejectedFileError('damaged', String(error));
  }
}

function readPart(reader: InstanceType<typeof MsgReader>, attachment: FieldsData): MailPart {
  const { fileName, fileNameShort, name, pidContentId = '', contentLength = 0, innerMsgContent } = attachment;
  if (innerMsgContent) return { name: `${name ?? '邮件'}.msg`, size: 0, contentId: '', bytes: null };
  const bytes = pidContentId ? Buffer.from(reader.getAttachment(attachment).content) : null;
  return { name: fileName ?? fileNameShort ?? name ?? '', size: contentLength, contentId: pidContentId, bytes };
}
