import { ReplacedFontsNotice } from '#modules/document/web/replaced-fonts-notice.tsx';
import { NearCopiesNotice } from '#modules/near-copy/web/near-copies-notice.tsx';
import { RecognitionNotice } from '#modules/recognition/web/recognition-notice.tsx';

/** What only the owner of a document learns: recognized pages, replaced fonts, and documents that are nearly the same. */
export const OwnerNotices = ({ documentId }: { documentId: number }) => (
  <div className="grid gap-2 not-first:mt-2 empty:hidden">
    <RecognitionNotice documentId={documentId} />
    <ReplacedFontsNotice documentId={documentId} />
    <NearCopiesNotice documentId={documentId} />
  </div>
);
