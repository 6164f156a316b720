import { Space, Tag, Tooltip } from 'antd';
import { formatSize } from '#platform/contract/file-size.ts';
import { RelativeTimeCell, textCell } from '#platform/web/admin/table-cells.tsx';
import { latinTextClass } from '#platform/web/latin-text-class.ts';
import {
  type Document,
  type DocumentStatus,
  type DocumentVisibility,
  documentStatus,
  documentStatuses,
  documentVisibilities,
} from '../../document.contract.ts';
import { isUnfinished } from '../use-conversion-progress.ts';

const colors: Record<DocumentStatus, string> = {
  0: 'default',
  1: 'processing',
  2: 'success',
  3: 'warning',
  4: 'error',
  5: 'default',
  6: 'warning',
  7: 'error',
};

export function StatusCell({ row }: { row: Document }) {
  const label = documentStatuses[row.status as DocumentStatus] ?? row.status;
  const reason = row.convert_error || row.reject_reason;
  const showsProgress = row.status === documentStatus.converting || row.status === documentStatus.converted;
  const pages = row.pages > 0 && showsProgress && isUnfinished(row) ? ` ${row.ready_pages}/${row.pages} 页` : '';
  const tag = (
    <Tag color={colors[row.status as DocumentStatus]}>
      {label}
      {pages}
    </Tag>
  );
  if (!reason) return tag;
  return (
    <Space orientation="vertical" size={2}>
      {tag}
      <Tooltip title={reason}>
        <span className="admin-clip admin-reason">{reason}</span>
      </Tooltip>
    </Space>
  );
}

export function TitleCell({ row, linked = true }: { row: Document; linked?: boolean }) {
  const isRestricted = row.visibility !== 0;
  const titleClass = `admin-clip ${latinTextClass(row.title)}`;
  return (
    <Space size={6}>
      <Tooltip title={row.title}>
        {linked ? (
          <a className={titleClass} href={`/document/${row.id}`} target="_blank" rel="noreferrer">
            {row.title}
          </a>
        ) : (
          <span className={titleClass}>{row.title}</span>
        )}
      </Tooltip>
      {row.recommend_at && <Tag color="success">推荐</Tag>}
      {isRestricted && <Tag>{documentVisibilities[row.visibility as DocumentVisibility]}</Tag>}
    </Space>
  );
}

export const UserCell = ({ id, name }: { id: number; name: string }) =>
  name ? (
    <a href={`/user/${id}`} target="_blank" rel="noreferrer">
      {name}
    </a>
  ) : (
    <>-</>
  );

/** Columns of the document list and the recycle bin. */
export const documentColumns = [
  { title: '分类', key: 'category', render: (_: unknown, row: Document) => textCell(joinCategoryPath(row)) },
  { title: '大小', dataIndex: 'size', key: 'size', sorter: true, render: formatSize },
  { title: '页数', dataIndex: 'pages', key: 'pages', sorter: true },
  { title: '价格', dataIndex: 'price', key: 'price', sorter: true },
  { title: '下载', dataIndex: 'download_count', key: 'download_count', sorter: true },
  { title: '浏览', dataIndex: 'view_count', key: 'view_count', sorter: true },
  { title: '收藏', dataIndex: 'favorite_count', key: 'favorite_count', sorter: true },
  { title: '评论', dataIndex: 'comment_count', key: 'comment_count', sorter: true },
  { title: '关键字', dataIndex: 'keywords', render: textCell },
  {
    title: '创建时间',
    dataIndex: 'created_at',
    key: 'created_at',
    sorter: true,
    render: (at: string) => <RelativeTimeCell at={at} />,
  },
];

const joinCategoryPath = ({ category }: Document) => category.map(({ title }) => title).join(' / ');
