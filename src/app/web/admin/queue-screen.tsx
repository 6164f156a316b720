import { ConversionQueue } from '#modules/document/web/admin/conversion-queue.tsx';
import { RecognitionQueue } from '#modules/recognition/web/admin/recognition-queue.tsx';

/** Files that wait for their conversion or for the recognition of their scanned pages. */
export function QueueScreen() {
  return (
    <>
      <ConversionQueue />
      <RecognitionQueue />
    </>
  );
}
