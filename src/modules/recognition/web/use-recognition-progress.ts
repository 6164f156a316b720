import { useQuery } from '@tanstack/react-query';
import { pollEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { recognitionApi } from '../recognition.contract.ts';

const POLL_INTERVAL_MS = 10_000;

/** Polls until all scanned pages of a document are recognized, only while the page is visible. */
export function useRecognitionProgress(id: number) {
  const { data } = useQuery({
    queryKey: queryKeyOf(recognitionApi.progress, { id }),
    queryFn: (context) => pollEndpoint(recognitionApi.progress, { id }, context),
    refetchInterval: ({ state }) => (state.data?.pending ? POLL_INTERVAL_MS : false),
  });
  return data;
}
