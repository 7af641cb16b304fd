# Muniment: the API with its own Chromium. Everything it keeps is in /data.

FROM node:22-bookworm-slim AS build
WORKDIR /app
ENV MONGOMS_DISABLE_POSTINSTALL=1
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY crawler crawler
COPY src src
RUN npm run build && npm prune --omit=dev --no-audit --no-fund

FROM node:22-bookworm-slim
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      chromium fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji git tini \
 && rm -rf /var/lib/apt/lists/* \
 && useradd --uid 10001 --user-group --create-home muniment \
 && install -d -m 0700 -o muniment -g muniment /data
WORKDIR /app
COPY --from=build --chown=root:root /app/node_modules node_modules
COPY --from=build --chown=root:root /app/dist dist
COPY --chown=root:root package.json LICENSE ./
COPY --chown=root:root bin bin
COPY --chown=root:root scripts scripts
USER muniment
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data CHROMIUM_PATH=/usr/bin/chromium LOG_FORMAT=json
VOLUME /data
EXPOSE 8000
# Ready, not only alive: migrations and index builds of a large database may take minutes.
HEALTHCHECK --interval=10s --timeout=5s --start-period=300s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# tini passes signals on and collects what browsers leave behind.
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/src/main.js"]
