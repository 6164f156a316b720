import { DatePicker } from 'antd';
import dayjs from 'dayjs';
import type { ListState } from './list-state.ts';

/** Filters `created_at` from the start of the first day to the end of the last day. */
export function PeriodFilter({ list }: { list: ListState }) {
  const { created_at } = list.filters;
  return (
    <DatePicker.RangePicker
      aria-label="时间范围"
      value={created_at?.length === 2 ? [dayjs(created_at[0]), dayjs(created_at[1])] : null}
      onChange={(range) =>
        list.change({
          filters: {
            ...list.filters,
            created_at: range
              ? [range[0]?.startOf('day').toISOString() ?? '', range[1]?.endOf('day').toISOString() ?? '']
              : [],
          },
        })
      }
    />
  );
}
