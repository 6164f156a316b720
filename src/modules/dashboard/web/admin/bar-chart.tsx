const CHART_WIDTH = 300;
const CHART_HEIGHT = 72;
const BAR_GAP = 2;

type Props = {
  title: string;
  /** yyyy-MM-dd */
  days: string[];
  counts: number[];
};

const shortDay = (day: string) => day.slice(5).replace('-', '/');
const sumOf = (counts: number[]) => counts.reduce((sum, each) => sum + each, 0);

/** One bar per day, with a text summary for screen readers. */
export function BarChart({ title, days, counts }: Props) {
  const maxCount = Math.max(...counts, 1);
  const step = CHART_WIDTH / Math.max(counts.length, 1);
  const today = counts.at(-1) ?? 0;
  const peak = counts.indexOf(Math.max(...counts));
  const description =
    sumOf(counts) === 0
      ? `${title}：最近 ${days.length} 天没有`
      : `${title}：最近 ${days.length} 天共 ${sumOf(counts)}，最多的一天是 ${days[peak]}，${counts[peak]}`;
  return (
    <figure className="admin-chart">
      <figcaption>
        <span>{title}</span>
        <strong>{sumOf(counts).toLocaleString('zh-CN')}</strong>
        <span>今天 {today.toLocaleString('zh-CN')}</span>
      </figcaption>
      <svg
        role="img"
        aria-label={description}
        viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`}
        preserveAspectRatio="none"
      >
        {counts.map((count, at) => {
          // A small count must differ visibly from 0.
          const height = count === 0 ? 1 : Math.max(3, (count / maxCount) * CHART_HEIGHT);
          return (
            <rect
              key={days[at]}
              className={count === 0 ? 'admin-chart-none' : undefined}
              x={at * step + BAR_GAP / 2}
              y={CHART_HEIGHT - height}
              width={step - BAR_GAP}
              height={height}
            >
              <title>{`${days[at]}：${count}`}</title>
            </rect>
          );
        })}
      </svg>
      <div className="admin-chart-axis" aria-hidden>
        <span>{shortDay(days[0] ?? '')}</span>
        <span>最高 {Math.max(...counts, 0).toLocaleString('zh-CN')}</span>
        <span>{shortDay(days.at(-1) ?? '')}</span>
      </div>
    </figure>
  );
}
