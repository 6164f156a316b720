import { data, redirect } from 'react-router';
import type { OutputOf } from '#platform/contract/endpoint.ts';
import type { Api } from '#platform/web/api.ts';
import { documentApi } from '../document.contract.ts';
import { successorApi } from '../successor.contract.ts';

/** The id or uuid in the address of a document; throws 404 for anything else. */
function parseDocumentKey(id: string): { id: number } | { uuid: string } {
  if (/^\d{1,15}$/.test(id)) return { id: Number(id) };
  if (/^[0-9a-f]{16}$/.test(id)) return { uuid: id };
  throw data(null, { status: 404 });
}

/**
 * Loads the document of an address. The address of a document that was merged into another one leads to `pathOf` the
 * other one. Browsers must not store the redirect, because the document may be restored.
 */
export function loadRequestedDocument(
  api: Api,
  { id, pathOf }: { id: string | undefined; pathOf: (id: number) => string },
): Promise<OutputOf<typeof documentApi.get>> {
  const documentKey = parseDocumentKey(id ?? '');
  return api(documentApi.get, { ...documentKey, with_author: true }).catch(async (error: unknown) => {
    const successor = await api(successorApi.find, documentKey);
    if (successor.id === 0) throw error;
    throw redirect(pathOf(successor.id), { status: 302, headers: { 'cache-control': 'no-store' } });
  });
}
