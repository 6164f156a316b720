import { useMutation, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import type { Endpoint, InputOf } from '#platform/contract/endpoint.ts';
import { callEndpoint, queryKeyOf } from '../api.ts';
import { useFailureMessage } from './use-failure-message.ts';

type Options = { success: string; failure?: string; onDone?: () => void };

/** Mutation that shows its success or failure and invalidates the queries of the given endpoints. */
export function useEndpointMutation<E extends Endpoint>(
  endpoint: E,
  { success, failure = '操作失败', onDone }: Options,
  invalidates: Endpoint[],
) {
  const { message } = App.useApp();
  const showFailure = useFailureMessage();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (input: InputOf<E>) => callEndpoint(endpoint, input),
    onSuccess: () => {
      message.success(success);
      onDone?.();
      for (const each of invalidates) cache.invalidateQueries({ queryKey: queryKeyOf(each) });
    },
    onError: (error) => showFailure(error, failure),
  });
}

/** Mutations of a form that creates a new record or updates an existing one. */
export function useSaveMutations<C extends Endpoint, U extends Endpoint>(
  { create, update }: { create: C; update: U },
  onDone: () => void,
  invalidates: Endpoint[],
) {
  const createMutation = useEndpointMutation(create, { success: '新增成功', onDone }, invalidates);
  const updateMutation = useEndpointMutation(update, { success: '修改成功', onDone }, invalidates);
  return {
    create: createMutation.mutate,
    update: updateMutation.mutate,
    saving: createMutation.isPending || updateMutation.isPending,
  };
}

type ConfirmOptions = {
  title?: string;
  /** Shows the confirming button in the warning colour. */
  isDestructive?: boolean;
};

/** Asks for confirmation of a bulk action or of one that cannot be undone. */
export function useConfirm() {
  const { modal } = App.useApp();
  return (
    content: string,
    onOk: () => Promise<unknown>,
    { title = '温馨提示', isDestructive = true }: ConfirmOptions = {},
  ) =>
    modal.confirm({
      title,
      content,
      okText: '确定',
      cancelText: '取消',
      okButtonProps: { danger: isDestructive },
      // The mutation shows the failure; the dialog closes in both cases.
      onOk: () => onOk().catch(() => undefined),
    });
}
