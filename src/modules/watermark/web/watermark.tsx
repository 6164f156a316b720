import { useQuery } from '@tanstack/react-query';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { watermarkApi } from '../watermark.contract.ts';
import { watermarkImage } from './watermark-image.ts';

/** Covers its positioned parent with the mark of the viewer, whose id is 0 for a visitor. */
export function Watermark({ documentId, viewer }: { documentId: number; viewer: number }) {
  const { data } = useQuery({
    queryKey: [...queryKeyOf(watermarkApi.get, { id: documentId }), viewer],
    queryFn: ({ signal }) => callEndpoint(watermarkApi.get, { id: documentId }, { signal }),
  });
  if (!data?.text) return null;
  return <div aria-hidden="true" className="reader-watermark" style={{ backgroundImage: watermarkImage(data.text) }} />;
}
