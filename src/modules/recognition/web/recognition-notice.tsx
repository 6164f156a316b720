import { Notice } from '#platform/web/ui/notice.tsx';
import { useRecognitionProgress } from './use-recognition-progress.ts';

/** Tells the owner of a document how many of its scanned pages can be searched already. */
export function RecognitionNotice({ documentId }: { documentId: number }) {
  const progress = useRecognitionProgress(documentId);
  if (!progress?.pending) return null;
  const { recognized, pages } = progress;
  return (
    <Notice tone="success">
      {`正在识别扫描页的文字：${recognized} / ${pages} 页。现在就可以阅读，识别出的页可以搜索和复制`}
    </Notice>
  );
}
