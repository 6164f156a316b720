import { Button, type ButtonProps } from 'antd';
import { createContext, useCallback, useContext } from 'react';
import { type Endpoint, permissionForOthers } from '#platform/contract/endpoint.ts';

/** Names of the permissions that the user of the back-office holds. */
export const PermissionContext = createContext<ReadonlySet<string>>(new Set());

/** Whether the user may call an endpoint for records of any user. */
export type MayCall = (endpoint: Endpoint) => boolean;

export function useMayCall(): MayCall {
  const permissions = useContext(PermissionContext);
  return useCallback(
    (endpoint) => {
      const permission = permissionForOthers(endpoint);
      return permission === null || permissions.has(permission);
    },
    [permissions],
  );
}

/** For tests in a browser: which endpoints a control calls. */
export const callsAttribute = (calls: readonly Endpoint[]) => ({
  'data-calls': calls.map(({ method, path }) => `${method} ${path}`).join(', '),
});

type Props = ButtonProps & {
  /** The endpoints that the click leads to; the button is hidden unless all may be called. */
  calls: readonly Endpoint[];
};

/** A button that is only there for users who may do what it does. */
export function ActionButton({ calls, ...props }: Props) {
  const mayCall = useMayCall();
  return calls.every(mayCall) ? <Button {...callsAttribute(calls)} {...props} /> : null;
}
