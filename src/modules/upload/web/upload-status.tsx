const ANNOUNCED_STEP_PERCENT = 25;

/** Shows each percent of an upload; screen readers announce its start, each quarter and its end. */
export function UploadStatus({ percent, problem }: { percent: number | null; problem: string }) {
  return (
    <p aria-live="polite" className={`text-13 ${problem ? 'text-red' : 'text-ink-2'}`}>
      {percent === null ? (
        problem
      ) : (
        <>
          <span aria-hidden="true">{`正在上传 ${percent}%`}</span>
          <span className="sr-only">{`正在上传 ${percent - (percent % ANNOUNCED_STEP_PERCENT)}%`}</span>
        </>
      )}
    </p>
  );
}
