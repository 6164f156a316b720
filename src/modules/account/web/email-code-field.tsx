import { type ComponentProps, useEffect, useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';

/** The server refuses another code for the same time. */
const RESEND_WAIT_SECONDS = 60;

/** Counts down from RESEND_WAIT_SECONDS after `start`; `secondsLeft` is 0 when the countdown does not run. */
function useCountdown() {
  const [end, setEnd] = useState(0);
  const [secondsLeft, setSecondsLeft] = useState(0);
  useEffect(() => {
    if (end === 0) return;
    // Computed from the clock, because timers of background tabs fire rarely.
    const update = () => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setSecondsLeft(seconds);
      if (seconds === 0) setEnd(0);
    };
    update();
    const timer = setInterval(update, 500);
    return () => clearInterval(timer);
  }, [end]);
  return { secondsLeft, start: () => setEnd(Date.now() + RESEND_WAIT_SECONDS * 1000) };
}

type Props = Omit<ComponentProps<typeof Field>, 'label'> & {
  /** Requests the mail with the code; resolves to whether the server accepted the request. */
  send: () => Promise<boolean>;
};

export function EmailCodeField({ send, hint, ...rest }: Props) {
  const { email } = useSettings();
  const { secondsLeft, start } = useCountdown();
  const [isPending, setIsPending] = useState(false);
  const [hasSent, setHasSent] = useState(false);
  const requestCode = async () => {
    setIsPending(true);
    const isSent = await send().finally(() => setIsPending(false));
    if (!isSent) return;
    setHasSent(true);
    start();
  };
  return (
    <Field
      label="邮箱验证码"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={16}
      hint={email.enable ? hint : '本站还不能寄出邮件，请联系管理员取得验证码'}
      beside={
        <Button
          variant="outline"
          className="h-11 w-38"
          disabled={secondsLeft > 0}
          pending={isPending}
          onClick={requestCode}
        >
          {secondsLeft > 0 ? `${secondsLeft} 秒后可重发` : hasSent ? '重新获取' : '获取验证码'}
        </Button>
      }
      {...rest}
    />
  );
}
