import { useState } from 'react';
import type * as z from 'zod/mini';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import type { ids } from '#platform/contract/shapes.ts';
import { useAction } from '../use-action.ts';
import { ActionButton } from './permission.tsx';
import { useConfirm } from './use-confirm.ts';

export type DeleteEndpoint = Endpoint & { input: z.ZodMiniObject<{ id: typeof ids }> };

type BulkDeleteOptions = {
  remove: DeleteEndpoint;
  invalidates: Endpoint[];
  /** Chinese noun for a row, such as 横幅; `measure` is its measure word, such as 张. */
  noun: string;
  measure: string;
  /** Further consequences of the deletion, as a sentence for the confirmation. */
  warning?: string | ((ids: number[]) => string);
  /** Endpoints of other bulk actions on the selected rows. */
  otherBulkCalls?: readonly Endpoint[];
};

/** Row selection of a list with confirmed deletion of one row or of all selected rows. */
export function useBulkDelete({
  remove,
  invalidates,
  noun,
  measure,
  warning = '',
  otherBulkCalls = [],
}: BulkDeleteOptions) {
  const [selectedIds, onSelect] = useState<number[]>([]);
  const clearSelection = () => onSelect([]);
  const confirm = useConfirm();
  const deletion = useAction(remove, { success: '删除成功', onDone: clearSelection, invalidates });
  const confirmDelete = (id: number[], targetText: string) => {
    const consequence = typeof warning === 'string' ? warning : warning(id);
    return confirm(`您确定要删除${targetText}吗？删除后不可恢复。${consequence}`, () => deletion.run({ id }));
  };
  return {
    selection: { selected: selectedIds, onSelect, bulkCalls: [remove, ...otherBulkCalls] },
    selected: selectedIds,
    clearSelection,
    confirmDelete,
    bulkDeleteButton: (
      <ActionButton
        calls={[remove]}
        danger
        disabled={selectedIds.length === 0}
        onClick={() => confirmDelete(selectedIds, `选中的 ${selectedIds.length} ${measure}${noun}`)}
      >
        批量删除
      </ActionButton>
    ),
  };
}
