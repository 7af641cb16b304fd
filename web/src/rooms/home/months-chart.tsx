import { BarChart } from '@mantine/charts';
import type { MonthOfUse } from './usage';

interface MonthsChartProps {
  readonly months: readonly (MonthOfUse & { readonly name: string })[];
  readonly names: { readonly crawling: string; readonly qa: string };
}

/** Minutes of crawling and of QA, month by month. */
export default function MonthsChart({ months, names }: MonthsChartProps) {
  return (
    <BarChart
      h={180}
      data={[...months]}
      dataKey="name"
      type="stacked"
      tickLine="none"
      gridAxis="x"
      xAxisProps={{ minTickGap: 24 }}
      yAxisProps={{ allowDecimals: false, width: 44 }}
      withLegend
      maxBarWidth={36}
      series={[
        { name: 'crawling', label: names.crawling, color: 'ink.6' },
        { name: 'qa', label: names.qa, color: 'teal.6' },
      ]}
    />
  );
}
