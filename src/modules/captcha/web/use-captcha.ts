import { useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { query } from '#platform/web/api.ts';
import { useFetch } from '#platform/web/use-fetch.ts';
import { type CaptchaPurpose, captchaApi } from '../captcha.contract.ts';

/** A picture is good for five minutes. */
const RENEW_AFTER = 4.5 * 60_000;

/** The captcha of a form: fetched when the form opens, and anew whenever asked. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const expected = useSettings().security[`enable_captcha_${purpose}`];
  const [form, setForm] = useState<'picture' | 'words'>('picture');
  const { data, isError, isFetching, refetch } = useFetch({
    ...query(captchaApi.get, { type: purpose, form }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: RENEW_AFTER,
  });
  return {
    /** Until the server has said so, the settings tell. */
    needed: data?.enable ?? expected,
    form,
    setForm,
    picture: data?.captcha ?? '',
    question: data?.question ?? '',
    isNumber: data?.type !== 'string',
    isError,
    isFetching,
    refresh: () => void refetch(),
    /** What the form sends along; nothing where no captcha is asked for. */
    fields: (answer: string) =>
      data?.enable ? { captcha: answer.trim(), captcha_id: data.id } : {},
    /** What is wrong with an answer before it is sent. */
    problem: (answer: string) =>
      (data?.enable ?? expected) && answer.trim() === '' ? '请输入验证码' : '',
  };
}
export type Captcha = ReturnType<typeof useCaptcha>;
