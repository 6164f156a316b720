import { sql } from 'drizzle-orm';
import { documentStatus } from '#modules/document/document.contract.ts';
import { documents } from '#modules/document/document.table.ts';
import type { DocumentEventType } from '#modules/document/document-events.ts';
import type { Context } from '#platform/server/context.ts';
import type { SubjectEvents } from '#platform/server/events/deliver-events.ts';
import { relatedTermsQueue } from './related.table.ts';

/** Events that may change the keywords of a document. */
const keywordEvents: ReadonlySet<string> = new Set<DocumentEventType>([
  'created',
  'text-changed',
  'file-changed',
  'reviewed',
  'conversion-state-changed',
  'converted',
]);

/** The job `indexKeywords` processes the queue. */
export async function queueKeywordExtraction(ctx: Context, changes: readonly SubjectEvents[]): Promise<void> {
  const ids = changes.filter(({ types }) => types.some((type) => keywordEvents.has(type))).map(({ id }) => id);
  if (ids.length === 0) return;
  await ctx.db.execute(sql`
    insert into ${relatedTermsQueue} (document_id)
    select ${documents.id} from ${documents}
    where ${documents.id} = any(${sql.param(ids)}::bigint[]) and ${documents.status} = ${documentStatus.converted}
    order by ${documents.id}`);
}
