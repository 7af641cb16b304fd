import { useEffect, useState } from 'react';

const SECOND = 1000;

/** The time in milliseconds; it goes on by seconds while `isRunning`. */
export function useNow(isRunning: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => setNow(Date.now()), SECOND);
    return () => clearInterval(timer);
  }, [isRunning]);
  return now;
}
