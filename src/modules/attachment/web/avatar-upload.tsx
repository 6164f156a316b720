import { Camera, LoaderCircle } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { refreshUserInBackground } from '#modules/account/web/session-store.ts';
import { AppError } from '#platform/contract/errors.ts';
import { uploadFile } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { Tooltip } from '#platform/web/ui/tooltip.tsx';
import { imageUploadApi } from '../attachment.contract.ts';

const HINT = '点击上传图片';

/** Shown when the error has no message for users. */
const technicalErrorText = (error: unknown) =>
  error instanceof AppError ? `${error.status} ${error.code}` : String(error);

export function AvatarUpload({ src, size = 64 }: { src: string; size?: number }) {
  const fileInput = useRef<HTMLInputElement>(null);
  const [isPending, setIsPending] = useState(false);

  async function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0];
    // Allows the browser to report the same file again.
    currentTarget.value = '';
    if (!file) return;
    if (!file.type.startsWith('image/')) return toast.failure(null, '请选择图片文件');
    setIsPending(true);
    try {
      await uploadFile(imageUploadApi.uploadAvatar, file);
      await refreshUserInBackground();
    } catch (error) {
      toast.failure(error, technicalErrorText(error));
    } finally {
      setIsPending(false);
    }
  }

  return (
    <>
      <Tooltip text={HINT}>
        <button
          type="button"
          aria-label={HINT}
          aria-busy={isPending}
          disabled={isPending}
          onClick={() => fileInput.current?.click()}
          className="group relative shrink-0 rounded-full"
        >
          <Avatar src={src} size={size} />
          <span className="absolute -right-1 -bottom-1 grid size-6 place-items-center rounded-full border border-line bg-surface text-ink-2 transition-colors group-hover:text-bean">
            {isPending ? (
              <LoaderCircle aria-hidden="true" className="size-3.5 animate-spin" />
            ) : (
              <Camera aria-hidden="true" className="size-3.5" />
            )}
          </span>
        </button>
      </Tooltip>
      <input ref={fileInput} type="file" accept="image/*" aria-label="头像图片" hidden onChange={send} />
    </>
  );
}
