import { Box, Text } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import classes from './facts.module.css';

export interface Fact {
  readonly label: string;
  readonly value: ReactNode;
}

/** Names and values in two columns; those without a value are left out. */
export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  const shown = facts.filter(({ value }) => value !== null && value !== undefined && value !== '' && value !== false);
  return (
    <Box component="dl" className={classes.facts}>
      {shown.map(({ label, value }) => (
        <Fragment key={label}>
          <Text component="dt" size="sm" c="dimmed">
            {label}
          </Text>
          <Text component="dd" size="sm" className={classes.value}>
            {value}
          </Text>
        </Fragment>
      ))}
    </Box>
  );
}
