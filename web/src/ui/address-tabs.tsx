import { Tabs } from '@mantine/core';
import { useEffect, useRef, type ReactNode } from 'react';

interface AddressTab<T extends string> {
  readonly id: T;
  readonly label: string;
}
interface AddressTabsProps<T extends string> {
  readonly label: string;
  readonly tabs: readonly AddressTab<T>[];
  readonly current: T;
  readonly onChange: (tab: T) => void;
  /** The content of the current tab. */
  readonly children: ReactNode;
}

/** Parts of a page, one at a time. The address says which. On narrow screens the row of names scrolls. */
export function AddressTabs<T extends string>({ label, tabs, current, onChange, children }: AddressTabsProps<T>) {
  const list = useRef<HTMLDivElement>(null);
  // A shared address may name a tab that stands outside the row's part in view.
  useEffect(() => {
    list.current?.querySelector('[data-active]')?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current]);
  return (
    <Tabs value={current} onChange={(value) => value && onChange(value as T)} keepMounted={false}>
      <Tabs.List ref={list} aria-label={label} style={{ flexWrap: 'nowrap', overflowX: 'auto', overflowY: 'hidden' }}>
        {tabs.map(({ id, label: name }) => (
          <Tabs.Tab key={id} value={id} style={{ flexShrink: 0 }}>
            {name}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ id }) => (
        <Tabs.Panel key={id} value={id} pt="lg">
          {id === current && children}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
