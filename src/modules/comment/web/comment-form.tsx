import { type ChangeEvent, type FormEvent, useContext, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { refreshUserInBackground, useUser } from '#modules/account/web/session-store.ts';
import { CaptchaField } from '#modules/captcha/web/captcha-field.tsx';
import { useCaptcha } from '#modules/captcha/web/use-captcha.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { commentApi, MAX_COMMENT_LENGTH } from '../comment.contract.ts';
import { CommentCount } from './comment-count-context.ts';
import { useDraft } from './comment-drafts.ts';
import { MentionSuggestions } from './mention-suggestions.tsx';

type Props = {
  documentId: number;
  /** The comment that is replied to. */
  parent?: { id: number; username: string };
  onDone?: () => void;
};

/** Form for a comment or a reply. The captcha loads when the input gets focus. */
export function CommentForm({ documentId, parent, onDone }: Props) {
  const isReply = parent !== undefined;
  const authorId = useUser()?.id ?? 0;
  const [content, setContent] = useDraft(`${authorId}/${documentId}/${parent?.id ?? 0}`);
  const [isOpen, setOpen] = useState(isReply || content !== '');
  const [caret, setCaret] = useState(0);
  const box = useRef<HTMLTextAreaElement>(null);
  const label = parent ? `回复 ${parent.username}` : '请输入评论内容';
  useEffect(() => {
    if (isReply) box.current?.focus();
  }, [isReply]);
  const insertMention = (before: string) => {
    flushSync(() => setContent(before + content.slice(caret)));
    box.current?.focus();
    box.current?.setSelectionRange(before.length, before.length);
  };
  return (
    <div>
      <textarea
        ref={box}
        aria-label={label}
        placeholder={label}
        rows={isOpen ? 3 : 2}
        maxLength={MAX_COMMENT_LENGTH}
        value={content}
        onFocus={() => setOpen(true)}
        onChange={(event) => setContent(event.target.value)}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        className="block w-full resize-y rounded-md border border-line-strong bg-surface px-3.5 py-2 text-15 transition-colors hover:border-ink-2 focus:border-bean"
      />
      <MentionSuggestions before={content.slice(0, caret)} onChoose={insertMention} />
      {isOpen ? (
        <SubmitBar
          documentId={documentId}
          parent={parent}
          content={content}
          onSubmitted={() => {
            setContent('');
            onDone?.();
          }}
          onCancel={parent ? onDone : undefined}
        />
      ) : null}
    </div>
  );
}

function SubmitBar({
  documentId,
  parent,
  content,
  onSubmitted,
  onCancel,
}: Omit<Props, 'onDone'> & { content: string; onSubmitted: () => void; onCancel?: () => void }) {
  const count = useContext(CommentCount);
  const captcha = useCaptcha('comment');
  const [answer, setAnswer] = useState('');
  const [problem, setProblem] = useState('');
  const create = useAction(commentApi.create, {
    success: ({ status }) => (status === 1 ? '评论成功' : '评论已提交，审核通过后大家都能看到'),
    failure: '评论失败',
    invalidates: [commentApi.list],
    onDone: ({ status }) => {
      if (status === 1) count(1);
      onSubmitted();
      void refreshUserInBackground();
    },
  });
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const captchaProblem = captcha.problem(answer);
    setProblem(captchaProblem);
    if (captchaProblem) return;
    const fields = { parent_id: parent?.id ?? 0, content, ...captcha.fields(answer) };
    await create.run({ document_id: documentId, ...fields });
    // A captcha is valid for one attempt only.
    setAnswer('');
    captcha.refresh();
  };
  const onAnswer = (event: ChangeEvent<HTMLInputElement>) => setAnswer(event.target.value);
  return (
    <form onSubmit={submit} className="mt-2">
      {captcha.isRequired ? (
        <div className="max-w-100">
          <CaptchaField captcha={captcha} name="captcha" value={answer} error={problem} onChange={onAnswer} />
        </div>
      ) : null}
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1 text-13 text-ink-2">
          {content.length > MAX_COMMENT_LENGTH * 0.9
            ? `已写 ${content.length} 字，最多 ${MAX_COMMENT_LENGTH} 字。`
            : '请文明评论，理性发言。用 @用户名 可以提醒对方。'}
        </p>
        {onCancel ? (
          <Button variant="quiet" onClick={onCancel}>
            取消
          </Button>
        ) : null}
        <Button type="submit" pending={create.isPending} disabled={content.trim() === ''}>
          {parent ? '回复' : '发表评论'}
        </Button>
      </div>
    </form>
  );
}
