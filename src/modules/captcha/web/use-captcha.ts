import { useEffect, useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { query } from '#platform/web/api.ts';
import { importOptional } from '#platform/web/chunk-reload.ts';
import { useFetch } from '#platform/web/use-fetch.ts';
import { type CaptchaPurpose, captchaApi } from '../captcha.contract.ts';

/** A picture is good for five minutes. */
const REFETCH_INTERVAL_MS = 4.5 * 60_000;

/** The captcha of a form: fetched when the form opens, and anew whenever asked. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const expected = useSettings().security[`enable_captcha_${purpose}`];
  const [form, setForm] = useState<'picture' | 'work'>('picture');
  const { data, isError, isFetching, refetch } = useFetch({
    ...query(captchaApi.get, { type: purpose, form }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  const { solution, isFailed } = useSolution(data?.id ?? '', data?.work_bits ?? 0);
  const isWork = form === 'work';
  const isRequired = data?.enable ?? expected;
  return {
    /** Until the server has said so, the settings tell. */
    isRequired,
    form,
    setForm,
    picture: data?.captcha ?? '',
    /** The proof of work is done. */
    isSolved: solution !== '',
    isNumber: data?.type !== 'string',
    isError: isError || isFailed,
    isFetching,
    refresh: () => void refetch(),
    /** What the form sends along; nothing where no captcha is asked for. */
    fields: (answer: string) =>
      data?.enable ? { captcha: isWork ? solution : answer.trim(), captcha_id: data.id } : {},
    /** What is wrong with an answer before it is sent. */
    problem: (answer: string) => {
      if (!isRequired) return '';
      if (isWork && isFailed) return '自动验证没有成功，请重试或换成图片验证码';
      if (isWork) return solution === '' ? '自动验证还没有完成，请稍候' : '';
      return answer.trim() === '' ? '请输入验证码' : '';
    },
  };
}

const UNSOLVED = { captchaId: '', solution: '', isFailed: false };

/** Works out the answer of this captcha; it is empty until then. The solver may fail to load or to run. */
function useSolution(captchaId: string, bits: number) {
  const [result, setResult] = useState(UNSOLVED);
  useEffect(() => {
    if (bits === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    // A reload of the page would lose what is typed in the form.
    importOptional(() => import('./solve-proof-of-work.ts'))
      .then(({ solveProofOfWork }) => solveProofOfWork(captchaId, bits, signal))
      .then((solution) => setResult({ captchaId, solution, isFailed: false }))
      .catch((error: unknown) => {
        if (signal.aborted) return;
        setResult({ captchaId, solution: '', isFailed: true });
        reportError(error);
      });
    return () => controller.abort();
  }, [captchaId, bits]);
  return result.captchaId === captchaId ? result : UNSOLVED;
}

export type Captcha = ReturnType<typeof useCaptcha>;
