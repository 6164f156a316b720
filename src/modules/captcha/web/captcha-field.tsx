import { RefreshCw } from 'lucide-react';
import { type ComponentProps, useEffect, useId, useRef } from 'react';
import { Field } from '#platform/web/ui/field.tsx';
import type { Captcha } from './use-captcha.ts';

type Props = Omit<ComponentProps<typeof Field>, 'label'> & { captcha: Captcha };

const changer =
  'rounded-sm text-13 text-bean underline-offset-4 hover:underline aria-busy:cursor-progress';

/** The answer with the picture, or with a question in words for those who cannot see one. */
export function CaptchaField({ captcha, ...rest }: Props) {
  const frame = useRef<HTMLDivElement>(null);
  const shown = useRef(captcha.form);
  // Once changed: the question is tied to the field, so it is read out with it.
  useEffect(() => {
    if (shown.current !== captcha.form) frame.current?.querySelector('input')?.focus();
    shown.current = captcha.form;
  }, [captcha.form]);
  if (!captcha.needed) return null;
  const inWords = captcha.form === 'words';
  const change = () => captcha.setForm(inWords ? 'picture' : 'words');
  const field = { autoComplete: 'off', maxLength: 32, ...rest };
  return (
    <div ref={frame}>
      {inWords ? (
        <Question captcha={captcha} {...field} />
      ) : (
        <Picture captcha={captcha} {...field} />
      )}
      <button
        type="button"
        onClick={change}
        className={`-mt-1.5 mb-1 flex min-h-10 items-center md:min-h-8 ${changer}`}
      >
        {inWords ? '换成图片验证码' : '看不清图片？换成文字题'}
      </button>
    </div>
  );
}

/** A press on the picture gives another one. */
function Picture({ captcha, ...rest }: Props) {
  const { picture, isError, isFetching, isNumber, refresh } = captcha;
  const help = useId();
  const hasPicture = picture !== '' && !isError;
  const shown = (
    <button
      type="button"
      // Words that are shown instead of the picture are its name themselves.
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
        <Waiting isFetching={isFetching} />
      )}
    </button>
  );
  return (
    <>
      <Field
        label="验证码"
        autoCapitalize="characters"
        inputMode={isNumber ? 'numeric' : 'text'}
        beside={shown}
        {...rest}
      />
      <span id={help} hidden>
        请输入图片中的内容
      </span>
    </>
  );
}

function Question({ captcha, ...rest }: Props) {
  const { question, isError, isFetching, refresh } = captcha;
  const asked = useId();
  return (
    <div>
      <div className="mb-2 flex items-start gap-3 rounded-md bg-sunken py-2.5 pr-2 pl-3.5 text-14">
        <p id={asked} aria-live="polite" className="min-w-0 flex-1 py-1">
          {question && !isError ? question : <Waiting isFetching={isFetching} />}
        </p>
        <button
          type="button"
          aria-busy={isFetching}
          onClick={refresh}
          className={`min-h-10 shrink-0 px-2 md:min-h-8 ${changer}`}
        >
          换一题
        </button>
      </div>
      <Field label="验证码" inputMode="text" describedBy={asked} hint="请填写答案" {...rest} />
    </div>
  );
}

function Waiting({ isFetching }: { isFetching: boolean }) {
  return (
    <span className="flex items-center gap-2">
      <RefreshCw aria-hidden="true" className={`size-4 ${isFetching ? 'animate-spin' : ''}`} />
      {isFetching ? '正在获取' : '获取失败，点击重试'}
    </span>
  );
}
