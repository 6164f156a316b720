import { Link } from 'react-router';
import { type DocumentStatus, documentStatus, documentStatuses } from '#modules/document/document.contract.ts';
import { useConversionProgress } from '#modules/document/web/use-conversion-progress.ts';

/** Shows the state of the document of an upload: waiting, converted pages, readable, or the reason of a failure. */
export function UploadConversionStatus({ id, isInstant }: { id: number; isInstant: boolean }) {
  const row = useConversionProgress(id);
  const uploadMessage = isInstant ? '站内已有相同文件，已秒传' : '上传成功';
  if (!row) return <p className="text-bean">{uploadMessage}</p>;
  const { status, pages, ready_pages, conversion_state, reason, encryption } = row;
  const isUnderReview = status === documentStatus.underReview;
  if (status === documentStatus.failed || (isUnderReview && conversion_state === 'failed'))
    return (
      <p className="flex flex-wrap gap-x-3 text-red">
        {`${uploadMessage}，${isUnderReview ? '等待审核，但' : ''}转换失败：${reason}`}
        <Link to={`/document/${id}`} className="text-bean underline">
          {encryption === 'unlockable' ? '解锁或替换文件' : '替换文件'}
        </Link>
      </p>
    );
  if (status === documentStatus.converted && ready_pages >= pages)
    return <p className="text-bean">{`${uploadMessage}，共 ${pages} 页，可以阅读了`}</p>;
  if (status === documentStatus.converted)
    return <p className="text-bean">{`${uploadMessage}，可以阅读了，已转换 ${ready_pages} / ${pages} 页`}</p>;
  const label = documentStatuses[status as DocumentStatus];
  return (
    <p className="text-ink-2">
      <span className="text-bean">{uploadMessage}</span>
      {`，${isUnderReview ? label : reason || label}`}
    </p>
  );
}
