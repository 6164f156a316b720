import { useQueries, useQuery } from '@tanstack/react-query';
import { Alert, Col, Descriptions, Modal, Pagination, Row, Skeleton } from 'antd';
import { useState } from 'react';
import { type Document, documentApi } from '#modules/document/document.contract.ts';
import { plainTextApi } from '#modules/reading/plain-text.contract.ts';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { RelativeTimeCell } from '#platform/web/admin/table-cells.tsx';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useAction } from '#platform/web/use-action.ts';
import { copyKindNames, type NearCopyOfDocument, nearCopyApi } from '../../near-copy.contract.ts';

type ComparedDocument = Pick<Document, 'id' | 'title' | 'username' | 'created_at'>;
type Props = { document: Document; copy: NearCopyOfDocument; onClose: () => void };

/** Two documents side by side, page by page. */
export function CompareDialog({ document, copy, onClose }: Props) {
  const [page, setPage] = useState(1);
  const documents = [document, copy];
  const layouts = useQueries({ queries: documents.map(({ id }) => endpointQuery(readingApi.layout, { id })) });
  const pageCount = Math.max(1, ...layouts.map(({ data }) => data?.pages ?? 0));
  return (
    <Modal
      title={`比较：${copyKindNames[copy.kind]}（${copy.share}%）`}
      open
      footer={null}
      width="min(1200px, 96vw)"
      onCancel={onClose}
    >
      <Row gutter={16}>
        {documents.map((each) => (
          <Col key={each.id} span={12}>
            <ComparedHead document={each} />
            <MergeButton merged={each} into={each === document ? copy : document} onDone={onClose} />
            <ComparedPage id={each.id} page={page} />
          </Col>
        ))}
      </Row>
      <Pagination
        simple
        align="center"
        current={page}
        pageSize={1}
        total={pageCount}
        onChange={setPage}
        style={{ marginTop: 16 }}
      />
    </Modal>
  );
}

type MergeProps = { merged: ComparedDocument; into: ComparedDocument; onDone: () => void };

function MergeButton({ merged, into, onDone }: MergeProps) {
  const confirm = useConfirm();
  const merge = useAction(nearCopyApi.merge, {
    success: '合并成功',
    onDone,
    invalidates: [documentApi.list, nearCopyApi.list],
  });
  return (
    <ActionButton
      calls={[nearCopyApi.merge]}
      size="small"
      loading={merge.isPending}
      style={{ marginBottom: 12 }}
      onClick={() =>
        confirm(
          `您确定要合并吗？《${merged.title}》进入回收站，它的收藏、评论和已购买的用户转到《${into.title}》。`,
          () => merge.run({ id: merged.id, into: into.id }),
        )
      }
    >
      合并到另一份
    </ActionButton>
  );
}

function ComparedHead({ document: { id, title, username, created_at } }: { document: ComparedDocument }) {
  return (
    <Descriptions
      column={1}
      size="small"
      items={[
        {
          key: 'title',
          label: '名称',
          children: (
            <a href={`/document/${id}`} target="_blank" rel="noreferrer">
              {title}
            </a>
          ),
        },
        { key: 'username', label: '上传者', children: username },
        { key: 'created_at', label: '上传时间', children: <RelativeTimeCell at={created_at} /> },
      ]}
    />
  );
}

/** The part of the text that contains the page. The first part tells how many pages a part has. */
function useTextPage(id: number, page: number, enabled: boolean) {
  const first = useQuery({ ...endpointQuery(plainTextApi.text, { id }), enabled });
  const size = first.data?.size || page;
  const part = Math.ceil(page / size);
  const later = useQuery({ ...endpointQuery(plainTextApi.text, { id, part }), enabled: enabled && part > 1 });
  const text = part > 1 ? later : first;
  return {
    isPending: enabled && (first.isPending || text.isPending),
    error: first.error ?? text.error,
    textPage: text.data?.page.find((each) => each.page === page),
  };
}

/** The image of a page; for texts and tables the text. */
function ComparedPage({ id, page }: { id: number; page: number }) {
  const pages = useQuery(endpointQuery(readingApi.pages, { id, page, size: 1 }));
  const image = pages.data?.page[0];
  const needsText = pages.data !== undefined && !image?.url;
  const { isPending, error: textError, textPage } = useTextPage(id, page, needsText);
  const error = pages.error ?? textError;
  if (error) return <Alert type="error" title={error.message} />;
  if (image?.url)
    return <img src={image.url} alt={`第 ${page} 页`} style={{ width: '100%', border: '1px solid #d9d9d9' }} />;
  if (pages.isPending || isPending) return <Skeleton active />;
  if (!textPage) return <Alert type="info" title={`没有第 ${page} 页`} />;
  const lines = textPage.rows.length > 0 ? textPage.rows.map((row) => row.join('\t')) : textPage.paragraphs;
  return (
    <div style={{ maxHeight: '60vh', overflow: 'auto' }}>
      {[...lines.entries()].map(([index, line]) => (
        <p key={index}>{line}</p>
      ))}
    </div>
  );
}
