import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { count, eq, inArray, notInArray } from 'drizzle-orm';
import { loadCategories } from '#modules/category/category.ts';
import { renditions } from '#modules/conversion/rendition.table.ts';
import { createDocuments } from '#modules/document/create-documents.ts';
import { documents } from '#modules/document/document.table.ts';
import { recordDocumentEvents } from '#modules/document/document-events.ts';
import { storeFileAsAttachment } from '#modules/upload/store-file-as-attachment.ts';
import { type Context, inTransaction, type UserContext } from '#platform/server/context.ts';
import { withWorkFolder } from '#platform/server/storage/work-folder.ts';
import { createDemoUsers, type DemoUsers } from './create-demo-users.ts';
import { createFiles } from './create-files.ts';
import type { DemoDocument } from './demo-document.ts';

const DAY_MS = 86_400_000;
const POLL_MS = 1_000;

type Print = (line: string) => void;
export type DemoReport = {
  addedDocuments: DemoDocument[];
  existingCount: number;
  /** Extensions that need a program which is not installed. */
  missingExtensions: string[];
  users: DemoUsers['users'];
};

export async function countOtherDocuments(ctx: Context, userIds: number[]): Promise<number> {
  const [row] = await ctx.db
    .select({ total: count() })
    .from(documents)
    .where(userIds.length ? notInArray(documents.user_id, userIds) : undefined);
  return row?.total ?? 0;
}

/** Adds the documents that the demo users do not have yet. Jobs must have been started. */
export async function addDocuments(ctx: Context, demoDocuments: DemoDocument[], print: Print): Promise<DemoReport> {
  const { users, password } = await createDemoUsers(ctx, new Date(ctx.now().getTime() - 90 * DAY_MS));
  const newDocuments = await filterNewDemoDocuments(ctx, demoDocuments, users);
  // Printed before anything can fail, because the password cannot be shown again.
  if (password) print(`示例用户的密码：${password}（只显示这一次）`);
  const existingCount = demoDocuments.length - newDocuments.length;
  if (newDocuments.length === 0) return { addedDocuments: [], existingCount, missingExtensions: [], users };
  return withWorkFolder(ctx.config.dataDir, async (folder) => {
    print(`正在写 ${newDocuments.length} 个文件`);
    const { files, missingExtensions } = await createFiles(newDocuments, folder);
    // Oldest first, so that ids follow the upload dates.
    files.sort((a, b) => b.document.daysAgo - a.document.daysAgo);
    for (const { document, file } of files) {
      const owner = users[document.owner];
      if (!owner) throw new Error(`${document.title} has no owner`);
      await addDocument({ ...ctx, user: owner }, document, file);
    }
    return { addedDocuments: files.map(({ document }) => document), existingCount, missingExtensions, users };
  });
}

/** Documents in the recycle bin count as existing: a deleted demo document is not added again. */
async function filterNewDemoDocuments(ctx: Context, demoDocuments: DemoDocument[], users: DemoUsers['users']) {
  const userIds = users.map(({ id }) => id);
  const rows = await ctx.db
    .select({ title: documents.title })
    .from(documents)
    .where(inArray(documents.user_id, userIds));
  const titles = new Set(rows.map(({ title }) => title));
  return demoDocuments.filter(({ title }) => !titles.has(title));
}

async function addDocument(ctx: UserContext, document: DemoDocument, file: string): Promise<void> {
  const { title, extension, price, preview, keywords, description, daysAgo } = document;
  const body = await readFile(file);
  const hash = createHash('sha256').update(body).digest('hex');
  const upload = { hash, size: body.length, name: `${title}.${extension}`, extension };
  const { id } = await storeFileAsAttachment(ctx, file, upload);
  const createdAt = new Date(ctx.now().getTime() - daysAgo * DAY_MS);
  const createdDocuments = await createDocuments(
    { ...ctx, now: () => createdAt },
    {
      category_id: await findCategoryIds(ctx, document.category),
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
  const [row] = createdDocuments.document;
  if (document.isRecommended && row)
    await inTransaction(ctx, async (ctx) => {
      await ctx.db.update(documents).set({ recommend_at: createdAt.toISOString() }).where(eq(documents.id, row.id));
      await recordDocumentEvents(ctx, 'recommended', [row.id]);
    });
}

/** Ids of the categories from the root down, as far as they exist; otherwise the first category. */
async function findCategoryIds(ctx: Context, titles: string[]): Promise<number[]> {
  const categories = await loadCategories(ctx.db);
  const ids: number[] = [];
  for (const title of titles) {
    const parent = ids.at(-1) ?? 0;
    const category = categories.find((each) => each.title === title && each.parent_id === parent);
    if (!category) break;
    ids.push(category.id);
  }
  return ids.length > 0 ? ids : categories.slice(0, 1).map(({ id }) => id);
}

/** Waits until each conversion has finished, has failed, or waits for a program. Returns the unfinished ones. */
export async function waitForConversions(ctx: Context, demoDocuments: DemoDocument[], print: Print) {
  const titles = demoDocuments.map(({ title }) => title);
  for (let printedCount = -1; ; await sleep(POLL_MS)) {
    const rows = await ctx.db
      .select({ title: documents.title, state: renditions.state, reason: renditions.reason })
      .from(documents)
      .innerJoin(renditions, eq(renditions.id, documents.rendition_id))
      .where(inArray(documents.title, titles));
    const hasEnded = ({ state, reason }: (typeof rows)[number]) =>
      state === 'ready' || state === 'failed' || (state === 'waiting' && reason !== '');
    const endedRows = rows.filter(hasEnded);
    if (endedRows.length !== printedCount) print(`已转换 ${endedRows.length} / ${rows.length}`);
    printedCount = endedRows.length;
    if (endedRows.length === rows.length) return rows.filter(({ state }) => state !== 'ready');
  }
}
