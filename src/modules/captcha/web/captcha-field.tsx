import { Check, RefreshCw } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { Field } from '#platform/web/ui/field.tsx';
import type { Captcha } from './use-captcha.ts';

type Props = Omit<ComponentProps<typeof Field>, 'label'> & { captcha: Captcha };

const linkStyle = 'rounded-sm text-13 text-bean underline-offset-4 hover:underline aria-busy:cursor-progress';

/** The image with the field for its answer, or a proof of work by the browser for users who cannot see the image. */
export function CaptchaField({ captcha, ...rest }: Props) {
  if (!captcha.isRequired) return null;
  const isWork = captcha.form === 'work';
  const switchForm = () => captcha.setForm(isWork ? 'picture' : 'work');
  return (
    <div>
      {isWork ? (
        <ProofOfWorkStatus captcha={captcha} error={rest.error} />
      ) : (
        <CaptchaImageField captcha={captcha} autoComplete="off" maxLength={32} {...rest} />
      )}
      <button
        type="button"
        onClick={switchForm}
        className={`-mt-1.5 mb-1 flex min-h-10 items-center md:min-h-8 ${linkStyle}`}
      >
        {isWork ? '换成图片验证码' : '看不清图片？改用自动验证'}
      </button>
    </div>
  );
}

/** A click on the image requests another one. */
function CaptchaImageField({ captcha, ...rest }: Props) {
  const { picture, isError, isFetching, isNumber, refresh } = captcha;
  const help = useId();
  const hasPicture = picture !== '' && !isError;
  const imageButton = (
    <button
      type="button"
      // Without an image the visible text is the accessible name.
      aria-label={hasPicture ? '点击可刷新验证码' : undefined}
      aria-describedby={help}
      title="点击可刷新验证码"
      aria-busy={isFetching}
      onClick={refresh}
      className="grid h-11 w-38 shrink-0 place-items-center overflow-hidden rounded-md border border-line bg-white text-13 text-[#595f57] aria-busy:cursor-progress"
    >
      {hasPicture ? (
        <img
          src={picture}
          alt="验证码图片"
          className={`size-full object-contain transition-opacity ${isFetching ? 'opacity-60' : ''}`}
        />
      ) : (
        <ImagePlaceholder isFetching={isFetching} />
      )}
    </button>
  );
  return (
    <>
      <Field
        label="验证码"
        autoCapitalize="characters"
        inputMode={isNumber ? 'numeric' : 'text'}
        beside={imageButton}
        {...rest}
      />
      <span id={help} hidden>
        请输入图片中的内容
      </span>
    </>
  );
}

/** The browser computes the answer within seconds; screen readers announce when it is done. */
function ProofOfWorkStatus({ captcha, error }: Pick<Props, 'captcha' | 'error'>) {
  const { isSolved, isError, isFetching, refresh } = captcha;
  return (
    <div className="mb-2">
      <div className="flex min-h-11 items-center gap-3 rounded-md bg-sunken py-1 pr-2 pl-3.5 text-14">
        <output className="flex min-w-0 flex-1 items-center gap-2">
          {isSolved ? (
            <>
              <Check aria-hidden="true" className="size-4 text-bean" />
              自动验证已完成
            </>
          ) : isError ? (
            '自动验证没有成功'
          ) : (
            <>
              <RefreshCw aria-hidden="true" className="size-4 animate-spin" />
              正在自动验证，通常需要几秒
            </>
          )}
        </output>
        {isError && (
          <button
            type="button"
            aria-busy={isFetching}
            onClick={refresh}
            className={`min-h-10 shrink-0 px-2 md:min-h-8 ${linkStyle}`}
          >
            重试
          </button>
        )}
      </div>
      {error && !isSolved && (
        <p role="alert" className="mt-1 text-13 text-red">
          {error}
        </p>
      )}
    </div>
  );
}

function ImagePlaceholder({ isFetching }: { isFetching: boolean }) {
  return (
    <span className="flex items-center gap-2">
      <RefreshCw aria-hidden="true" className={`size-4 ${isFetching ? 'animate-spin' : ''}`} />
      {isFetching ? '正在获取' : '获取失败，点击重试'}
    </span>
  );
}
