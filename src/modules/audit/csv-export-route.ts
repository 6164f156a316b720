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
import { type CsvColumn, csvFile, MAX_CSV_ROWS } from '#platform/server/http/csv.ts';
import type { Route } from '#platform/server/http/route.ts';
import { recordAudit } from './audit.ts';

type RowOf<E extends Endpoint> = Extract<OutputOf<E>[keyof OutputOf<E>], readonly unknown[]>[number] & object;

/** As `listOf` makes it; the name of the rows is each list's own. */
type Answer<Row> = { total: number } & Record<string, number | Row[]>;
type Columns<E extends Endpoint> = readonly CsvColumn<RowOf<E>>[];

export type CsvExport<E extends Endpoint> = {
  /** What the rows are: 用户. */
  name: string;
  /** Who may; lists are often open to everybody for a few fields or rows. */
  access: `permission:${string}`;
  columns: Columns<E> | ((ctx: UserContext) => Promise<Columns<E>>);
  /** What is asked of the list besides the filters. */
  fixedInput?: Partial<InputOf<E>>;
  /** Where the list itself ends earlier than a file would; the file says so. */
  maxRows?: (filters: Record<string, unknown>) => number | undefined;
};

/** Paging is the file's own affair, and it has all columns. */
const PAGING_KEYS = ['page', 'size', 'limit', 'field'];

const filtersOf = ({ input }: Endpoint): z.ZodMiniObject =>
  z.object(
    Object.fromEntries(Object.entries(input._zod.def.shape).filter(([name]) => !PAGING_KEYS.includes(name))) as Record<
      string,
      z.ZodMiniType
    >,
  );

/** A list with all its filters and its order as a CSV file. That somebody took it along is noted. */
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
    input: filtersOf(list),
    output: z.custom<Readable>((value) => value instanceof Readable),
    download: { type: 'text/csv', name: `${name}.csv` },
  } satisfies Endpoint;
  const exportList = async (ctx: UserContext, filters: Record<string, unknown>) => {
    let total = 0;
    const most = maxRows?.(filters) ?? MAX_CSV_ROWS;
    const known = typeof columns === 'function' ? await columns(ctx) : columns;
    const read = async (page: number, size: number) => {
      const asked = { ...filters, ...fixedInput, page, size } as ParsedInputOf<E>;
      const answer = z.parse(list.output, await handle(ctx, asked)) as Answer<RowOf<E>>;
      total = answer.total;
      return Object.values(answer).find(Array.isArray) ?? [];
    };
    const file = await csvFile<RowOf<E>>(known, read, {
      maxRows: most,
      timeZone: await ctx.timeZone(),
    });
    await recordAudit(ctx, {
      action: `导出${name}`,
      target: `${name} CSV 文件`,
      after: { total: Math.min(total, most), ...(filters.wd ? { wd: filters.wd } : {}) },
    });
    return file;
  };
  return { endpoint, handle: exportList };
}
