import { queryOptions } from '@tanstack/react-query';
import type { Document } from '#modules/document/document.contract.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { downloadApi } from '../download.contract.ts';

export type Downloadable = Pick<Document, 'id' | 'title' | 'ext' | 'size' | 'price' | 'pages'>;

/** Never cached: price, balance and limits may change. */
export const downloadOfferQuery = (id: number, viewer: number) =>
  queryOptions({
    queryKey: [...queryKeyOf(downloadApi.offer, { id }), viewer],
    queryFn: ({ signal }) => callEndpoint(downloadApi.offer, { id }, { signal }),
    staleTime: 0,
  });
