import { inArray, sql } from 'drizzle-orm';
import { lockDocumentAttachments } from '#modules/attachment/document-attachments.ts';
import { recordAudit, targetOf } from '#modules/audit/audit.ts';
import { shareTree } from '#modules/category/category.ts';
import { registerRendition } from '#modules/conversion/register-rendition.ts';
import { notify } from '#modules/notification/notify.ts';
import type { ParsedInputOf } from '#platform/contract/endpoint.ts';
import type { Context, UserContext } from '#platform/server/context.ts';
import { inRetriedTransaction } from '#platform/server/db/retried-transaction.ts';
import { documentErrors, documentStatus, documentStatuses } from '../document.contract.ts';
import { type DocumentRow, documents } from '../document.table.ts';
import { lockOwners, lockPresent } from '../lock-documents.ts';
import { type manageDocumentApi, type ReviewDecision, reviewDecisions } from '../manage.contract.ts';
import { lockRenditions, type RenditionRow, statusOf } from '../rendition-status.ts';
import { publishDocument } from './publish-document.ts';

const APPROVED: readonly ReviewDecision[] = [0, 2];
const PASSED = 0;

/** Decides on documents: all of them or none. The reason is for their owners. */
export async function reviewDocuments(
  ctx: UserContext,
  { id: ids, status, reason }: ParsedInputOf<typeof manageDocumentApi.check>,
) {
  await inRetriedTransaction(ctx, async (ctx) => {
    const before = await decide(ctx, ids, status, reason);
    await recordAudit(ctx, {
      action: '文档审核',
      target: targetOf(
        '文档',
        before.map(({ id, title }) => ({ id, name: title })),
      ),
      before: { status: before.map((row) => documentStatuses[row.status]).join('、') },
      after: { status: reviewDecisions[status], ...(reason && { reason }) },
    });
  });
  return {};
}

/** Within a transaction; returns the rows as they were. */
export async function decide(
  ctx: Context,
  ids: number[],
  decision: ReviewDecision,
  reason: string,
): Promise<DocumentRow[]> {
  if (decision === documentStatus.refused && reason === '') throw documentErrors.reasonRequired();
  await shareTree(ctx);
  const isApproved = APPROVED.includes(decision);
  const contentOf = isApproved ? await contentsFor(ctx, ids) : new Map<number, number>();
  const contents = await lockRenditions(ctx, [...contentOf.values()]);
  const present = await lockPresent(ctx, ids);
  await lockOwners(ctx, present);
  // A review passes what was under review; what is disabled for another reason stays so.
  const rows = decision === PASSED ? present.filter(({ status }) => isReviewed(status)) : present;
  await tellOwners(ctx, rows, decision, reason);
  if (!isApproved) {
    await ctx.db
      .update(documents)
      .set({
        status: decision,
        reject_reason: decision === documentStatus.underReview ? '' : reason,
      })
      .where(inArray(documents.id, ids));
    return present;
  }
  const next = rows.map(({ id }) => {
    const content = contents.get(contentOf.get(id) ?? 0);
    if (!content) throw documentErrors.notFound();
    return { id, content };
  });
  await putOnShelf(ctx, next);
  for (const row of rows.filter(({ published_at }) => published_at === null)) await publishDocument(ctx, row);
  return present;
}

const isReviewed = (status: number) => status === documentStatus.underReview || status === documentStatus.refused;
/** On the shelves it has the status of its content, which is nobody's decision. */
const standing = (status: number) => (status === documentStatus.disabled || isReviewed(status) ? status : 'on shelf');

const outcomes: Partial<Record<ReviewDecision, string>> = {
  0: '已通过审核',
  2: '已重新启用',
  4: '已被禁用',
  7: '没有通过审核',
};

/** Each decision is one of its own; one that changes nothing is none. */
async function tellOwners(ctx: Context, rows: DocumentRow[], decision: ReviewDecision, reason: string): Promise<void> {
  const outcome = outcomes[decision];
  if (outcome === undefined) return;
  const changed = rows.filter(({ status }) => standing(status) !== standing(decision));
  for (const { id, title, user_id } of changed)
    await notify(ctx, {
      userId: user_id,
      actorId: null,
      kind: 'review',
      key: `document-review:${id}:${crypto.randomUUID()}`,
      payload: { document: { id, title }, decision: outcome, reason },
    });
}

/** The content of each document, asked for now where it had none. A banned file refuses all. */
async function contentsFor(ctx: Context, ids: number[]): Promise<Map<number, number>> {
  const files = await lockDocumentAttachments(ctx, ids);
  const banned = files.find(({ enable }) => !enable);
  if (banned) throw documentErrors.illegalFile(`“${banned.name}”已被标记为非法文件`);
  const fileOf = new Map(files.map((file) => [file.type_id, file]));
  const found = await ctx.db
    .select({
      id: documents.id,
      user_id: documents.user_id,
      content_id: documents.content_id,
      format: documents.format,
    })
    .from(documents)
    .where(inArray(documents.id, ids));
  const known = new Map<number, number>();
  const byHash = (a: { id: number }, b: { id: number }) =>
    (fileOf.get(a.id)?.hash ?? '') < (fileOf.get(b.id)?.hash ?? '') ? -1 : 1;
  for (const { id, user_id: userId, content_id, format } of found.sort(byHash)) {
    const file = fileOf.get(id);
    if (content_id !== null) known.set(id, content_id);
    else if (file) {
      const { hash, size } = file;
      known.set(id, (await registerRendition(ctx, { hash, size, format, userId })).id);
    }
  }
  return known;
}

type OnShelf = { id: number; content: RenditionRow };

/** One statement for all of them, so that users and categories are counted in one order. */
const putOnShelf = (ctx: Context, rows: OnShelf[]) =>
  ctx.db.execute(sql`
    update ${documents} set
      content_id = next.content_id, status = next.status, reject_reason = '', updated_at = now(),
      description = case when ${documents.description} = '' then next.summary
        else ${documents.description} end,
      language = case when ${documents.language} = '' then next.language
        else ${documents.language} end
    from unnest(
      ${sql.param(rows.map(({ id }) => id))}::bigint[],
      ${sql.param(rows.map(({ content }) => content.id))}::bigint[],
      ${sql.param(rows.map(({ content }) => statusOf(content)))}::smallint[],
      ${sql.param(rows.map(({ content }) => content.summary))}::text[],
      ${sql.param(rows.map(({ content }) => content.language))}::text[]
    ) next (id, content_id, status, summary, language)
    where ${documents.id} = next.id`);
