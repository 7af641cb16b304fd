import { useState, type FormEvent } from 'react';

export type Answers = Readonly<Record<string, string>>;

/** A form's way to the API: busy while it is sent, then what went wrong; what was typed stays. */
export function useSubmit(send: (answers: Answers, form: HTMLFormElement) => Promise<void>): {
  readonly error: unknown;
  readonly isBusy: boolean;
  readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
} {
  const [error, setError] = useState<unknown>(null);
  const [isBusy, setBusy] = useState(false);
  const onSubmit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = event.currentTarget;
    const answers = Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]));
    setBusy(true);
    setError(null);
    send(answers, form)
      .catch(setError)
      .finally(() => setBusy(false));
  };
  return { error, isBusy, onSubmit };
}
