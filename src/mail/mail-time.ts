/** The form of times in mail payloads: ISO 8601 with an offset, whole seconds (accounts §13.1). */
export const mailTime = (date: Date): string => `${date.toISOString().slice(0, 19)}+00:00`;
