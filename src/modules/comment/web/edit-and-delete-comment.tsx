import { type FormEvent, useContext, useState } from 'react';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { ConfirmDialog } from '#platform/web/ui/confirm-dialog.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type Comment, commentApi, MAX_COMMENT_LENGTH } from '../comment.contract.ts';
import { CommentCount } from './comment-count-context.ts';

const focusOnMount = (box: HTMLElement | null) => box?.focus();

export function EditCommentForm({ comment, onClose }: { comment: Comment; onClose: () => void }) {
  const count = useContext(CommentCount);
  const [content, setContent] = useState(comment.content);
  const update = useAction(commentApi.update, {
    success: ({ status }) => (status === 1 ? '修改成功' : '修改成功，审核通过后大家都能看到'),
    failure: '修改失败',
    invalidates: [commentApi.list],
    onDone: ({ status }) => {
      if (comment.status === 1 && status !== 1) count(-1);
    },
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (await update.run({ id: comment.id, content })) onClose();
  };
  return (
    <form onSubmit={submit} className="mt-1">
      <textarea
        aria-label="修改评论"
        rows={3}
        maxLength={MAX_COMMENT_LENGTH}
        value={content}
        ref={focusOnMount}
        onChange={(event) => setContent(event.target.value)}
        className="block w-full resize-y rounded-md border border-line-strong bg-surface px-3.5 py-2 text-15 focus:border-bean"
      />
      <div className="mt-2 flex justify-end gap-3">
        <Button variant="quiet" onClick={onClose}>
          取消
        </Button>
        <Button type="submit" pending={update.isPending} disabled={content.trim() === ''}>
          保存
        </Button>
      </div>
    </form>
  );
}

export function DeleteCommentDialog({ comment, onClose }: { comment: Comment; onClose: () => void }) {
  const count = useContext(CommentCount);
  const remove = useAction(commentApi.remove, {
    success: '删除成功',
    failure: '删除失败',
    invalidates: [commentApi.list],
    invalidatesAfterFailure: true,
    onDone: () => {
      if (comment.status === 1) count(-1);
      void refreshUserInBackground();
    },
  });
  const onConfirm = () => remove.run({ id: [comment.id] });
  return (
    <ConfirmDialog title="删除评论" action="确定删除" onConfirm={onConfirm} onClose={onClose}>
      <p>您确定要删除这条评论吗？删除后不能恢复。</p>
    </ConfirmDialog>
  );
}
