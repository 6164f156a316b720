import { CheckCircleFilled, CloseCircleFilled, InfoCircleFilled } from '@ant-design/icons';
import { Button, Result, Skeleton } from 'antd';
import { type CheckState, dashboardApi, type EnvironmentItem } from '#modules/dashboard/dashboard.contract.ts';
import { endpointQuery } from '#platform/web/api.ts';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';

const STATES: Record<CheckState, { label: string; order: number; Icon: typeof InfoCircleFilled }> = {
  bad: { label: '需要处理', order: 0, Icon: CloseCircleFilled },
  hint: { label: '提示', order: 1, Icon: InfoCircleFilled },
  ok: { label: '正常', order: 2, Icon: CheckCircleFilled },
};

function summarizeEnvironment(items: EnvironmentItem[]): string {
  const count = (state: CheckState) => items.filter((item) => item.state === state).length;
  const parts = [
    count('bad') > 0 && `${count('bad')} 处需要处理`,
    count('hint') > 0 && `${count('hint')} 条提示`,
  ].filter(Boolean);
  return parts.join('，') || '一切正常';
}

/** The list that `douku doctor` prints, with problems first. */
export function EnvironmentList() {
  const { data, error, refetch } = useQueryWithMinimumLoading(endpointQuery(dashboardApi.envs, {}));
  const items = [...(data?.envs ?? [])].sort((a, b) => STATES[a.state].order - STATES[b.state].order);
  return (
    <section className="admin-card" aria-labelledby="environment">
      <div className="admin-checks-head">
        <h2 id="environment">运行环境</h2>
        {items.length > 0 ? <span>{summarizeEnvironment(items)}</span> : null}
      </div>
      {error ? (
        <Result
          status="warning"
          title="运行环境加载失败"
          subTitle={error.message}
          extra={<Button onClick={() => refetch()}>重试</Button>}
        />
      ) : null}
      {!data && !error ? <Skeleton active paragraph={{ rows: 5 }} title={false} /> : null}
      {data && items.length === 0 ? <p>您没有查看运行环境的权限</p> : null}
      <ul className="admin-checks">
        {items.map((item) => (
          <EnvironmentRow key={item.name} item={item} />
        ))}
      </ul>
    </section>
  );
}

const isCommand = (remedy: string) => /^(npm|apt-get) /.test(remedy);

function EnvironmentRow({ item: { name, state, detail, description, cmd } }: { item: EnvironmentItem }) {
  const { label, Icon } = STATES[state];
  return (
    <li data-state={state}>
      <Icon role="img" aria-label={label} />
      <div>
        <p>
          <strong>{name}</strong>
          <span>{detail}</span>
        </p>
        {state === 'ok' ? null : (
          <p>
            {description}。处理办法：{isCommand(cmd) ? <code>{cmd}</code> : cmd}
          </p>
        )}
      </div>
    </li>
  );
}
