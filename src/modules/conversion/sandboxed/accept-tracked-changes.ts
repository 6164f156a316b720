import { writeFileSync } from 'node:fs';
import { writeZip } from '#platform/server/storage/zip-writer.ts';
import { openZip } from './flow/zip-reader.ts';

const MAX_PART_BYTES = 200 * 1024 * 1024;
const CHANGES_START_TAG = '<text:tracked-changes';
const CHANGES_END_TAG = '</text:tracked-changes>';
/** Marks of deletions, and of the start and end of insertions. */
const CHANGE_MARKS = /<text:change(?:-start|-end)?\s[^>]*\/>/g;

/**
 * Writes an OpenDocument text from LibreOffice with all tracked changes accepted. Deleted text is stored in a separate
 * list and inserted text in place, so only the list and the marks must be removed.
 */
export async function acceptTrackedChanges({ file, folder }: { file: string; folder: string }) {
  const zip = await openZip(file);
  try {
    const members = [];
    for (const name of zip.names) {
      const body = (await zip.read(name, MAX_PART_BYTES)) ?? Buffer.alloc(0);
      const isText = name === 'content.xml' || name === 'styles.xml';
      members.push({
        name,
        body: isText ? removeChangeMarkup(body.toString('utf8')) : body,
        isStored: name === 'mimetype',
      });
    }
    writeFileSync(`${folder}/final.odt`, writeZip(members));
  } finally {
    zip.close();
  }
}

function removeChangeMarkup(xml: string): string {
  let remainingXml = '';
  let from = 0;
  for (;;) {
    const start = xml.indexOf(CHANGES_START_TAG, from);
    const end = start < 0 ? -1 : xml.indexOf(CHANGES_END_TAG, start);
    if (end < 0) break;
    remainingXml += xml.slice(from, start);
    from = end + CHANGES_END_TAG.length;
  }
  return (remainingXml + xml.slice(from)).replace(CHANGE_MARKS, '');
}
