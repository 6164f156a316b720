import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useSession, useUser } from '#modules/account/web/session-store.ts';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { formatDateTime, relativeTime } from '#platform/contract/date-time.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import type { Comment } from '../comment.contract.ts';
import { CommentForm } from './comment-form.tsx';
import { CommentText } from './comment-text.tsx';
import { DeleteCommentDialog, EditCommentForm } from './edit-and-delete-comment.tsx';

const action = 'min-h-10 rounded-sm px-2 text-13 text-ink-2 transition-colors hover:text-bean md:min-h-8';
const DELETE_PERMISSION = 'CommentAPI/DeleteComment';

export function CommentView({
  comment,
  isLinked = false,
  isReply = false,
}: {
  comment: Comment;
  isLinked?: boolean;
  isReply?: boolean;
}) {
  const frame = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState<'reply' | 'edit' | 'delete' | null>(null);
  useEffect(() => {
    if (isLinked) frame.current?.scrollIntoView({ block: 'center' });
  }, [isLinked]);
  const { user, status } = comment;
  if (comment.is_deleted) return <p className="py-3 text-14 text-ink-2">该评论已删除</p>;
  return (
    <div ref={frame} className={`flex gap-3 rounded-md py-3 ${isLinked ? '-mx-2 bg-bean-soft px-2' : ''}`}>
      <Avatar src={user.avatar} size={isReply ? 28 : 36} className="self-start" />
      <div className="min-w-0 flex-1">
        <CommentHeading comment={comment} />
        {open === 'edit' ? (
          <EditCommentForm comment={comment} onClose={() => setOpen(null)} />
        ) : (
          <CommentText content={comment.content} mention={comment.mention} />
        )}
        {status === 1 ? null : (
          <p className="mt-1 text-13 text-amber">
            {status === 0
              ? '审核中，暂时只有您自己看得到'
              : `没有通过审核${comment.reject_reason ? `：${comment.reject_reason}` : ''}`}
          </p>
        )}
        {open === 'edit' ? null : <CommentActions comment={comment} onOpen={setOpen} />}
        {open === 'reply' ? (
          <div className="mt-2">
            <CommentForm
              documentId={comment.document_id}
              parent={{ id: comment.id, username: user.username }}
              onDone={() => setOpen(null)}
            />
          </div>
        ) : null}
        {open === 'delete' ? <DeleteCommentDialog comment={comment} onClose={() => setOpen(null)} /> : null}
      </div>
    </div>
  );
}

function CommentHeading({ comment: { user, reply_to, created_at, is_edited } }: { comment: Comment }) {
  const { timezone } = useSettings().system;
  return (
    <p className="flex flex-wrap items-baseline gap-x-2 text-14">
      <Link to={`/user/${user.id}`} className="font-medium hover:text-bean">
        {user.username}
      </Link>
      {reply_to.id > 0 ? (
        <span className="text-13 text-ink-2">
          回复{' '}
          <Link to={`/user/${reply_to.id}`} className="hover:text-bean">
            {reply_to.username}
          </Link>
        </span>
      ) : null}
      <time dateTime={created_at} title={formatDateTime(created_at, timezone)} className="text-13 text-ink-2">
        {relativeTime(created_at)}
      </time>
      {is_edited ? <span className="text-13 text-ink-2">已修改</span> : null}
    </p>
  );
}

function CommentActions({
  comment,
  onOpen,
}: {
  comment: Comment;
  onOpen: (action: 'reply' | 'edit' | 'delete') => void;
}) {
  const viewer = useUser();
  const mayDelete = useSession(({ permissions }) => permissions.some(({ path }) => path.endsWith(DELETE_PERMISSION)));
  if (!viewer) return null;
  const isAuthor = viewer.id === comment.user_id;
  const commentLabel = `${comment.user.username} 的评论`;
  return (
    <p className="-mx-2 flex">
      {comment.status === 1 ? (
        <button type="button" aria-label={`回复 ${commentLabel}`} className={action} onClick={() => onOpen('reply')}>
          回复
        </button>
      ) : null}
      {comment.is_editable ? (
        <button type="button" className={action} onClick={() => onOpen('edit')}>
          修改
        </button>
      ) : null}
      {isAuthor || mayDelete ? (
        <button type="button" aria-label={`删除 ${commentLabel}`} className={action} onClick={() => onOpen('delete')}>
          删除
        </button>
      ) : null}
    </p>
  );
}
