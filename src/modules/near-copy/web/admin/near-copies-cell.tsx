import { useQuery } from '@tanstack/react-query';
import { Button, Space } from 'antd';
import { useState } from 'react';
import type { Document } from '#modules/document/document.contract.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { describeSimilarity, type NearCopyOfDocument, nearCopyApi } from '../../near-copy.contract.ts';
import { CompareDialog } from './compare-dialog.tsx';

/** The most similar document, and a comparison with it. All cells of the list share one request. */
export function NearCopiesCell({ document, listedIds }: { document: Document; listedIds: number[] }) {
  const { data } = useQuery(endpointQuery(nearCopyApi.list, { id: listedIds }));
  const [comparedCopy, setComparedCopy] = useState<NearCopyOfDocument | null>(null);
  const copies = data?.document.find(({ id }) => id === document.id)?.copy ?? [];
  const [closestCopy] = copies;
  if (!closestCopy) return <>-</>;
  return (
    <Space orientation="vertical" size={2}>
      {copies.slice(0, 3).map((copy) => (
        <Button
          key={copy.id}
          type="link"
          size="small"
          title={copy.title}
          onClick={() => setComparedCopy(copy)}
          style={{ display: 'block', maxWidth: 240, overflow: 'hidden', textOverflow: 'ellipsis' }}
        >
          {`${describeSimilarity(copy)}：${copy.title}`}
        </Button>
      ))}
      {copies.length > 3 && <span>{`共 ${copies.length} 份`}</span>}
      {comparedCopy && <CompareDialog document={document} copy={comparedCopy} onClose={() => setComparedCopy(null)} />}
    </Space>
  );
}
