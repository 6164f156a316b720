import { useQueryClient } from '@tanstack/react-query';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { callEndpoint, queryKeyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { ConfirmDialog } from '#platform/web/ui/confirm-dialog.tsx';
import { type Document, documentApi } from '../document.contract.ts';
import { recycleApi } from '../recycle.contract.ts';

export function DeleteDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const client = useQueryClient();
  const remove = async () => {
    try {
      await callEndpoint(documentApi.remove, { id: [document.id] });
      toast.success('删除成功');
      void refreshUserInBackground();
    } catch (error) {
      toast.failure(error, '删除失败');
    }
    for (const endpoint of [documentApi.list, recycleApi.list])
      await client.invalidateQueries({ queryKey: queryKeyOf(endpoint) });
  };
  return (
    <ConfirmDialog title="删除文档" action="确定删除" onConfirm={remove} onClose={onClose}>
      <p>您确定要删除文档《{document.title}》吗？</p>
      <p className="mt-2 text-14 text-ink-2">
        删除后可以在回收站恢复。上传时得到过奖励的，删除会扣回一部分，恢复时退还。
      </p>
    </ConfirmDialog>
  );
}
