import { documentApi, documentErrors } from '#modules/document/document.contract.ts';
import { callEndpoint } from '#platform/web/api.ts';
import { type ReportStep, reportFailure } from './send-upload.ts';
import type { UploadItem } from './upload-item.ts';

/** `path`: ids of the category and its ancestors. */
type Publication = ReportStep & { item: UploadItem; path: number[] };

/** Creates the document of a row whose file is sent. */
export async function publishUpload({ item, path, report, persist }: Publication): Promise<void> {
  try {
    await persist({ type: 'savingStarted' });
    const input = { title: item.title, price: Number(item.price), attachment_id: item.attachmentId };
    const { document } = await callEndpoint(documentApi.create, { category_id: path, document: [input] });
    const { id: documentId = 0, same = [] } = document[0] ?? {};
    report({ type: 'documentCreated', documentId, same });
  } catch (error) {
    // An earlier attempt created the document, but its response was lost.
    if (documentErrors.usedFile.is(error)) report({ type: 'documentCreated', documentId: 0, same: [] });
    else await reportFailure(error, { report, persist });
  }
}
