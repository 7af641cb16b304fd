# The crawler's image with the scripted crawler of test/support in place of the one with a browser.
FROM muniment-crawler:latest
COPY scripted-crawler.mjs /app/test/support/scripted-crawler.mjs
ENV CRAWLER_ENTRY=/app/test/support/scripted-crawler.mjs
