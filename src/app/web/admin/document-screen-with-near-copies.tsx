import { DocumentScreen } from '#modules/document/web/admin/document-screen.tsx';
import { NearCopiesCell } from '#modules/near-copy/web/admin/near-copies-cell.tsx';

/** The document module must not depend on the comparison of documents, so the app adds its column. */
export const DocumentScreenWithNearCopies = () => <DocumentScreen NearCopies={NearCopiesCell} />;
