import { and, eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import type { Context } from '#platform/server/context.ts';
import { createRowLease, renewLease } from '#platform/server/db/row-lease.ts';
import { changeRenditions } from './change-renditions.ts';
import { type FileFormat, fileFormats } from './conversion.contract.ts';
import { renditions } from './rendition.table.ts';

export type Rendition = typeof renditions.$inferSelect;
export type RenditionChange = Omit<
  PgUpdateSetSource<typeof renditions>,
  'hash' | 'format' | 'lease_token' | 'lease_until'
>;

/**
 * Pipeline version of each format; documents of an older version are converted again after an upgrade. Raise the number
 * of a format when existing documents need the changed output.
 * Office documents 2: hidden sheets, rows and columns, and tracked changes, are left out.
 * Workbooks 3: sheets that hold only drawings show their text and a notice.
 * Excel workbooks 4: rows of height 0 and columns of the default width 0 are left out.
 * Excel workbooks 5 (xlsx), 2 (XML of Excel 2003): hidden="true" hides as "1" does.
 * Excel workbooks 6 (xlsx), 5 (xls), 3 (XML of Excel 2003), OpenDocument workbooks 4 (ods), 2 (fods): rows and columns
 * keep their numbers where others are hidden; text formats and Japanese eras are shown as in Excel.
 * Excel workbooks 7 (xlsx), 6 (xls), 4 (XML of Excel 2003), OpenDocument workbooks 5 (ods), 3 (fods): merged cells whose
 * first row or column is hidden are shown, and numbers outside of the calendar in date formats (not OpenDocument).
 * Excel workbooks 8 (xlsx), 7 (xls), 5 (XML of Excel 2003): built-in and named formats are those of a Chinese system.
 * Text documents 3, Works and slides 2: punctuation of Latin text is drawn with Latin fonts.
 * Word documents (docx) 4: table rows and cells that a tracked change has deleted are left out.
 * Web pages 2: text that a style sheet rule hides is left out.
 * Web pages as workbooks 3: rows and columns of size 0 are left out, the others keep their numbers; numbers are shown in
 * the declared format.
 * Web pages as workbooks 4: displayed numbers are not formatted again; captions are rows; visible cells beside hidden
 * ones stay.
 * Flat OPC 2: processing instructions, names that are not ASCII and declared encodings are read.
 * Plain text 2: tabs and leading spaces stay. CHM 2: pages are decoded by their language.
 * Books 2, CHM 3: words of neighbouring cells, items and lines are separate words.
 * PDF 2: the text of pages whose fonts do not map to Unicode is left out.
 * Excel workbooks 9 (xlsx), 8 (xls), 6 (XML of Excel 2003), web pages as workbooks 5: halves of negative numbers are rounded
 * as in Excel.
 * PDF 3 and one more for text documents, Works and slides: rows that end with a hyphen stay in order and keep hyphens that
 * do not divide a word.
 * Text documents, Works and slides, one more: Chinese and Windows fonts are replaced by the nearest installed font.
 * Excel workbooks 10 (xlsx): colours, fonts, borders and alignment of cells.
 * Excel workbooks 11 (xlsx), 9 (xls), 2 (xlsb), 7 (XML of Excel 2003), OpenDocument workbooks 6 (ods), 4 (fods): merged
 * cells and column widths.
 * Excel workbooks 12 (xlsx), CSV and TSV 2: up to 300,000 rows.
 * Excel workbooks 13 (xlsx), 10 (xls), 3 (xlsb), 8 (XML of Excel 2003), OpenDocument workbooks 7 (ods), 5 (fods): links, and
 * styles of xls and OpenDocument workbooks.
 * Excel workbooks 14 (xlsx), 11 (xls), 4 (xlsb), OpenDocument workbooks 8 (ods), 6 (fods): pictures and charts.
 * Excel workbooks 15 (xlsx), 12 (xls), 5 (xlsb), OpenDocument workbooks 9 (ods), 7 (fods): charts without values of hidden
 * rows and columns.
 * OFD 2: restrictions of copying and printing.
 */
const pipelineVersions: Partial<Record<FileFormat, number>> = {
  pdf: 3,
  txt: 2,
  html: 2,
  htmltable: 5,
  flatopc: 2,
  chm: 3,
  epub: 2,
  mobi: 2,
  xls: 12,
  xlsx: 15,
  xlsb: 5,
  csv: 2,
  tsv: 2,
  spreadsheetml: 8,
  ods: 9,
  fods: 7,
  doc: 5,
  docx: 6,
  rtf: 5,
  odt: 5,
  wps: 4,
  ppt: 4,
  pptx: 4,
  odp: 4,
  ofd: 2,
};
export const pipelineVersion = (format: FileFormat): number => pipelineVersions[format] ?? 1;

/** On an overloaded machine a renewal may be late by more than 15 s; see decision 0023. */
const LEASE_SECONDS = 40;

/** Another worker has taken over the lease. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
}

export type Lease = {
  rendition: Rendition;
  /** Throws `LeaseLost` when another worker holds the lease, so that a delayed worker changes nothing. */
  change(change: RenditionChange): Promise<void>;
  /** Writes the last change and releases the lease in one transaction. */
  release(change?: RenditionChange): Promise<void>;
  /** Stops the renewal: an unreleased lease then expires, and another worker continues. */
  stopRenewal(): void;
};

/** Leases a rendition to this worker. `onLost` is called when another worker has taken it over. */
export async function takeLease(ctx: Context, id: number, onLost: () => void): Promise<Lease | null> {
  const lease = createRowLease(renditions, LEASE_SECONDS);
  const [rendition] = await ctx.db
    .update(renditions)
    .set({
      ...lease.takenValues,
      claimed_at: sql`now()`,
      is_urgent: false,
      // A worker that ends normally releases its lease; an expired one was left by a dead process.
      interruptions: sql`${renditions.interruptions}
        + case when ${renditions.lease_until} is null then 0 else 1 end`,
    })
    .where(and(eq(renditions.id, id), lease.isFree))
    .returning();
  if (!rendition) return null;
  const holdsLease = and(eq(renditions.id, id), lease.isHeld);
  const update = async (values: PgUpdateSetSource<typeof renditions>) => {
    const changedIds = await changeRenditions(ctx, holdsLease, values);
    if (changedIds.length === 0) {
      onLost();
      throw new LeaseLost(`rendition ${id} was taken over`);
    }
  };
  const stopRenewal = renewLease(
    () => update(lease.renewedValues),
    (error) => {
      if (!(error instanceof LeaseLost))
        ctx.log.warn({ err: error, rendition: id }, 'could not renew a conversion lease');
    },
  );
  return {
    rendition,
    change: (change) => update(change),
    async release(change = {}) {
      stopRenewal();
      await changeRenditions(ctx, holdsLease, { ...change, ...lease.releasedValues });
    },
    stopRenewal,
  };
}

export async function findRendition(ctx: Context, id: number): Promise<Rendition | null> {
  const [rendition] = await ctx.db.select().from(renditions).where(eq(renditions.id, id));
  return rendition ?? null;
}

/** Documents of a lower version are outdated. */
export const formatVersions = (Object.keys(fileFormats) as FileFormat[]).map((format) => ({
  format,
  version: pipelineVersion(format),
}));
