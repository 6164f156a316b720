import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rereadUser } from '#modules/access/web/session.ts';
import { call, keyOf } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { type Document, documentApi } from '../document.contract.ts';
import { recycleApi } from '../recycle.contract.ts';

/** Asks before a document of one's own goes to the recycle bin. */
export function DeleteDialog({ document, onClose }: { document: Document; onClose: () => void }) {
  const client = useQueryClient();
  const [pending, setPending] = useState(false);
  const remove = async () => {
    setPending(true);
    try {
      await call(documentApi.remove, { id: [document.id] });
      toast.success('删除成功');
      void rereadUser();
    } catch (error) {
      toast.failure(error, '删除失败');
    }
    for (const endpoint of [documentApi.list, recycleApi.list])
      await client.invalidateQueries({ queryKey: keyOf(endpoint) });
    onClose();
  };
  return (
    <Dialog open onClose={onClose} title="删除文档">
      <p>您确定要删除文档《{document.title}》吗？</p>
      <p className="mt-2 text-14 text-ink-2">
        删除后可以在回收站恢复。上传时得到过奖励的，删除会扣回一部分，恢复时退还。
      </p>
      <div className="mt-6 flex justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          取消
        </Button>
        <Button variant="danger" pending={pending} onClick={remove}>
          确定删除
        </Button>
      </div>
    </Dialog>
  );
}
