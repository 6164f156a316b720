import { RefreshCw } from 'lucide-react';
import { type ComponentProps, useId } from 'react';
import { Field } from '#platform/web/ui/field.tsx';
import type { Captcha } from './use-captcha.ts';

/** The answer, and the picture beside it: a press on the picture gives another one. */
export function CaptchaField({
  captcha,
  ...rest
}: Omit<ComponentProps<typeof Field>, 'label'> & { captcha: Captcha }) {
  const { needed, picture, isError, isFetching, isNumber, refresh } = captcha;
  const help = useId();
  if (!needed) return null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-3">
      <Field
        label="验证码"
        autoComplete="off"
        autoCapitalize="characters"
        inputMode={isNumber ? 'numeric' : 'text'}
        maxLength={32}
        {...rest}
      />
      <button
        type="button"
        aria-label="点击可刷新验证码"
        aria-describedby={help}
        title="点击可刷新验证码"
        aria-busy={isFetching}
        onClick={refresh}
        className="mt-[26px] grid h-11 w-38 place-items-center self-start overflow-hidden rounded-md border border-line bg-white text-13 text-[#595f57] transition-opacity aria-busy:opacity-60"
      >
        {picture && !isError ? (
          <img src={picture} alt="验证码图片" className="size-full object-contain" />
        ) : (
          <span className="flex items-center gap-2">
            <RefreshCw
              aria-hidden="true"
              className={`size-4 ${isFetching ? 'animate-spin' : ''}`}
            />
            {isFetching ? '正在获取' : '获取失败，点击重试'}
          </span>
        )}
      </button>
      <span id={help} hidden>
        请输入图片中的内容
      </span>
    </div>
  );
}
