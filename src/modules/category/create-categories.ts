import { auditTarget, recordAudit } from '#modules/audit/audit.ts';
import { changeLive } from '#platform/server/cache/live-values.ts';
import type { Context } from '#platform/server/context.ts';
import { categoryErrors } from './category.contract.ts';
import { categories } from './category.table.ts';
import { CATEGORIES, linkPictures, loadCategories, lockTree, refuseForeignPictures } from './category.ts';
import { chainOf, MAX_DEPTH } from './tree.ts';

const MAX_TITLE = 64;
const BATCH = 500;

type NewCategories = {
  /** One name a line. */
  title: string;
  parent_id: number;
  cover: string;
  icon: string;
  description: string;
  sort: number;
  enable: boolean;
};

/** Names in the order of their lines, each once. */
export function splitTitles(lines: string): string[] {
  const titles = lines.split(/[\r\n\u2028\u2029]+/).map((line) => line.trim());
  return [...new Set(titles.filter(Boolean))];
}

/** Creates one category a line; a name its parent already has is skipped. */
export async function createCategories(ctx: Context, input: NewCategories) {
  const { title: lines, parent_id, ...rest } = input;
  const titles = splitTitles(lines);
  const tooLong = titles.find((title) => title.length > MAX_TITLE);
  if (tooLong) throw categoryErrors.titleTooLong(`“${tooLong.slice(0, 20)}…”超过 64 个字符`);
  refuseForeignPictures(input.cover, input.icon);
  await changeLive(ctx, CATEGORIES, async (ctx) => {
    await lockTree(ctx);
    await requireRoomBelow(ctx, parent_id);
    const all: { id: number; name: string }[] = [];
    for (let at = 0; at < titles.length; at += BATCH) {
      const batch = titles.slice(at, at + BATCH);
      const created = await ctx.db
        .insert(categories)
        .values(batch.map((title) => ({ ...rest, title, parent_id: parent_id || null })))
        .onConflictDoNothing()
        .returning({ id: categories.id, name: categories.title });
      all.push(...created);
      if (input.cover || input.icon)
        for (const { id } of created) await linkPictures(ctx, id, [input.cover, input.icon]);
    }
    const after = { titles: all.map(({ name }) => name), parent_id, ...rest };
    await recordAudit(ctx, { action: '新增文档分类', target: auditTarget('分类', all), after });
  });
  return {};
}

async function requireRoomBelow(ctx: Context, parentId: number): Promise<void> {
  if (parentId === 0) return;
  const chain = chainOf(await loadCategories(ctx.db), parentId);
  if (chain.length === 0) throw categoryErrors.parentNotFound();
  if (chain.length >= MAX_DEPTH) throw categoryErrors.tooDeep();
}
