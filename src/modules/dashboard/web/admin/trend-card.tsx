import { Button, Result, Skeleton } from 'antd';
import { endpointQuery } from '#platform/web/api.ts';
import { ScrollRegion } from '#platform/web/ui/scroll-region.tsx';
import { useQueryWithMinimumLoading } from '#platform/web/use-query-with-minimum-loading.ts';
import { dashboardApi, trendNames } from '../../dashboard.contract.ts';
import { BarChart } from './bar-chart.tsx';

export function TrendCard() {
  const { data, error, refetch } = useQueryWithMinimumLoading(endpointQuery(dashboardApi.trend, {}));
  return (
    <section className="admin-card admin-section" aria-labelledby="trend">
      <div className="admin-section-head">
        <h2 id="trend">最近三十天</h2>
      </div>
      {error ? (
        <Result
          status="warning"
          title="趋势加载失败"
          subTitle={error.message}
          extra={<Button onClick={() => refetch()}>重试</Button>}
        />
      ) : null}
      {!data && !error ? <Skeleton active paragraph={{ rows: 6 }} title={false} /> : null}
      {data ? (
        <>
          <div className="admin-charts">
            {data.series.map(({ name, counts }) => (
              <BarChart key={name} title={trendNames[name]} days={data.days} counts={counts} />
            ))}
          </div>
          <details className="admin-figures">
            <summary>以表格查看</summary>
            <ScrollRegion label="最近三十天每天的数量">
              <table>
                <thead>
                  <tr>
                    <th scope="col">日期</th>
                    {data.series.map(({ name }) => (
                      <th key={name} scope="col">
                        {trendNames[name]}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {data.days
                    .map((day, at) => (
                      <tr key={day}>
                        <th scope="row">{day}</th>
                        {data.series.map(({ name, counts }) => (
                          <td key={name}>{counts[at]}</td>
                        ))}
                      </tr>
                    ))
                    .reverse()}
                </tbody>
              </table>
            </ScrollRegion>
          </details>
        </>
      ) : null}
    </section>
  );
}
