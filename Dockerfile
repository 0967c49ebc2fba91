# One image for every role: web, bot and worker (NORI_ROLE), and for the commands of the operator (nori migrate).
#   docker build -t nori .
#   docker run -p 8080:8080 -v nori-data:/data nori
# Variables that are read at the build, such as VITE_BRAND_NAME, are given as --build-arg BUILD_VARIABLES="VITE_BRAND_NAME=… …".

FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Nothing of Nori needs the scripts of packages: Node is in the image.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ARG BUILD_VARIABLES=""
RUN env $BUILD_VARIABLES node scripts/build.ts

FROM node:24.21.0-trixie-slim AS packages
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY contract contract
COPY server server
COPY scripts scripts
# The app is bundled into dist: only what the server imports stays.
RUN node scripts/lib/prune-packages.ts

FROM node:24.21.0-trixie-slim
LABEL org.opencontainers.image.title="Nori" \
  org.opencontainers.image.description="The companion of a Telegram group-management and media bot: a Mini App and a website." \
  org.opencontainers.image.licenses="MIT"
# The server needs Node alone. Package managers would only be something to attack.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* /usr/local/bin/yarn* \
  && mkdir /data && chown 10001:10001 /data \
  && ln -s /app/scripts/nori.mjs /usr/local/bin/nori
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY LICENSE package.json ./
COPY locales locales
COPY contract contract
COPY scripts/nori.mjs scripts/nori.mjs
COPY scripts/lib/node-version.mjs scripts/lib/run.mjs scripts/lib/say.mjs scripts/lib/
COPY server server

# The allocator keeps what was freed apart for each thread; hashes of passwords and pictures take 20 MB each.
ENV HOST=0.0.0.0 \
  PORT=8080 \
  NORI_DATA_DIR=/data \
  MALLOC_ARENA_MAX=2
# By number, so that Kubernetes can see that it is not root. Everything else can be read-only: the server writes to /data and /tmp.
USER 10001:10001
VOLUME /data
EXPOSE 8080
# The server handles signals itself and waits for the programs that it starts, so that it needs no init above it.
STOPSIGNAL SIGTERM
# Whether the process answers. Whether it may get requests is /readyz, which balancers read themselves.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --start-interval=1s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT []
CMD ["node", "server/main.ts"]
