import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { Endpoint, InputOf, OutputOf } from '#platform/contract/endpoint.ts';
import { type CallOptions, callEndpoint, queryKeyOf } from './api.ts';
import { toast } from './toast.ts';

type Messages = {
  success: (text: string) => void;
  /** Shows the message of the error, otherwise the fallback. */
  failure: (error: unknown, fallback: string) => void;
};

/** How the page reports results: as toasts on the public site, as antd messages in the back-office. */
export const MessagesContext = createContext<Messages>(toast);
export const useMessages = () => useContext(MessagesContext);

type Options<E extends Endpoint> = Pick<CallOptions, 'keepalive'> & {
  success?: string | ((output: OutputOf<E>, input: InputOf<E>) => string);
  /** Shown when the error has no message. */
  failure?: string;
  /** Endpoints whose queries are refetched after success. */
  invalidates?: readonly Endpoint[];
  /** Refetches also after a failure, which may mean that the page shows outdated data. */
  invalidatesAfterFailure?: boolean;
  /** Called before the refetch. */
  onDone?: (output: OutputOf<E>, input: InputOf<E>) => unknown;
};

/** Calls an endpoint that changes data, reports its success or failure and refetches the queries that it changed. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { success, failure = '操作失败', invalidates = [], invalidatesAfterFailure = false, onDone, keepalive }: Options<E>,
) {
  const messages = useMessages();
  const client = useQueryClient();
  const refetch = () =>
    Promise.all(invalidates.map((each) => client.invalidateQueries({ queryKey: queryKeyOf(each) })));
  const { mutateAsync, isPending } = useMutation({
    // Fails without a network; by default the call would wait for it.
    networkMode: 'always',
    mutationFn: (input: InputOf<E>) => callEndpoint(endpoint, input, { keepalive }),
    onSuccess: async (output, input) => {
      const text = typeof success === 'function' ? success(output, input) : success;
      if (text) messages.success(text);
      await onDone?.(output, input);
      await refetch();
    },
    onError: async (error) => {
      messages.failure(error, failure);
      if (invalidatesAfterFailure) await refetch();
    },
  });
  return {
    /** Resolves after the refetch to whether the call succeeded. */
    run: (input: InputOf<E>): Promise<boolean> =>
      mutateAsync(input).then(
        () => true,
        () => false,
      ),
    /** For forms that show an error also at its field. */
    runOrThrow: mutateAsync,
    isPending,
  };
}
