import { useQuery } from '@tanstack/react-query';
import { type CSSProperties, useMemo } from 'react';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { watermarkApi } from '../watermark.contract.ts';
import { watermarkTile } from '../watermark-tile.contract.ts';

const FONT_SIZE_PX = 18;

/** The mark as a CSS image, which repeats. */
export const watermarkImage = (text: string): string =>
  `url("data:image/svg+xml,${encodeURIComponent(watermarkTile(text, FONT_SIZE_PX).svg)}")`;

type Viewing = { documentId: number; viewer: number; isShown: boolean };
type WatermarkProps = { 'data-watermark'?: ''; style?: CSSProperties };

/** Props of an element over which the mark of the viewer is shown. Empty until the text is loaded, or if none is shown. */
export function useWatermark({ documentId, viewer, isShown }: Viewing): WatermarkProps {
  const { data } = useQuery({
    queryKey: [...queryKeyOf(watermarkApi.get, { id: documentId }), viewer],
    queryFn: ({ signal }) => callEndpoint(watermarkApi.get, { id: documentId }, { signal }),
    enabled: isShown,
  });
  const text = isShown ? (data?.text ?? '') : '';
  return useMemo(
    () => (text === '' ? {} : { 'data-watermark': '', style: { ['--watermark' as string]: watermarkImage(text) } }),
    [text],
  );
}
