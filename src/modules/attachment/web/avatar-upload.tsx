import { Camera, LoaderCircle } from 'lucide-react';
import { type ChangeEvent, useRef, useState } from 'react';
import { invalidateUser } from '#modules/account/web/session.ts';
import { AppError } from '#platform/contract/errors.ts';
import { upload } from '#platform/web/api.ts';
import { toast } from '#platform/web/toast.ts';
import { Avatar } from '#platform/web/ui/avatar.tsx';
import { Tooltip } from '#platform/web/ui/tooltip.tsx';
import { fileApi } from '../attachment.contract.ts';

const HINT = '点击上传图片';

/** A failure without words is shown as it is. */
const rawError = (error: unknown) => (error instanceof AppError ? `${error.status} ${error.code}` : String(error));

/** The own picture; a press on it chooses another one. Images only, one at a time. */
export function AvatarUpload({ src, size = 64 }: { src: string; size?: number }) {
  const chooser = useRef<HTMLInputElement>(null);
  const [pending, setPending] = useState(false);

  async function send({ currentTarget }: ChangeEvent<HTMLInputElement>) {
    const file = currentTarget.files?.[0];
    // The same file chosen again is a change too.
    currentTarget.value = '';
    if (!file) return;
    if (!file.type.startsWith('image/')) return toast.failure(null, '请选择图片文件');
    setPending(true);
    try {
      await upload(fileApi.uploadAvatar, file);
      await invalidateUser();
    } catch (error) {
      toast.failure(error, rawError(error));
    } finally {
      setPending(false);
    }
  }

  return (
    <>
      <Tooltip text={HINT}>
        <button
          type="button"
          aria-label={HINT}
          aria-busy={pending}
          disabled={pending}
          onClick={() => chooser.current?.click()}
          className="group relative shrink-0 rounded-full"
        >
          <Avatar src={src} size={size} />
          <span className="absolute -right-1 -bottom-1 grid size-6 place-items-center rounded-full border border-line bg-surface text-ink-2 transition-colors group-hover:text-bean">
            {pending ? (
              <LoaderCircle aria-hidden="true" className="size-3.5 animate-spin" />
            ) : (
              <Camera aria-hidden="true" className="size-3.5" />
            )}
          </span>
        </button>
      </Tooltip>
      <input ref={chooser} type="file" accept="image/*" aria-label="头像图片" hidden onChange={send} />
    </>
  );
}
