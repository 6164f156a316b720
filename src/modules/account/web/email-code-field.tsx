import { type ComponentProps, useEffect, useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Field } from '#platform/web/ui/field.tsx';

/** As long as the server makes one wait. */
const RESEND_WAIT_SECONDS = 60;

/** Seconds until a moment that `start` sets; 0 when there is nothing to wait for. */
function useCountdown() {
  const [end, setEnd] = useState(0);
  const [left, setLeft] = useState(0);
  useEffect(() => {
    if (end === 0) return;
    // By the clock: a tab in the background is woken rarely.
    const look = () => {
      const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
      setLeft(seconds);
      if (seconds === 0) setEnd(0);
    };
    look();
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [end]);
  return { left, start: () => setEnd(Date.now() + RESEND_WAIT_SECONDS * 1000) };
}

type Props = Omit<ComponentProps<typeof Field>, 'label'> & {
  /** Has the code mailed; whether it was. */
  send: () => Promise<boolean>;
};

/** The code that was mailed, and the button that has it mailed. */
export function EmailCodeField({ send, hint, ...rest }: Props) {
  const { email } = useSettings();
  const { left, start } = useCountdown();
  const [pending, setPending] = useState(false);
  const [wasSent, setWasSent] = useState(false);
  const press = async () => {
    setPending(true);
    const sent = await send().finally(() => setPending(false));
    if (!sent) return;
    setWasSent(true);
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
        <Button variant="outline" className="h-11 w-38" disabled={left > 0} pending={pending} onClick={press}>
          {left > 0 ? `${left} 秒后可重发` : wasSent ? '重新获取' : '获取验证码'}
        </Button>
      }
      {...rest}
    />
  );
}
