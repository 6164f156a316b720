import { Readable } from 'node:stream';
import * as z from 'zod/mini';
import {
  csvPathOf,
  type Endpoint,
  type InputOf,
  type OutputOf,
  type ParsedInputOf,
  type ResultOf,
} from '#platform/contract/endpoint.ts';
import type { UserContext } from '#platform/server/context.ts';
import { type CsvColumn, MAX_CSV_ROWS, streamCsv } from '#platform/server/http/csv.ts';
import type { Route } from '#platform/server/http/route.ts';
import { recordAudit } from './audit.ts';

type RowOf<E extends Endpoint> = Extract<OutputOf<E>[keyof OutputOf<E>], readonly unknown[]>[number] & object;

/** The output of `listResponse`; the key of the rows differs between lists. */
type Answer<Row> = { total: number } & Record<string, number | Row[]>;
type Columns<E extends Endpoint> = readonly CsvColumn<RowOf<E>>[];

export type CsvExport<E extends Endpoint> = {
  /** Kind of the rows, for example 用户. */
  name: string;
  /** Permission for the export, because lists are often public with a part of their fields or rows. */
  access: `permission:${string}`;
  columns: Columns<E> | ((ctx: UserContext) => Promise<Columns<E>>);
  /** Input of the list endpoint besides the filters. */
  fixedInput?: Partial<InputOf<E>>;
  /** Limit of the list when it is lower than MAX_CSV_ROWS; the file then says that it is incomplete. */
  maxRows?: (filters: Record<string, unknown>) => number | undefined;
};

/** Not filters: an export reads all pages and has all columns. */
const PAGING_KEYS = ['page', 'size', 'limit', 'field'];

const filterInputSchema = ({ input }: Endpoint): z.ZodMiniObject =>
  z.object(
    Object.fromEntries(Object.entries(input._zod.def.shape).filter(([name]) => !PAGING_KEYS.includes(name))) as Record<
      string,
      z.ZodMiniType
    >,
  );

/** A route that exports a list with its filters and order as a CSV file and records the export in the audit log. */
export function csvExportRoute<E extends Endpoint>(
  list: E,
  handle: (ctx: UserContext, input: ParsedInputOf<E>) => Promise<ResultOf<E>>,
  { name, access, columns, fixedInput, maxRows }: CsvExport<E>,
): Route {
  const endpoint = {
    method: 'GET',
    path: csvPathOf(list),
    access,
    summary: `导出${name}：CSV 文件，筛选和排序与列表相同，最多 ${MAX_CSV_ROWS} 条`,
    input: filterInputSchema(list),
    output: z.custom<Readable>((value) => value instanceof Readable),
    download: { type: 'text/csv', name: `${name}.csv` },
  } satisfies Endpoint;
  const exportList = async (ctx: UserContext, filters: Record<string, unknown>) => {
    let total = 0;
    const rowLimit = maxRows?.(filters) ?? MAX_CSV_ROWS;
    const csvColumns = typeof columns === 'function' ? await columns(ctx) : columns;
    const readPage = async (page: number, size: number) => {
      const input = { ...filters, ...fixedInput, page, size } as ParsedInputOf<E>;
      const answer = z.parse(list.output, await handle(ctx, input)) as Answer<RowOf<E>>;
      total = answer.total;
      return Object.values(answer).find(Array.isArray) ?? [];
    };
    const file = await streamCsv<RowOf<E>>(csvColumns, readPage, {
      maxRows: rowLimit,
      timeZone: await ctx.timeZone(),
    });
    await recordAudit(ctx, {
      action: `导出${name}`,
      target: `${name} CSV 文件`,
      after: { total: Math.min(total, rowLimit), ...(filters.wd ? { wd: filters.wd } : {}) },
    });
    return file;
  };
  return { endpoint, handle: exportList };
}
