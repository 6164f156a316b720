import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSettings } from '#modules/settings/web/use-settings.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { importOptional } from '#platform/web/reload-on-chunk-failure.ts';
import { useResultAfterMinimumDisplay } from '#platform/web/use-query-with-minimum-loading.ts';
import { type CaptchaPurpose, captchaApi } from '../captcha.contract.ts';

/** The server accepts a captcha for five minutes. */
const REFETCH_INTERVAL_MS = 4.5 * 60_000;

/** Fetches the captcha of a form when the form opens and on `refresh`. */
export function useCaptcha(purpose: CaptchaPurpose) {
  const isExpected = useSettings().security[`enable_captcha_${purpose}`];
  const [form, setForm] = useState<'picture' | 'work'>('picture');
  const query = useQuery({
    ...endpointQuery(captchaApi.get, { type: purpose, form }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchInterval: REFETCH_INTERVAL_MS,
  });
  const { data, refetch } = query;
  const displayedResult = useResultAfterMinimumDisplay(query);
  const { solution, isFailed } = useSolution(data?.id ?? '', data?.work_bits ?? 0);
  const isWork = form === 'work';
  const isRequired = data?.enable ?? isExpected;
  return {
    /** From the settings until the server has answered. */
    isRequired,
    form,
    setForm,
    picture: displayedResult.data?.captcha ?? '',
    /** Whether the proof of work is done. */
    isSolved: solution !== '',
    isNumber: data?.type !== 'string',
    isError: displayedResult.isError || isFailed,
    isFetching: displayedResult.isFetching,
    refresh: () => void refetch(),
    /** Input fields of the request; empty when no captcha is required. */
    fields: (answer: string) =>
      data?.enable ? { captcha: isWork ? solution : answer.trim(), captcha_id: data.id } : {},
    /** The error message for an answer before submitting; '' when there is none. */
    problem: (answer: string) => {
      if (!isRequired) return '';
      if (isWork && isFailed) return '自动验证没有成功，请重试或换成图片验证码';
      if (isWork) return solution === '' ? '自动验证还没有完成，请稍候' : '';
      if (answer.trim() === '') return '请输入验证码';
      return data ? '' : '验证码图片还没有加载，请稍候再提交';
    },
  };
}

const NO_SOLUTION = { captchaId: '', solution: '', isFailed: false };

/** Computes the proof of work; the solution is empty until it is done. The solver may fail to load or to run. */
function useSolution(captchaId: string, bits: number) {
  const [result, setResult] = useState(NO_SOLUTION);
  useEffect(() => {
    if (bits === 0) return;
    const controller = new AbortController();
    const { signal } = controller;
    // Not retried with a page reload, which would discard the typed form values.
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
  return result.captchaId === captchaId ? result : NO_SOLUTION;
}

export type Captcha = ReturnType<typeof useCaptcha>;
