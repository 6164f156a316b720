import { useEffect } from 'react';
import { call } from '#platform/web/api.ts';
import { documentApi } from '../document.contract.ts';

/** Tells that somebody looks at a document; the server counts each viewer once for some hours. */
export function useCountedView(id: number): void {
  useEffect(() => {
    // Nobody waits for it, and a look that is not counted is no trouble to whoever looks.
    call(documentApi.view, { id }).catch(() => {});
  }, [id]);
}
