import { useMutation, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import type { Endpoint, InputOf } from '#platform/contract/endpoint.ts';
import { call, keyOf } from '../api.ts';
import { useFailureMessage } from './failure-message.ts';

type Options = { success: string; failure?: string; onDone?: () => void };

/** A change made by an administrator: tells how it went, and invalidates the lists. */
export function useChange<E extends Endpoint>(
  endpoint: E,
  { success, failure = '操作失败', onDone }: Options,
  invalidates: Endpoint[],
) {
  const { message } = App.useApp();
  const showFailure = useFailureMessage();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<E>) => call(endpoint, input),
    onSuccess: () => {
      message.success(success);
      onDone?.();
      for (const each of invalidates) cache.invalidateQueries({ queryKey: keyOf(each) });
    },
    onError: (error) => showFailure(error, failure),
  });
}

/** The two changes of a form: a new record, or the one that is being edited. */
export function useSaving<C extends Endpoint, U extends Endpoint>(
  { create, update }: { create: C; update: U },
  onDone: () => void,
  invalidates: Endpoint[],
) {
  const creating = useChange(create, { success: '新增成功', onDone }, invalidates);
  const updating = useChange(update, { success: '修改成功', onDone }, invalidates);
  return {
    create: creating.mutate,
    update: updating.mutate,
    saving: creating.isPending || updating.isPending,
  };
}

type Asking = {
  title?: string;
  /** Something is lost: the button warns of it. */
  isLoss?: boolean;
};

/** Asks before what touches many things, or cannot be undone. */
export function useConfirm() {
  const { modal } = App.useApp();
  return (content: string, onOk: () => Promise<unknown>, { title = '温馨提示', isLoss = true }: Asking = {}) =>
    modal.confirm({
      title,
      content,
      okText: '确定',
      cancelText: '取消',
      okButtonProps: { danger: isLoss },
      // The failure is told by a message; the dialog closes either way.
      onOk: () => onOk().catch(() => undefined),
    });
}
