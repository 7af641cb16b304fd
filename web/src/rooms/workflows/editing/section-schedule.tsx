import { Checkbox, Group, NumberInput, Select, Text, TextInput } from '@mantine/core';
import { TimeInput } from '@mantine/dates';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useTexts } from '../../../i18n/texts';
import { cronOf, KINDS, nextRuns, offsetNow, planOf, timeZone, type Plan } from './cron-plan';
import { editingTexts } from './editing.texts';
import { Part, type SectionProps } from './parts';

const NEXT = 5;
/** A Sunday, from which the names of the week's days are told. */
const SUNDAY = Date.UTC(2023, 0, 1);
const WEEK_FROM_MONDAY = [1, 2, 3, 4, 5, 6, 0];
const DEFAULT_TIME = '09:00';

/** When crawls start by themselves, in words and in the person's own time. */
export function ScheduleSection({ form }: SectionProps) {
  const say = useTexts(editingTexts);
  const { schedule } = form.getValues();
  const [plan, setPlan] = useState<Plan>(() => planOf(schedule, offsetNow()));
  // What another place set, such as a change taken over from somebody else, is shown.
  const shown = cronOf(plan, offsetNow()) === schedule ? plan : planOf(schedule, offsetNow());
  const change = (next: Plan): void => {
    setPlan(next);
    form.setFieldValue('schedule', cronOf(next, offsetNow()));
  };
  return (
    <Part id="schedule" title={say('schedule')} lead={say('scheduleLead')}>
      <Group align="flex-end" gap="sm">
        <Select
          label={say('often')}
          data={KINDS.map((value) => ({ value, label: say(`often_${value}`) }))}
          value={shown.kind}
          onChange={(kind) => change(planFrom(kind as Plan['kind'], shown, schedule))}
          allowDeselect={false}
          w={200}
        />
        <PlanFields plan={shown} change={change} />
      </Group>
      {form.errors['schedule'] && (
        <Text size="xs" c="var(--mantine-color-error)" role="alert">
          {form.errors['schedule']}
        </Text>
      )}
      {schedule !== '' && <Runs cron={schedule} />}
    </Part>
  );
}

/** Another kind of plan keeps the time of the former. */
function planFrom(kind: Plan['kind'], before: Plan, cron: string): Plan {
  const time = 'time' in before ? before.time : DEFAULT_TIME;
  switch (kind) {
    case 'none':
      return { kind };
    case 'hourly':
      return { kind, minute: 0 };
    case 'daily':
      return { kind, time };
    case 'weekly':
      return { kind, days: [1], time };
    case 'monthly':
      return { kind, day: 1, time };
    case 'custom':
      return { kind, cron: cron || '0 9 * * 1-5' };
  }
}

interface PlanProps<P> {
  readonly plan: P;
  readonly change: (plan: Plan) => void;
}
function PlanFields({ plan, change }: PlanProps<Plan>) {
  const say = useTexts(editingTexts);
  if (plan.kind === 'none') return null;
  if (plan.kind === 'custom')
    return (
      <TextInput
        label={say('cron')}
        value={plan.cron}
        onChange={(event) => change({ ...plan, cron: event.currentTarget.value })}
        ff="monospace"
        spellCheck={false}
        w={220}
      />
    );
  if (plan.kind === 'hourly')
    return (
      <NumberInput
        label={say('minute')}
        value={plan.minute}
        min={0}
        max={59}
        clampBehavior="strict"
        allowDecimal={false}
        onChange={(minute) => change({ ...plan, minute: Number(minute) || 0 })}
        w={120}
      />
    );
  return (
    <>
      {plan.kind === 'monthly' && (
        <NumberInput
          label={say('dayOfMonth')}
          value={plan.day}
          min={1}
          max={31}
          clampBehavior="strict"
          allowDecimal={false}
          onChange={(day) => change({ ...plan, day: Number(day) || 1 })}
          w={120}
        />
      )}
      <TimeInput
        label={say('time')}
        value={plan.time}
        onChange={(event) => change({ ...plan, time: event.currentTarget.value || DEFAULT_TIME })}
        w={120}
      />
      {plan.kind === 'weekly' && <Days plan={plan} change={change} />}
    </>
  );
}

function Days({ plan, change }: PlanProps<Extract<Plan, { kind: 'weekly' }>>) {
  const say = useTexts(editingTexts);
  const intl = useIntl();
  const nameOf = (day: number): string =>
    intl.formatDate(SUNDAY + day * 86_400_000, { weekday: 'short', timeZone: 'UTC' });
  return (
    <Checkbox.Group
      label={say('days')}
      value={plan.days.map(String)}
      onChange={(days) => change({ ...plan, days: days.length > 0 ? days.map(Number) : plan.days })}
    >
      <Group gap="sm" mih={36}>
        {WEEK_FROM_MONDAY.map((day) => (
          <Checkbox key={day} value={String(day)} label={nameOf(day)} />
        ))}
      </Group>
    </Checkbox.Group>
  );
}

function Runs({ cron }: { readonly cron: string }) {
  const say = useTexts(editingTexts);
  const intl = useIntl();
  const runs = nextRuns(cron, NEXT);
  if (!runs)
    return (
      <Text size="sm" c="var(--mantine-color-error)" role="alert">
        {say('noCron')}
      </Text>
    );
  return (
    <div>
      <Text size="sm" fw={500}>
        {say('nextRuns', { zone: timeZone() })}
      </Text>
      <ol style={{ margin: '4px 0', paddingInlineStart: 22, fontSize: 'var(--mantine-font-size-sm)' }}>
        {runs.map((run) => (
          <li key={run.getTime()}>
            {intl.formatDate(run, {
              weekday: 'long',
              day: 'numeric',
              month: 'long',
              year: 'numeric',
              hour: 'numeric',
              minute: '2-digit',
            })}
          </li>
        ))}
      </ol>
      <Text size="xs" c="dimmed">
        {say('inUtc', { cron })}
      </Text>
    </div>
  );
}
