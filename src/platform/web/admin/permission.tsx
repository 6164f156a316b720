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

/** Lists the endpoints that a control calls, for browser tests. */
export const callsAttribute = (calls: readonly Endpoint[]) => ({
  'data-calls': calls.map(({ method, path }) => `${method} ${path}`).join(', '),
});

type Props = ButtonProps & {
  /** Endpoints that the click calls; the button is hidden unless the user may call all of them. */
  calls: readonly Endpoint[];
};

/** Button that is hidden from users without the permissions for its action. */
export function ActionButton({ calls, ...props }: Props) {
  const mayCall = useMayCall();
  return calls.every(mayCall) ? <Button {...callsAttribute(calls)} {...props} /> : null;
}
