/** Runs beside the crawler in its process: makes a promise fail that nobody waits for, when it is told to. */
import { errors } from 'playwright-core';

/** Messages are read from the first listener on: the crawler's comes first, or it would miss its start. */
process.on('newListener', function attach(event) {
  if (event !== 'message') return;
  process.off('newListener', attach);
  process.on('message', ({ fault }) => {
    if (fault === 'page') void Promise.reject(new errors.TimeoutError('page.title: Target page has been closed'));
    if (fault === 'own') void Promise.reject(new Error('nobody saw this'));
  });
});
