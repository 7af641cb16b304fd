# Two images from one build:
#   docker build .                    the API with its own Chromium; everything it keeps is in /data
#   docker build --target crawler .   our crawler in the role of the official crawler image (docs/deploy-kubernetes.md §5)

FROM node:22-bookworm-slim AS build
WORKDIR /app
ENV MONGOMS_DISABLE_POSTINSTALL=1
COPY package.json package-lock.json .npmrc ./
COPY web/package.json web/package.json
RUN npm ci --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY scripts scripts
COPY crawler crawler
COPY formats formats
COPY src src
COPY web web
RUN npm run build

# Each image has the packages that its own program loads.
FROM build AS apimodules
RUN node scripts/image-modules.mjs api

FROM build AS crawlermodules
RUN node scripts/image-modules.mjs crawler

FROM node:22-bookworm-slim AS runtime
# git and the authorities it trusts: custom behaviors may be in repositories. curl: the health check of crawler
# containers. What a browser without a screen never loads is a third of what its package brings: drivers of graphics
# cards (it draws by its own SwiftShader), themes, and of the large fonts for Chinese, Japanese and Korean one family.
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates chromium curl fonts-liberation fonts-noto-core fonts-noto-cjk fonts-noto-color-emoji git \
      openssh-client tini \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /usr/share/doc /usr/share/man /usr/share/locale /usr/share/icons/Adwaita \
      /usr/share/fonts/opentype/noto/NotoSerifCJK-* /usr/lib/*-linux-gnu/dri /usr/lib/*-linux-gnu/libLLVM-* \
      /usr/lib/*-linux-gnu/libz3.so* /usr/lib/chromium/libVkLayer_*
WORKDIR /app
ENV NODE_ENV=production CHROMIUM_PATH=/usr/bin/chromium

FROM runtime AS crawler
# The user, the commands and the folder that the drivers know of the official image. tini collects what browsers leave
# behind; pods use no entry point, so each command brings it.
RUN useradd --uid 201407 --user-group --no-create-home --home-dir /crawls/home crawler \
 && install -d -m 0755 -o crawler -g crawler /crawls \
 && for mode in crawl qa create-login-profile; do \
      printf '#!/bin/sh\nexec tini -s -- node /app/dist/crawler/container/main.js %s "$@"\n' "$mode" > "/usr/local/bin/$mode" \
      && chmod 0755 "/usr/local/bin/$mode"; \
    done
COPY --from=crawlermodules --chown=root:root /app/node_modules node_modules
COPY --from=build --chown=root:root /app/dist/package.json dist/package.json
COPY --from=build --chown=root:root /app/dist/crawler dist/crawler
COPY --from=build --chown=root:root /app/dist/formats dist/formats
COPY --chown=root:root LICENSE ./
USER crawler
# The profile that engines give containers forbids the user namespaces that Chromium's sandbox is made of. The container
# holds one crawl and nothing else: it is the sandbox, as it is with the official image.
ENV HOME=/crawls/home CRAWLS_DIR=/crawls BROWSER_SANDBOX=off
EXPOSE 6065 9037 9223
ENTRYPOINT []
CMD ["crawl", "--help"]

FROM runtime AS api
RUN useradd --uid 10001 --user-group --create-home muniment \
 && install -d -m 0700 -o muniment -g muniment /data
COPY --from=apimodules --chown=root:root /app/node_modules node_modules
COPY --from=build --chown=root:root /app/dist dist
COPY --chown=root:root package.json LICENSE ./
COPY --chown=root:root bin bin
COPY --chown=root:root scripts scripts
USER muniment
ENV HOST=0.0.0.0 PORT=8000 DATA_DIR=/data LOG_FORMAT=json
VOLUME /data
EXPOSE 8000
# Ready, not only alive: migrations and index builds of a large database may take minutes.
HEALTHCHECK --interval=10s --timeout=5s --start-period=300s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# tini passes signals on and collects what browsers leave behind.
ENTRYPOINT ["tini", "--"]
CMD ["node", "dist/src/main.js"]
