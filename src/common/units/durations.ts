/** Durations in milliseconds. */
export const seconds = (n: number): number => n * 1000;
export const minutes = (n: number): number => seconds(n * 60);
export const hours = (n: number): number => minutes(n * 60);
export const days = (n: number): number => hours(n * 24);

export const wholeSecond = (date: Date): Date => new Date(Math.floor(date.getTime() / 1000) * 1000);
