import type { RowAction } from '#platform/web/admin/row-actions.tsx';
import { useConfirm } from '#platform/web/admin/use-confirm.ts';
import { useAction } from '#platform/web/use-action.ts';
import { type Document, documentApi, documentStatus } from '../../document.contract.ts';
import { documentFileApi } from '../../document-file.contract.ts';
import {
  manageDocumentApi,
  type RecommendType,
  type ReviewDecision,
  recommendTypes,
  reviewDecisions,
} from '../../manage.contract.ts';
import { recycleApi } from '../../recycle.contract.ts';
import { includesStatus, unpublishedStatuses } from '../../status-groups.contract.ts';

/** An action that needs more input. */
export type DocumentTask = {
  kind: 'categorize' | 'review';
  ids: number[];
  description: string;
  decision?: ReviewDecision;
};

function reviewDecisionsForStatus(status: number): ReviewDecision[] {
  if (status === documentStatus.underReview || status === documentStatus.refused)
    return status === documentStatus.underReview ? [0, 7] : [0];
  return status === documentStatus.disabled ? [2] : [4, 6];
}

/** `onDone` is called after a change. */
export function useDocumentActions(onDone: () => void) {
  const confirm = useConfirm();
  const invalidates = [documentApi.list];
  const recommend = useAction(manageDocumentApi.recommend, { success: '操作成功', onDone, invalidates });
  const reconvert = useAction(manageDocumentApi.reconvert, {
    success: '已加入转换队列',
    onDone,
    invalidates: [documentApi.list, documentApi.progress, manageDocumentApi.queue],
  });
  const remove = useAction(documentApi.remove, {
    success: '删除成功',
    onDone,
    invalidates: [documentApi.list, recycleApi.list],
  });
  const download = useAction(manageDocumentApi.reviewDownload, {
    failure: '下载失败',
    onDone: ({ url }) => window.location.assign(url),
  });
  const startReconversion = (ids?: number[]) => reconvert.run({ id: ids });

  return {
    recommend: (ids: number[], type: RecommendType, description: string) =>
      confirm(`您确定要${recommendTypes[type]}${description}吗？`, () => recommend.run({ id: ids, type }), {
        isDestructive: false,
      }),
    /** Without ids, all failed documents. */
    reconvert: (ids?: number[]) =>
      ids
        ? confirm(`您确定要重新转换选中的 ${ids.length} 篇文档吗？`, () => startReconversion(ids), {
            isDestructive: false,
          })
        : confirm('全部转换失败的文档将重新转换，确定吗？', () => startReconversion(), {
            title: '失败重转',
            isDestructive: false,
          }),
    reconvertOne: (id: number) => reconvert.run({ id: [id] }),
    remove: (ids: number[], description: string) =>
      confirm(`您确定要删除${description}吗？删除后可以在回收站恢复。`, () => remove.run({ id: ids })),
    menuOf: (row: Document, setTask: (task: DocumentTask) => void) =>
      documentMenu(row, {
        setTask,
        download: () => download.run({ id: row.id }),
        recommend: (type) => recommend.run({ id: [row.id], type }),
        reconvert: () => reconvert.run({ id: [row.id] }),
      }),
  };
}

type MenuActions = {
  setTask: (task: DocumentTask) => void;
  download: () => void;
  recommend: (type: RecommendType) => void;
  reconvert: () => void;
};

function documentMenu(row: Document, { setTask, download, recommend, reconvert }: MenuActions): RowAction[] {
  const target = { ids: [row.id], description: `《${row.title}》` };
  return [
    ...reviewDecisionsForStatus(row.status).map((decision) => ({
      label: reviewDecisions[decision],
      calls: [manageDocumentApi.check],
      onClick: () => setTask({ ...target, kind: 'review', decision }),
    })),
    // The conversion may have failed, or left out parts of the file.
    ...(includesStatus(unpublishedStatuses, row.status)
      ? [
          {
            label: '下载原文件',
            calls: [manageDocumentApi.reviewDownload],
            onClick: download,
          },
        ]
      : []),
    // The document page contains the form.
    ...(row.encryption === 'none'
      ? []
      : [
          {
            label: '解锁或替换文件',
            calls: [documentFileApi.unlock],
            onClick: () => void window.open(`/document/${row.id}`, '_blank', 'noopener'),
          },
        ]),
    {
      label: row.recommend_at ? '重新推荐' : '推荐',
      calls: [manageDocumentApi.recommend],
      onClick: () => recommend(row.recommend_at ? 2 : 1),
    },
    ...(row.recommend_at
      ? [
          {
            label: '取消推荐',
            calls: [manageDocumentApi.recommend],
            onClick: () => recommend(0),
          },
        ]
      : []),
    {
      label: '修改分类',
      calls: [manageDocumentApi.categorize],
      onClick: () => setTask({ ...target, kind: 'categorize' }),
    },
    {
      label: '重新转换',
      calls: [manageDocumentApi.reconvert],
      disabled: row.status === documentStatus.refused,
      onClick: reconvert,
    },
  ];
}
