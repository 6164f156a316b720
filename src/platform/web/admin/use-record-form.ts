import { useMemo } from 'react';
import type { Endpoint, InputOf } from '#platform/contract/endpoint.ts';
import { useAction } from '../use-action.ts';

type Options<C extends Endpoint, U extends Endpoint, V extends InputOf<C>> = {
  create: C;
  /** Accepts the input of `create`, except `createOnly`, and the id. */
  update: InputOf<C> & { id: number } extends InputOf<U> ? U : never;
  invalidates: readonly Endpoint[];
  /** Chinese noun for a record, such as 横幅. */
  noun: string;
  /** The record to edit; a new one if it has no id; null closes the form. */
  record: (Partial<V> & { id?: number }) | null;
  /** Values of the fields that the record does not set. */
  newValues: V;
  /** Fields that cannot be changed later. */
  createOnly?: readonly (keyof V)[];
  onClose: () => void;
};

/** Props of a `FormDrawer` that creates or edits a record. */
export function useRecordForm<C extends Endpoint, U extends Endpoint, V extends InputOf<C> & object>({
  noun,
  record,
  newValues,
  invalidates,
  createOnly = [],
  onClose,
  ...endpoints
}: Options<C, U, V>) {
  const create = useAction(endpoints.create, { success: '新增成功', onDone: onClose, invalidates });
  const update = useAction(endpoints.update as U, { success: '修改成功', onDone: onClose, invalidates });
  const id = record?.id ?? 0;
  const values = useMemo<V>(() => ({ ...newValues, ...record }), [newValues, record]);
  const save = (input: V) => {
    if (id === 0) return create.run(input);
    const changes = Object.entries(input).filter(([name]) => !createOnly.includes(name as keyof V));
    return update.run({ ...Object.fromEntries(changes), id } as InputOf<U>);
  };
  return {
    title: `${id > 0 ? '编辑' : '新增'}${noun}`,
    open: record !== null,
    values,
    saving: create.isPending || update.isPending,
    onClose,
    onSubmit: (input: V) => void save(input),
  };
}
