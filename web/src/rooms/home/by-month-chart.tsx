import { BarChart } from '@mantine/charts';
import type { MonthRow, Series } from './by-month';

/** Above so many times the highest month a limit would press the months to the ground; it is not drawn. */
const LIMIT_IN_SIGHT = 4;

interface ByMonthChartProps {
  readonly rows: readonly (MonthRow & { readonly name: string })[];
  readonly series: readonly Series[];
  readonly format: (value: number) => string;
  readonly limit?: { readonly value: number; readonly label: string } | undefined;
}

/** Amounts month by month, with the limit as a line where it is near. */
export default function ByMonthChart({ rows, series, format, limit }: ByMonthChartProps) {
  const highest = Math.max(...rows.map(({ values }) => Object.values(values).reduce((sum, value) => sum + value, 0)));
  const isInSight = limit !== undefined && limit.value <= LIMIT_IN_SIGHT * highest;
  return (
    <BarChart
      h={180}
      data={rows.map(({ name, values }) => ({ name, ...values }))}
      dataKey="name"
      type="stacked"
      tickLine="none"
      gridAxis="x"
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ allowDecimals: false, width: 56 }}
      withLegend={series.length > 1}
      maxBarWidth={36}
      valueFormatter={format}
      referenceLines={
        isInSight
          ? [
              {
                y: limit.value,
                label: limit.label,
                color: 'red.7',
                labelPosition: 'insideTopLeft',
                ifOverflow: 'extendDomain',
              },
            ]
          : []
      }
      series={series.map(({ id, label, color }) => ({ name: id, label, color }))}
    />
  );
}
