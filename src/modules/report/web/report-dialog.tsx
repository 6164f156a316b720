import { type FormEvent, useState } from 'react';
import { useQueryPerUser } from '#modules/account/web/use-query-per-user.ts';
import { Button } from '#platform/web/ui/button.tsx';
import { Dialog } from '#platform/web/ui/dialog.tsx';
import { TextArea } from '#platform/web/ui/field.tsx';
import { ListPlaceholder } from '#platform/web/ui/list-placeholder.tsx';
import { Notice } from '#platform/web/ui/notice.tsx';
import { useAction } from '#platform/web/use-action.ts';
import { type ReportReason, reportApi, reportReasons } from '../report.contract.ts';

const reasons = Object.entries(reportReasons).map(([value, label]) => ({
  value: Number(value) as ReportReason,
  label,
}));

export function ReportDialog({ document, onClose }: { document: { id: number; title: string }; onClose: () => void }) {
  const myReport = useQueryPerUser(reportApi.getMine, { document_id: document.id });
  return (
    <Dialog open onClose={onClose} title="举报文档">
      {myReport.data === undefined ? (
        <ListPlaceholder query={myReport} rows={3} />
      ) : myReport.data.id > 0 ? (
        <>
          <Notice tone="success">
            {`您已举报过这篇文档：${reportReasons[myReport.data.reason as ReportReason] ?? ''}。${
              myReport.data.status ? '举报已经处理。' : '管理员会尽快处理，结果会通知您。'
            }`}
          </Notice>
          {myReport.data.remark ? <p className="mt-3 text-14">答复：{myReport.data.remark}</p> : null}
          <div className="mt-6 flex justify-end">
            <Button variant="outline" onClick={onClose}>
              知道了
            </Button>
          </div>
        </>
      ) : (
        <ReportForm document={document} onClose={onClose} />
      )}
    </Dialog>
  );
}

function ReportForm({ document, onClose }: { document: { id: number; title: string }; onClose: () => void }) {
  const [reason, setReason] = useState<ReportReason | null>(null);
  const [isReasonMissing, setReasonMissing] = useState(false);
  const [content, setContent] = useState('');
  const create = useAction(reportApi.create, {
    success: '提交成功，处理结果会通知您',
    failure: '提交失败',
    invalidates: [reportApi.getMine],
    invalidatesAfterFailure: true,
    onDone: onClose,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason === null) return setReasonMissing(true);
    void create.run({ document_id: document.id, reason, content });
  };
  return (
    <form onSubmit={submit}>
      <p className="text-14 text-ink-2">《{document.title}》</p>
      <ReasonField
        value={reason}
        isMissing={isReasonMissing}
        onChange={(newReason) => {
          setReason(newReason);
          setReasonMissing(false);
        }}
      />
      <div className="mt-3">
        <TextArea
          label="补充说明（选填）"
          maxLength={500}
          placeholder="例如在第几页、哪一段"
          value={content}
          onChange={(event) => setContent(event.target.value)}
        />
      </div>
      <div className="mt-2 flex justify-end gap-3">
        <Button variant="outline" onClick={onClose}>
          取消
        </Button>
        <Button type="submit" pending={create.isPending}>
          提交
        </Button>
      </div>
    </form>
  );
}

function ReasonField(props: {
  value: ReportReason | null;
  isMissing: boolean;
  onChange: (reason: ReportReason) => void;
}) {
  const { value: selectedReason, isMissing, onChange } = props;
  return (
    <fieldset className="mt-3">
      <legend className="mb-1 text-14 font-medium">举报原因</legend>
      <div className="grid grid-cols-2 gap-x-4 md:grid-cols-3">
        {reasons.map(({ value, label }) => (
          <label key={value} className="flex min-h-10 items-center gap-2 text-15">
            <input
              type="radio"
              name="reason"
              checked={selectedReason === value}
              onChange={() => onChange(value)}
              className="size-4.5 accent-bean"
            />
            {label}
          </label>
        ))}
      </div>
      {isMissing ? (
        <p role="alert" className="mt-1 text-13 text-red">
          请选择举报原因
        </p>
      ) : null}
    </fieldset>
  );
}
