import { useEffect } from 'react';
import { callEndpoint } from '#platform/web/api.ts';
import { documentApi } from '../document.contract.ts';

/** Reports a view; the server counts each viewer once per time window. */
export function useCountView(id: number): void {
  useEffect(() => {
    // A failure only loses one view, so no message is shown.
    callEndpoint(documentApi.view, { id }).catch(() => {});
  }, [id]);
}
