import { useQueryClient } from '@tanstack/react-query';
import { notifyDone, notifyProblem } from './problems';

/** Does something, tells how it went, and reads anew what is shown. @returns whether it went well */
export function useAct(): (action: () => Promise<unknown>, done: string) => Promise<boolean> {
  const cache = useQueryClient();
  return async (action, done) => {
    try {
      await action();
    } catch (error) {
      notifyProblem(error);
      return false;
    }
    notifyDone(done);
    await cache.invalidateQueries({ queryKey: ['get'] });
    return true;
  };
}
