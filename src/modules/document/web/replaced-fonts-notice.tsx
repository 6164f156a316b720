import { useQuery } from '@tanstack/react-query';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { documentFileApi } from '../document-file.contract.ts';

/** Tells the owner of a document which of its fonts are not installed and what is drawn instead. */
export function ReplacedFontsNotice({ documentId }: { documentId: number }) {
  const { data } = useQuery({
    queryKey: queryKeyOf(documentFileApi.fonts, { id: documentId }),
    queryFn: () => callEndpoint(documentFileApi.fonts, { id: documentId }),
  });
  const fonts = data?.font ?? [];
  if (fonts.length === 0) return null;
  return (
    <details className="rounded-md bg-amber-soft px-3.5 py-2.5 text-14 text-amber">
      <summary className="cursor-pointer">
        {`本站没有文档使用的 ${fonts.length} 种字体，已用相近的字体显示，下载的原文件不受影响`}
      </summary>
      <ul className="mt-2 grid gap-1">
        {fonts.map(({ name, substitute }) => (
          <li key={name}>{`${name} → ${substitute}`}</li>
        ))}
      </ul>
    </details>
  );
}
