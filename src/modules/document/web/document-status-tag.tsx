import { type Document, type DocumentStatus, documentStatus, documentStatuses } from '../document.contract.ts';
import { isUnfinished } from './use-conversion-progress.ts';

const tones: Record<DocumentStatus, string> = {
  0: 'bg-sunken text-ink-2',
  1: 'bg-blue-soft text-blue',
  2: 'bg-bean-soft text-bean',
  3: 'bg-amber-soft text-amber',
  4: 'bg-red-soft text-red',
  5: 'bg-sunken text-ink-2',
  6: 'bg-amber-soft text-amber',
  7: 'bg-red-soft text-red',
};

/** Waiting documents show no page progress, even if an earlier conversion had pages. */
const statusesWithProgress: readonly DocumentStatus[] = [1, 2];

type StateFields = Pick<Document, 'id' | 'status' | 'pages' | 'ready_pages'>;

/** Conversion or review state. Fully converted documents show nothing unless `always`. */
export function DocumentStatusTag({ row, always = false }: { row: StateFields; always?: boolean }) {
  const status = row.status as DocumentStatus;
  const isInProgress = isUnfinished(row);
  if (status === documentStatus.converted && !isInProgress && !always) return null;
  const label =
    status === documentStatus.converted && isInProgress ? '可以阅读，其余页转换中' : documentStatuses[status];
  return (
    <span
      role="status"
      className={`inline-flex h-6 shrink-0 items-center rounded-sm px-2 text-12 ${tones[status] ?? ''}`}
    >
      {label}
      {statusesWithProgress.includes(status) && isInProgress && row.pages > 0 ? ` ${row.ready_pages}/${row.pages}` : ''}
    </span>
  );
}
