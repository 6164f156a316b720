import { useState } from 'react';
import type * as z from 'zod/mini';
import type { Endpoint } from '#platform/contract/endpoint.ts';
import type { ids } from '#platform/contract/shapes.ts';
import { ActionButton } from './permission.tsx';
import { useChange, useConfirm } from './use-change.ts';

export type RemoveEndpoint = Endpoint & { input: z.ZodMiniObject<{ id: typeof ids }> };

type Removal = {
  remove: RemoveEndpoint;
  invalidates: Endpoint[];
  /** What a row is, as the questions say it: 横幅, counted in 张. */
  noun: string;
  measure: string;
  /** What else a deletion does, as a sentence; it may depend on the rows. */
  warning?: string | ((ids: number[]) => string);
  /** Endpoints of other bulk actions on the selected rows. */
  otherBulkCalls?: readonly Endpoint[];
};

/** The rows that are selected, and their removal: one, or all of them at once. */
export function useRemoval({ remove, invalidates, noun, measure, warning = '', otherBulkCalls = [] }: Removal) {
  const [selected, onSelect] = useState<number[]>([]);
  const clear = () => onSelect([]);
  const confirm = useConfirm();
  const change = useChange(remove, { success: '删除成功', onDone: clear }, invalidates);
  const ask = (id: number[], what: string) => {
    const consequence = typeof warning === 'string' ? warning : warning(id);
    return confirm(`您确定要删除${what}吗？删除后不可恢复。${consequence}`, () => change.mutateAsync({ id }));
  };
  return {
    /** For the table. */
    selection: { selected, onSelect, bulkCalls: [remove, ...otherBulkCalls] },
    selected,
    clear,
    ask,
    /** For the row of actions. */
    button: (
      <ActionButton
        calls={[remove]}
        danger
        disabled={selected.length === 0}
        onClick={() => ask(selected, `选中的 ${selected.length} ${measure}${noun}`)}
      >
        批量删除
      </ActionButton>
    ),
  };
}
