import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { ConfirmDialog } from '#platform/web/ui/confirm-dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Document, documentApi } from '../document.contract.ts';
import { recycleApi } from '../recycle.contract.ts';

export function DeleteDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const remove = useAction(documentApi.remove, {
    success: '删除成功',
    failure: '删除失败',
    invalidates: [documentApi.list, recycleApi.list],
    invalidatesAfterFailure: true,
    onDone: () => void refreshUserInBackground(),
  });
  const onConfirm = () => remove.run({ id: [document.id] });
  return (
    <ConfirmDialog title="删除文档" action="确定删除" onConfirm={onConfirm} onClose={onClose}>
      <p>您确定要删除文档《{document.title}》吗？</p>
      <p className="mt-2 text-14 text-ink-2">
        删除后可以在回收站恢复。上传时得到过奖励的，删除会扣回一部分，恢复时退还。
      </p>
    </ConfirmDialog>
  );
}
