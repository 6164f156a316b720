import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, eq, inArray, notInArray } from 'drizzle-orm';
import { loadCategories } from '#modules/category/category.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { createDocuments } from '#modules/document/create-documents.ts';
import { documents } from '#modules/document/document.table.ts';
import { acceptFile } from '#modules/upload/accept-file.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import type { DemoDocument } from './demo-document.ts';
import { type DemoUsers, demoUsers } from './demo-users.ts';
import { makeFiles } from './make-files.ts';

const DAY_MS = 86_400_000;
const POLL_MS = 1_000;

type Say = (line: string) => void;
export type DemoReport = {
  added: DemoDocument[];
  known: number;
  missing: string[];
  people: DemoUsers['owners'];
};

/** Documents of others; a demo library belongs into an empty site. */
export async function countForeign(ctx: Context, ids: number[]): Promise<number> {
  const [row] = await ctx.db
    .select({ total: count() })
    .from(documents)
    .where(ids.length ? notInArray(documents.user_id, ids) : undefined);
  return row?.total ?? 0;
}

/** Adds what is missing of a demo library. Jobs must have been started. */
export async function runDemo(ctx: Context, library: DemoDocument[], say: Say): Promise<DemoReport> {
  const { owners, password } = await demoUsers(ctx, new Date(ctx.now().getTime() - 90 * DAY_MS));
  const wanted = await withoutKnown(ctx, library, owners);
  // At once: whatever fails after this, it cannot be shown again.
  if (password) say(`示例用户的密码：${password}（只显示这一次）`);
  const known = library.length - wanted.length;
  const report = { added: [], known, missing: [], people: owners };
  if (wanted.length === 0) return report;
  // The oldest first, as they would have come.
  wanted.sort((one, other) => other.daysAgo - one.daysAgo);
  return withWorkFolder(ctx.config.dataDir, async (folder) => {
    say(`正在写 ${wanted.length} 个文件`);
    const { files, missing } = await makeFiles(wanted, folder);
    files.sort((one, other) => other.document.daysAgo - one.document.daysAgo);
    for (const { document, file } of files) {
      const owner = owners[document.owner];
      if (!owner) throw new Error(`${document.title} has no owner`);
      await addDocument({ ...ctx, user: owner }, document, file);
    }
    return { ...report, added: files.map(({ document }) => document), missing };
  });
}

/** Also what was thrown away since is known: it does not come back. */
async function withoutKnown(ctx: Context, library: DemoDocument[], owners: DemoUsers['owners']) {
  const ids = owners.map(({ id }) => id);
  const rows = await ctx.db.select({ title: documents.title }).from(documents).where(inArray(documents.user_id, ids));
  const titles = new Set(rows.map(({ title }) => title));
  return library.filter(({ title }) => !titles.has(title));
}

async function addDocument(ctx: UserContext, document: DemoDocument, file: string): Promise<void> {
  const { title, ext, price, preview = 0, keywords, description, daysAgo } = document;
  const body = await readFile(file);
  const hash = createHash('sha256').update(body).digest('hex');
  const arrived = { hash, size: body.length, name: `${title}.${ext}`, extension: ext };
  const { id } = await acceptFile(ctx, file, arrived);
  const then = new Date(ctx.now().getTime() - daysAgo * DAY_MS);
  const added = await createDocuments(
    { ...ctx, now: () => then },
    {
      category_id: await categoryIds(ctx, document.category),
      document: [
        {
          title,
          price,
          attachment_id: id,
          keywords,
          description,
          language: '',
          visibility: 0,
          preview,
        },
      ],
    },
  );
  const [row] = added.document;
  if (document.isRecommended && row)
    await ctx.db.update(documents).set({ recommend_at: then.toISOString() }).where(eq(documents.id, row.id));
}

/** A category the operator removed is passed over for the nearest that is left, or for none. */
async function categoryIds(ctx: Context, titles: string[]): Promise<number[]> {
  const all = await loadCategories(ctx.db);
  const ids: number[] = [];
  for (const title of titles) {
    const parent = ids.at(-1) ?? 0;
    const found = all.find((each) => each.title === title && each.parent_id === parent);
    if (!found) break;
    ids.push(found.id);
  }
  return ids.length > 0 ? ids : all.slice(0, 1).map(({ id }) => id);
}

/** Waits until everything of these documents is converted, has failed, or waits for a program. */
export async function waitForConversion(ctx: Context, library: DemoDocument[], say: Say) {
  const titles = library.map(({ title }) => title);
  for (let shown = -1; ; await sleep(POLL_MS)) {
    const rows = await ctx.db
      .select({ title: documents.title, state: renditions.state, reason: renditions.reason })
      .from(documents)
      .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
      .where(inArray(documents.title, titles));
    const isOver = ({ state, reason }: (typeof rows)[number]) =>
      state === 'ready' || state === 'failed' || (state === 'waiting' && reason !== '');
    const over = rows.filter(isOver);
    if (over.length !== shown) say(`已转换 ${over.length} / ${rows.length}`);
    shown = over.length;
    if (over.length === rows.length) return rows.filter(({ state }) => state !== 'ready');
  }
}
