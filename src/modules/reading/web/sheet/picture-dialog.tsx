import { lazy, Suspense } from 'react';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { useReader } from '../reader-store.ts';

const Watermark = lazy(() =>
  import('#modules/watermark/web/watermark.tsx').then((module) => ({ default: module.Watermark })),
);

export type OpenedPicture = { url: string; label: string };

/** A picture of a sheet in full size, with the mark of the viewer. */
export function PictureDialog({ url, label, onClose }: OpenedPicture & { onClose: () => void }) {
  const { id, viewer, layout } = useReader();
  return (
    <Dialog open onClose={onClose} title={label} fitsContent>
      <div className="relative w-fit max-w-full">
        <img src={url} alt={label} className="block max-w-full" />
        {layout.watermark === 'off' ? null : (
          <Suspense>
            <Watermark documentId={id} viewer={viewer} />
          </Suspense>
        )}
      </div>
    </Dialog>
  );
}
