# 豆库的镜像：程序、依赖、构建好的页面和全部转换程序都在其中，启动时不再下载任何东西。
FROM node:24-trixie-slim

RUN apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
        7zip bubblewrap calibre fonts-noto-cjk libreoffice-impress-nogui libreoffice-writer-nogui \
        poppler-utils util-linux \
    && rm -rf /var/lib/apt/lists/* \
    && install -d -o node -g node /opt/douku /data

USER node
WORKDIR /opt/douku

# 依赖只随锁文件变化，单独一层。
COPY --chown=node:node package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --include=optional

COPY --chown=node:node . .
RUN node -e "import('./scripts/setup.mjs').then((setup) => setup.ensureBuild())"

ENV NODE_ENV=production DATA_DIR=/data
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "scripts/start.mjs"]
