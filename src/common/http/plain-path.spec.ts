import { plainPath } from './plain-path.js';

describe('plainPath', () => {
  it.each([
    ['/api/orgs/1/collections/%24all', '/api/orgs/1/collections/$all'],
    ['/%61pi/x/replay%2ejson', '/api/x/replay.json'],
    ['/api/%30%39%41%5A%5a%61%7A%2D%5F%7E', '/api/09AZZaz-_~'],
    // What separates, and what is no text of a route.
    ['/api/a%2Fb%3Fc%23d%25e', '/api/a%2Fb%3Fc%23d%25e'],
    ['/api/%2541%20%C3%A9%40%60%5B%7B%3A%2F', '/api/%2541%20%C3%A9%40%60%5B%7B%3A%2F'],
    ['/api/%2', '/api/%2'],
    ['/api/%zz%', '/api/%zz%'],
    ['/api/%24?name=%24all', '/api/$?name=%24all'],
  ])('%s is %s', (url, plain) => {
    expect(plainPath(url)).toBe(plain);
  });
});
