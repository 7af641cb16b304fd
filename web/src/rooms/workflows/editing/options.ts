interface Option {
  readonly value: string;
  readonly label: string;
}
/** The options, and those chosen before that are not among them. */
export const withUnknown = (options: readonly Option[], ...chosen: readonly string[]): Option[] => [
  ...options,
  ...chosen
    .filter((id) => id !== '' && !options.some(({ value }) => value === id))
    .map((id) => ({ value: id, label: id })),
];
