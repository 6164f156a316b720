import { useQueries } from '@tanstack/react-query';
import { Col, Descriptions, Modal, Pagination, Row, Segmented } from 'antd';
import { useState } from 'react';
import { type Document, documentApi } from '#modules/document/document.contract.ts';
import { readingApi } from '#modules/reading/reading.contract.ts';
import { ActionButton } from '#platform/web/admin/permission.tsx';
import { RelativeTimeCell } from '#platform/web/admin/table-cells.tsx';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useAction } from '#platform/web/use-action.ts';
import { describeSimilarity, type NearCopyOfDocument, nearCopyApi } from '../../near-copy.contract.ts';
import { ComparedImage, ComparedText } from './compared-page.tsx';

type ComparedDocument = Pick<Document, 'id' | 'title' | 'username' | 'created_at'>;
type Props = { document: Document; copy: NearCopyOfDocument; onClose: () => void };

const views = ['文字', '页面'] as const;

/** Two documents side by side, page by page. */
export function CompareDialog({ document, copy, onClose }: Props) {
  const [page, setPage] = useState(1);
  const [view, setView] = useState<(typeof views)[number]>('文字');
  const documents = [document, copy];
  const layouts = useQueries({ queries: documents.map(({ id }) => endpointQuery(readingApi.layout, { id })) });
  const pageCount = Math.max(1, ...layouts.map(({ data }) => data?.pages ?? 0));
  return (
    <Modal title={`比较：${describeSimilarity(copy)}`} open footer={null} width="min(1200px, 96vw)" onCancel={onClose}>
      <Segmented
        aria-label="比较方式"
        options={[...views]}
        value={view}
        onChange={setView}
        style={{ marginBottom: 16 }}
      />
      <Row gutter={16}>
        {documents.map((each, index) => {
          const other = index === 0 ? copy : document;
          return (
            <Col key={each.id} span={12}>
              <ComparedHead document={each} />
              <MergeButton merged={each} into={other} side={index === 0 ? '右侧' : '左侧'} onDone={onClose} />
              {view === '页面' ? (
                <ComparedImage id={each.id} page={page} />
              ) : (
                <ComparedText id={each.id} otherId={other.id} page={page} />
              )}
            </Col>
          );
        })}
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

type MergeProps = { merged: ComparedDocument; into: ComparedDocument; side: string; onDone: () => void };

function MergeButton({ merged, into, side, onDone }: MergeProps) {
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
      style={{ margin: '8px 0 12px' }}
      onClick={() =>
        confirm(
          `您确定要合并吗？《${merged.title}》进入回收站，它的收藏、评论和已购买的用户转到《${into.title}》。`,
          () => merge.run({ id: merged.id, into: into.id }),
        )
      }
    >
      {`合并到${side}文档`}
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
